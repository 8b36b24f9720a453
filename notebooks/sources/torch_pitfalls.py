# %% [markdown]
# # The pitfall gallery of PyTorch
#
# *To browse, a few minutes per card. You need lessons 00 to 06, and lesson 15 for how PyTorch adds.*
#
# > In which ways can a gradient of PyTorch's surprise me?
#
# Why is `x.grad` None? Why does `backward` stop? Every card shows one way in which PyTorch surprises you: a short program, broken
# and mended, with what differs marked in both, and a question about **one** of them. **Decide on an answer before you look.** A wrong
# answer costs nothing: it is told its idea, and you try again. With the right one you see what happened, and both programs step together.
#
# PyTorch need not be installed: each program was run in it once, and what came of it is kept. Where it is installed, you can change
# both programs of a card and run them again. `torch`, `nn` and `F` are there, and so is NumPy as `np`.
#
# In PyTorch one speaks of a *graph* and not of a tape: each result knows in its `grad_fn` which operation made it. `backward` plays the
# graph, and leaves gradients in its *leaves*, the tensors that were made with `requires_grad=True`.
# %% [markdown] lang="fr"
# # La galerie des pièges de PyTorch
#
# *Pour feuilleter, quelques minutes par carte. Il vous faut les leçons 00 à 06, et la leçon 15 pour la façon dont PyTorch ajoute.*
#
# > De quelles façons un gradient de PyTorch peut-il me surprendre ?
#
# Pourquoi `x.grad` vaut-il None ? Pourquoi `backward` s'arrête-t-il ? Chaque carte montre une façon dont PyTorch surprend : un court programme,
# fautif et corrigé, où ce qui diffère est marqué dans les deux, et une question sur **l'un** des deux. **Décidez d'une réponse avant de regarder.**
# Une réponse fausse ne coûte rien : on vous dit son idée, et vous essayez encore. Avec la bonne, vous voyez ce qui s'est passé, et les deux
# programmes avancent ensemble.
#
# PyTorch n'a pas besoin d'être installé : chaque programme y a été exécuté une fois, et ce qu'il a donné est gardé. Là où il est installé, vous
# pouvez changer les deux programmes d'une carte et les relancer. `torch`, `nn` et `F` sont là, ainsi que NumPy, sous le nom `np`.
#
# En PyTorch, on parle d'un *graphe* et non d'une bande : chaque résultat sait dans son `grad_fn` quelle opération l'a fait. `backward` joue le
# graphe, et laisse des gradients dans ses *feuilles*, les tenseurs créés avec `requires_grad=True`.

# %%
from minitape_widgets import pitfalls

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% [markdown]
# ## The four that everybody meets first
# %% [markdown] lang="fr"
# ## Les quatre que tout le monde rencontre d'abord

# %% [markdown]
# ### The second step
# %% [markdown] lang="fr"
# ### Le deuxième pas

# %%
pitfalls.show("torch-accumulated")

# %% [markdown]
# ### A tensor like any other
# %% [markdown] lang="fr"
# ### Un tenseur comme les autres

# %%
pitfalls.show("torch-no-grad-wanted")

# %% [markdown]
# ### One operation after the leaf
# %% [markdown] lang="fr"
# ### Une opération après la feuille

# %%
pitfalls.show("torch-not-a-leaf")

# %% [markdown]
# ### Calculation outside of PyTorch
# %% [markdown] lang="fr"
# ### Calcul en dehors de PyTorch

# %%
pitfalls.show("torch-numpy")

# %% [markdown]
# ## What the graph knows
#
# The graph knows which operations ran while somebody upstream wanted a gradient. Not every answer here is `None`: a part of the way may
# be enough for a number.
# %% [markdown] lang="fr"
# ## Ce que le graphe connaît
#
# Le graphe connaît les opérations exécutées quand quelqu'un, en amont, voulait un gradient. Toutes les réponses ne sont pas `None` ici : un
# bout de chemin peut suffire à donner un nombre.

# %% [markdown]
# ### Computed under no_grad
# %% [markdown] lang="fr"
# ### Calculé sous no_grad

# %%
pitfalls.show("torch-no-grad")

# %% [markdown]
# ### The same tensor, once with detach
# %% [markdown] lang="fr"
# ### Le même tenseur, une fois avec detach

# %%
pitfalls.show("torch-detached")

# %% [markdown]
# ### A list that became a tensor
# %% [markdown] lang="fr"
# ### Une liste devenue tenseur

# %%
pitfalls.show("torch-copied")

# %% [markdown]
# ### Asked in the second place
# %% [markdown] lang="fr"
# ### Demandé en second lieu

# %%
pitfalls.show("torch-too-late")

# %% [markdown]
# ## When backward plays
#
# A graph is played once, and then it lets go of what it had kept. What was found stays in `.grad`, of leaves only, until somebody clears it.
# %% [markdown] lang="fr"
# ## Quand backward joue
#
# Un graphe est joué une fois, puis il rend ce qu'il avait gardé. Ce qui a été trouvé reste dans `.grad`, pour les feuilles seulement, jusqu'à ce
# que quelqu'un le vide.

# %% [markdown]
# ### The slope of a slope
# %% [markdown] lang="fr"
# ### La pente d'une pente

# %%
pitfalls.show("torch-create-graph")

# %% [markdown]
# ### Two losses, one graph
# %% [markdown] lang="fr"
# ### Deux pertes, un graphe

# %%
pitfalls.show("torch-used")

# %% [markdown]
# ### Looked at after the step
# %% [markdown] lang="fr"
# ### Regardé après le pas

# %%
pitfalls.show("torch-cleared")

# %% [markdown]
# ### A value in the middle
# %% [markdown] lang="fr"
# ### Une valeur au milieu

# %%
pitfalls.show("torch-middle")

# %% [markdown]
# ## Changed tensors
#
# `y += 1` writes into a tensor, `y = y + 1` makes a new one. In a graph this is not the same.
# %% [markdown] lang="fr"
# ## Des tenseurs changés
#
# `y += 1` écrit dans un tenseur, `y = y + 1` en fait un nouveau. Dans un graphe, ce n'est pas pareil.

# %% [markdown]
# ### Changed on the way
# %% [markdown] lang="fr"
# ### Changé en route

# %%
pitfalls.show("torch-inplace")

# %% [markdown]
# ### A step made by hand
# %% [markdown] lang="fr"
# ### Un pas fait à la main

# %%
pitfalls.show("torch-replaced")

# %% [markdown]
# ## Numbers that are there, and no help
# %% [markdown] lang="fr"
# ## Des nombres qui sont là, et n'aident pas

# %% [markdown]
# ### A where that does not protect
# %% [markdown] lang="fr"
# ### Un where qui ne protège pas

# %%
pitfalls.show("torch-where-nan")

# %% [markdown]
# ### Rounded on the way
# %% [markdown] lang="fr"
# ### Arrondi en route

# %%
pitfalls.show("torch-round")

# %% [markdown]
# ### (N, 1) minus (N,)
# %% [markdown] lang="fr"
# ### (N, 1) moins (N,)

# %%
pitfalls.show("torch-stretched")

# %% [markdown]
# ## Modules and optimizers
#
# A module names its parameters, and an optimizer moves those that it was given. What neither of them knows has its gradient, and stays.
# %% [markdown] lang="fr"
# ## Modules et optimiseurs
#
# Un module nomme ses paramètres, et un optimiseur déplace ceux qu'on lui a donnés. Ce qu'aucun des deux ne connaît a son gradient, et reste
# en place.

# %% [markdown]
# ### A tensor on a module
# %% [markdown] lang="fr"
# ### Un tenseur sur un module

# %%
pitfalls.show("torch-not-registered")

# %% [markdown]
# ### A new head
# %% [markdown] lang="fr"
# ### Une nouvelle tête

# %%
pitfalls.show("torch-optimizer-old")

# %% [markdown]
# ## Your own programs
#
# Where PyTorch is installed, write `%load_ext minitape_widgets` once, and `%%tape` over a cell that uses it: the player shows its graph, and
# says why a `.grad` is None. `minitape.torch.explain(x)` tells the whole story, and `python -m minitape explain train.py` does it for a script:
# see [Coming from PyTorch](../minitape/recorders/torch/README.md).
#
# All cards in one place, by what you see:
# %% [markdown] lang="fr"
# ## Vos propres programmes
#
# Là où PyTorch est installé, écrivez une fois `%load_ext minitape_widgets`, puis `%%tape` au-dessus d'une cellule qui s'en sert : le lecteur
# montre son graphe, et dit pourquoi un `.grad` vaut None. `minitape.torch.explain(x)` raconte toute l'histoire, et
# `python -m minitape explain train.py` le fait pour un script : voir [Coming from PyTorch](../../minitape/recorders/torch/README.md) (en anglais).
#
# Toutes les cartes au même endroit, selon ce que vous voyez :

# %%
pitfalls.all(library="torch")

# %% [markdown]
# ## What you know now
#
# In which ways can a gradient of PyTorch's surprise you? **It is None where no way leads back, and where the way ends in no leaf; an error where there
# is no graph, or one that was used up or written over; 0 where the way is flat; NaN where 0 meets infinity; a wrong number where a part is missing,
# or is left from the step before. And a right gradient moves nothing that the optimizer does not hold.**
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# De quelles façons un gradient de PyTorch peut-il vous surprendre ? **Il vaut None là où aucun chemin ne revient, et là où le chemin ne finit pas dans
# une feuille ; c'est une erreur là où il n'y a pas de graphe, ou un graphe qui a servi, ou par-dessus lequel on a écrit ; 0 là où le chemin est plat ; NaN
# là où 0 rencontre l'infini ; un nombre faux là où une part manque, ou reste du pas d'avant. Et un gradient juste ne déplace rien que l'optimiseur
# ne tienne.**

# %% [markdown]
# # The pitfall gallery
#
# *To browse, a few minutes per card. You need lessons 00 to 06; for the second derivatives lesson 10.*
#
# > In which ways can a gradient surprise me?
#
# Why is it `None`? Why is it zero? Every card shows one way in which a gradient surprises you. First you see
# a short program, broken and mended, with what differs marked in both, and a question about **one** of them: **decide on
# an answer before you look**. A wrong answer costs nothing: it is told its idea, and you try again. With the right one
# you see what happened, and both programs step together; the cut is drawn where the path breaks.
#
# Everything is real code: where this notebook runs, you can change both programs of a card and run them again.
#
# You have a symptom, and no name for it? At the end all cards stand together, by what you see.
#
# The same explanations are there for your own programs: ask `tape.explain(target, source)`.
# %% [markdown] lang="fr"
# # La galerie des pièges
#
# *Pour feuilleter, quelques minutes par carte. Il vous faut les leçons 00 à 06 ; pour les dérivées secondes, la leçon 10.*
#
# > De quelles façons un gradient peut-il me surprendre ?
#
# Pourquoi est-ce `None` ? Pourquoi est-ce zéro ? Chaque carte montre une façon dont un gradient surprend. Vous voyez d'abord un
# court programme, fautif et corrigé, où ce qui diffère est marqué dans les deux, et une question sur **l'un** des deux : **décidez
# d'une réponse avant de regarder**.
#
# Une réponse fausse ne coûte rien : on vous dit son idée, et vous essayez encore. Avec la bonne, vous voyez ce qui s'est passé, et
# les deux programmes avancent ensemble ; la coupure est dessinée là où le chemin s'interrompt.
#
# Tout est du vrai code : là où ce notebook tourne, vous pouvez changer les deux programmes d'une carte et les relancer.
#
# Vous avez un symptôme, et pas de nom pour lui ? À la fin, toutes les cartes sont réunies, selon ce que vous voyez.
#
# Les mêmes explications existent pour vos propres programmes : demandez `tape.explain(target, source)`.

# %%
from minitape_widgets import pitfalls

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% [markdown]
# ## The four that everybody meets first
#
# These four stand first in TensorFlow's own guide to gradients. In each of them the program runs and
# its numbers are right; only the gradient is not what one hopes for.
# %% [markdown] lang="fr"
# ## Les quatre que tout le monde rencontre d'abord
#
# Ces quatre-là viennent en tête dans le guide de TensorFlow sur les gradients. Dans chacun d'eux, le programme tourne et ses
# nombres sont justes ; seul le gradient n'est pas celui qu'on espérait.

# %% [markdown]
# ### A variable was replaced by a tensor
# %% [markdown] lang="fr"
# ### Une variable remplacée par un tenseur

# %%
pitfalls.show("variable-replaced")

# %% [markdown]
# ### Calculation outside of the library
# %% [markdown] lang="fr"
# ### Calcul en dehors de la bibliothèque

# %%
pitfalls.show("numpy-escape")

# %% [markdown]
# ### Whole numbers and texts have no slope
# %% [markdown] lang="fr"
# ### Les nombres entiers et les textes n'ont pas de pente

# %%
pitfalls.show("integer-dtype")

# %% [markdown]
# ### State stops gradients
# %% [markdown] lang="fr"
# ### L'état arrête les gradients

# %%
pitfalls.show("state-assign")

# %% [markdown]
# ## What the tape sees
#
# A tape watches trainable variables by itself, from their first reading on. Of everything else it sees what it is told to, and
# what ran. Not every answer here is `None`: a part of the way may be enough for a number.
# %% [markdown] lang="fr"
# ## Ce que la bande voit
#
# Une bande suit d'elle-même les variables entraînables, dès leur première lecture. Du reste, elle voit ce qu'on lui dit de
# suivre, et ce qui a été exécuté. Toutes les réponses ne sont pas `None` ici : un bout de chemin peut suffire à donner un nombre.

# %% [markdown]
# ### A part is missing
# %% [markdown] lang="fr"
# ### Il manque une part

# %%
pitfalls.show("partial-escape")

# %% [markdown]
# ### Not watched
# %% [markdown] lang="fr"
# ### Pas suivi

# %%
pitfalls.show("not-watched")

# %% [markdown]
# ### Watched too late
# %% [markdown] lang="fr"
# ### Suivi trop tard

# %%
pitfalls.show("watched-too-late")

# %% [markdown]
# ### A where that does not protect
# %% [markdown] lang="fr"
# ### Un where qui ne protège pas

# %%
pitfalls.show("where-nan")

# %% [markdown]
# ### The branch was not taken
# %% [markdown] lang="fr"
# ### La branche n'a pas été prise

# %%
pitfalls.show("branch-not-taken")

# %% [markdown]
# ### Not trainable
# %% [markdown] lang="fr"
# ### Pas entraînable

# %%
pitfalls.show("not-trainable")

# %% [markdown]
# ## When the tape listens
#
# A tape knows what ran inside of its block, and answers once, unless it is persistent.
# %% [markdown] lang="fr"
# ## Quand la bande écoute
#
# Une bande connaît ce qui s'est exécuté dans son bloc, et répond une fois, sauf si elle est persistante.

# %% [markdown]
# ### Computed before the block
# %% [markdown] lang="fr"
# ### Calculé avant le bloc

# %%
pitfalls.show("computed-before")

# %% [markdown]
# ### Computed after the block
# %% [markdown] lang="fr"
# ### Calculé après le bloc

# %%
pitfalls.show("computed-after")

# %% [markdown]
# ### The tape was used already
# %% [markdown] lang="fr"
# ### La bande a déjà servi

# %%
pitfalls.show("tape-used")

# %% [markdown]
# ### Recording was stopped
# %% [markdown] lang="fr"
# ### L'enregistrement était arrêté

# %%
pitfalls.show("recording-stopped")

# %% [markdown]
# ### A tape kept in a list
# %% [markdown] lang="fr"
# ### Une bande gardée dans une liste

# %%
pitfalls.show("tape-kept")

# %% [markdown]
# ### The second derivative, taken outside
# %% [markdown] lang="fr"
# ### La dérivée seconde, prise dehors

# %%
pitfalls.show("outside-outer-tape")

# %% [markdown]
# ## Another object than you think
#
# Two tensors with the same value are still two tensors. And a shape may be another one than you think.
# %% [markdown] lang="fr"
# ## Un autre objet que vous ne pensez
#
# Deux tenseurs de même valeur sont quand même deux tenseurs. Et une forme peut être une autre que vous ne pensez.

# %% [markdown]
# ### The gradient of another object
# %% [markdown] lang="fr"
# ### Le gradient d'un autre objet

# %%
pitfalls.show("another-object")

# %% [markdown]
# ### A target of several numbers
# %% [markdown] lang="fr"
# ### Une cible à plusieurs nombres

# %%
pitfalls.show("summed-target")

# %% [markdown]
# ### A variable made anew
# %% [markdown] lang="fr"
# ### Une variable créée de nouveau

# %%
pitfalls.show("variable-made-anew")

# %% [markdown]
# ### (N, 1) minus (N,)
# %% [markdown] lang="fr"
# ### (N, 1) moins (N,)

# %%
pitfalls.show("stretched-both")

# %% [markdown]
# ## Ways that are closed
#
# Some steps let the value pass and hold the gradient back.
# %% [markdown] lang="fr"
# ## Des chemins fermés
#
# Certaines étapes laissent passer la valeur et retiennent le gradient.

# %% [markdown]
# ### A float in between
# %% [markdown] lang="fr"
# ### Un nombre Python au milieu

# %%
pitfalls.show("python-escape")

# %% [markdown]
# ### A dead relu
# %% [markdown] lang="fr"
# ### Un relu mort

# %%
pitfalls.show("zero-flat")

# %% [markdown]
# ### stop_gradient stands in the way
# %% [markdown] lang="fr"
# ### stop_gradient barre le chemin

# %%
pitfalls.show("stop-gradient")

# %% [markdown]
# ### No gradient is registered
# %% [markdown] lang="fr"
# ### Aucun gradient n'est déclaré

# %%
pitfalls.show("no-gradient-registered")

# %% [markdown]
# ### argmax, round and comparisons
# %% [markdown] lang="fr"
# ### argmax, round et comparaisons

# %%
pitfalls.show("piecewise-constant")

# %% [markdown]
# ## Your own programs
#
# A tape explains itself, before and after `gradient`, with the names and the lines of your own program. Before you run the
# next cell: what is the gradient of `loss`, and at which line is it decided? Then mend the program, until `explain` says that
# nothing is wrong; and break it in another way that you have met here.
# %% [markdown] lang="fr"
# ## Vos propres programmes
#
# Une bande s'explique elle-même, avant et après `gradient`, avec les noms et les lignes de votre programme. Avant d'exécuter la
# cellule suivante : que vaut le gradient de `loss`, et à quelle ligne cela se décide-t-il ? Corrigez ensuite le programme, jusqu'à
# ce qu'`explain` ne trouve plus rien ; puis cassez-le d'une autre façon que vous avez vue ici.

# %% tags=["answer"]
import numpy as np

import minitape as tf

w, b = tf.Variable([1.0, 2.0]), tf.Variable(0.5)
x = tf.constant([3.0, 4.0])

with tf.GradientTape() as tape:
    prediction = np.dot(w, x)
    loss = (tf.constant(prediction) + b - 10.0) ** 2

tape.explain(loss, w)

# %% [markdown]
# All cards in one place, by what you see: the gradient is None, is zero, is NaN, is a number but wrong; the loss
# does not move. Where this notebook runs, you can search in them, too.
# %% [markdown] lang="fr"
# Toutes les cartes au même endroit, selon ce que vous voyez : le gradient est None, il est nul, il est NaN, c'est un nombre,
# mais faux ; la perte ne bouge pas. Là où ce notebook tourne, vous pouvez aussi y chercher.

# %%
pitfalls.all()

# %% [markdown]
# ## What you know now
#
# In which ways can a gradient surprise you? **It is None where no way leads back; an error where a rule or the tape's memory is
# missing; 0 where the way is flat; NaN where 0 meets infinity; and a wrong number where a part of the way is missing, or a
# shape was stretched.** Which of them it is, `tape.explain` says.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# De quelles façons un gradient peut-il surprendre ? **Il vaut None là où aucun chemin ne revient ; c'est une erreur là où une
# règle manque, ou la mémoire de la bande ; 0 là où le chemin est plat ; NaN là où 0 rencontre l'infini ; et un nombre faux là où
# un bout de chemin manque, ou qu'une forme a été étirée.** Lequel des cas c'est, `tape.explain` le dit.

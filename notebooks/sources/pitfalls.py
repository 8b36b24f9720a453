# %% [markdown]
# # The pitfall gallery
#
# *To browse, a few minutes per card. You need lesson 00: what a tape is, and how to step through a player.*
#
# Why is it `None`? Why is it zero? Every card shows one way in which a gradient surprises you. First you see
# a short program, broken and mended, with what differs marked in both, and a question: **decide on an answer
# before you look**. A wrong answer costs nothing; you may try once more. Then you see what happened, and both
# programs step together; the cut is drawn where the path breaks.
#
# Everything is real code: where this notebook runs, you can change both programs of a card and run them again.
#
# You have a symptom, and no name for it? The last cell has all cards, by what you see.
#
# The same explanations are there for your own programs: ask `tape.explain(target, source)`.
# %% [markdown] lang="fr"
# # La galerie des pièges
#
# *Pour feuilleter, quelques minutes par carte. Il vous faut la leçon 00 : ce qu'est une bande, et comment avancer dans un
# lecteur.*
#
# Pourquoi est-ce `None` ? Pourquoi est-ce zéro ? Chaque carte montre une façon dont un gradient surprend. Vous voyez d'abord un
# court programme, fautif et corrigé, où ce qui diffère est marqué dans les deux, et une question : **décidez d'une réponse avant
# de regarder**. Une réponse fausse ne coûte rien ; vous pouvez essayer encore une fois. Vous voyez ensuite ce qui s'est passé, et
# les deux programmes avancent ensemble ; la coupure est dessinée là où le chemin s'interrompt.
#
# Tout est du vrai code : là où ce notebook tourne, vous pouvez changer les deux programmes d'une carte et les relancer.
#
# Vous avez un symptôme, et pas de nom pour lui ? La dernière cellule a toutes les cartes, selon ce que vous voyez.
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
# ## Who is watched
#
# A tape watches trainable variables by itself, from their first reading on. For everything else it must
# be told.
# %% [markdown] lang="fr"
# ## Qui est suivi
#
# Une bande suit d'elle-même les variables entraînables, dès leur première lecture. Pour tout le reste, il faut le lui dire.

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
# ### Not trainable
# %% [markdown] lang="fr"
# ### Pas entraînable

# %%
pitfalls.show("not-trainable")

# %% [markdown]
# ## Where the tape does not listen
#
# A tape knows what ran inside of its block, and nothing else.
# %% [markdown] lang="fr"
# ## Où la bande n'écoute pas
#
# Une bande connaît ce qui s'est exécuté dans son bloc, et rien d'autre.

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
# ### Recording was stopped
# %% [markdown] lang="fr"
# ### L'enregistrement était arrêté

# %%
pitfalls.show("recording-stopped")

# %% [markdown]
# ### The branch was not taken
# %% [markdown] lang="fr"
# ### La branche n'a pas été prise

# %%
pitfalls.show("branch-not-taken")

# %% [markdown]
# ### The second derivative, taken outside
# %% [markdown] lang="fr"
# ### La dérivée seconde, prise dehors

# %%
pitfalls.show("outside-outer-tape")

# %% [markdown]
# ## Another object than you think
#
# Two tensors with the same value are still two tensors.
# %% [markdown] lang="fr"
# ## Un autre objet que vous ne pensez
#
# Deux tenseurs de même valeur sont quand même deux tenseurs.

# %% [markdown]
# ### The gradient of another object
# %% [markdown] lang="fr"
# ### Le gradient d'un autre objet

# %%
pitfalls.show("another-object")

# %% [markdown]
# ### A variable made anew
# %% [markdown] lang="fr"
# ### Une variable créée de nouveau

# %%
pitfalls.show("variable-made-anew")

# %% [markdown]
# ### The tape was used already
# %% [markdown] lang="fr"
# ### La bande a déjà servi

# %%
pitfalls.show("tape-used")

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
# ### argmax, round and comparisons
# %% [markdown] lang="fr"
# ### argmax, round et comparaisons

# %%
pitfalls.show("piecewise-constant")

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
# ## A number, but not the one you meant
#
# `None` is easy to see. A wrong number is not. Here the answer is a number, and still something is wrong.
# %% [markdown] lang="fr"
# ## Un nombre, mais pas celui que vous vouliez
#
# `None` se voit facilement. Un nombre faux, non. Ici, la réponse est un nombre, et pourtant quelque chose ne va pas.

# %% [markdown]
# ### A part is missing
# %% [markdown] lang="fr"
# ### Il manque une part

# %%
pitfalls.show("partial-escape")

# %% [markdown]
# ### A dead relu
# %% [markdown] lang="fr"
# ### Un relu mort

# %%
pitfalls.show("zero-flat")

# %% [markdown]
# ### A where that does not protect
# %% [markdown] lang="fr"
# ### Un where qui ne protège pas

# %%
pitfalls.show("where-nan")

# %% [markdown]
# ### (N, 1) minus (N,)
# %% [markdown] lang="fr"
# ### (N, 1) moins (N,)

# %%
pitfalls.show("stretched-both")

# %% [markdown]
# ### A target of several numbers
# %% [markdown] lang="fr"
# ### Une cible à plusieurs nombres

# %%
pitfalls.show("summed-target")

# %% [markdown]
# ## Memory
#
# One card that is not about gradients: what a tape holds on to.
# %% [markdown] lang="fr"
# ## Mémoire
#
# Une carte qui ne parle pas de gradients : ce qu'une bande retient.

# %% [markdown]
# ### A tape kept in a list
# %% [markdown] lang="fr"
# ### Une bande gardée dans une liste

# %%
pitfalls.show("tape-kept")

# %% [markdown]
# ## Your own programs
#
# A tape explains itself, before and after `gradient`, with the names and the lines of your own program. Put
# a mistake into the next cell, or take one out, and run it again.
# %% [markdown] lang="fr"
# ## Vos propres programmes
#
# Une bande s'explique elle-même, avant et après `gradient`, avec les noms et les lignes de votre programme. Mettez une faute dans
# la cellule suivante, ou enlevez-en une, et exécutez-la de nouveau.

# %%
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

# %% [markdown]
# # Lesson 05: `gradient` in full
#
# *About 40 minutes. You need lessons 03 and 04: parts that meet are added, and a stretched axis is summed.*
#
# So far you put one question to a tape, once: `tape.gradient(y, x)`, one result and one source. **What else can one
# ask?** The same tape again? About several results? About a result that holds many numbers? And what can come back?
#
# First run the next cell.

# %% [markdown] lang="fr"
# # Leçon 05 : `gradient` en entier
#
# *Environ 40 minutes. Il vous faut les leçons 03 et 04 : les parts qui se rencontrent s'additionnent, et un axe étiré
# est sommé.*
#
# Jusqu'ici, vous avez posé une seule question à une bande, une seule fois : `tape.gradient(y, x)`, un résultat et une
# source. **Que peut-on demander d'autre ?** La même bande encore une fois ? Plusieurs résultats ? Un résultat qui
# contient beaucoup de nombres ? Et que peut-il revenir ?
#
# Exécutez d'abord les deux cellules suivantes.

# %%
import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, compare, play

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% [markdown]
# ## 0. Do you remember?
#
# One question from lesson 04. Its numbers are new at every run.

# %% [markdown] lang="fr"
# ## 0. Vous souvenez-vous ?
#
# Une question de la leçon 04. Ses nombres sont nouveaux à chaque exécution.

# %% predict="05.stretched"

# %% [markdown]
# ## 1. Ask twice
#
# A field is a square; its price depends on its area. Two slopes are of interest, and one tape has recorded
# both steps. Predict first.

# %% [markdown] lang="fr"
# ## 1. Demander deux fois
#
# Un champ est un carré ; son prix dépend de son aire. Deux pentes nous intéressent, et une seule bande a enregistré
# les deux étapes. Prédisez d'abord.

# %% predict="05.twice"

# %% [markdown]
# Now run the program without its last line, and watch the tape. The player begins where the play backwards begins.
# Click on **Step**, go on with →, and keep an eye on the *cards*: what becomes of them when the play has ended?

# %% [markdown] lang="fr"
# Exécutez maintenant le programme sans sa dernière ligne, et regardez la bande. Le lecteur commence là où la lecture à
# rebours commence. Cliquez sur **Avancer**, continuez avec →, et gardez un œil sur les *cartes* : que deviennent-elles
# quand la lecture est finie ?

# %% lang="en" tags=["folded"]
says = {
    "release": "The tape is used up: its cards are crossed out, it has let them go.",
}

# %% lang="fr" tags=["folded"]
says = {
    "release": "La bande est épuisée : elle a jeté ses cartes, elles sont barrées.",
}

# %% tags=["answer"]
# %%tape --start play --link knows-release --say says
side = tf.Variable(3.0)

with tf.GradientTape() as tape:
    area = side * side
    price = 5.0 * area

first = tape.gradient(price, side)

# %% [markdown]
# Now the last line, the second question. It finds nothing to play, and raises an error. We catch it, so that only its
# text is shown; uncaught it would end the program, in a long red text of which the last line counts. (The words are
# TensorFlow's; the jacobians in it are tables of slopes, which come in lesson 11.)

# %% [markdown] lang="fr"
# Maintenant la dernière ligne, la seconde question. Elle ne trouve rien à jouer, et lève une erreur. Nous l'attrapons, pour
# n'en montrer que le texte ; sinon elle arrêterait le programme, avec un long texte rouge dont la dernière ligne compte.
# (Les mots sont ceux de TensorFlow ; ses « jacobians » sont des tableaux de pentes, qui viennent à la leçon 11.)

# %% tags=["answer"]
try:
    second = tape.gradient(area, side)
except RuntimeError as error:
    print(error)

# %% [markdown]
# Why does a tape throw its cards away? Beside each card it keeps the numbers that the card's rule will need. In a large
# program they fill the memory, and most programs ask only once: so the tape lets go as soon as it can.
#
# If you want to ask again, say so when you make the tape: `tf.GradientTape(persistent=True)`. It keeps its cards until nobody
# holds the tape. When you have all answers, let it go: `del tape`.

# %% [markdown] lang="fr"
# Pourquoi une bande jette-t-elle ses cartes ? À côté de chaque carte, elle garde les nombres dont la règle de la carte
# aura besoin. Dans un grand programme, ils remplissent la mémoire, et la plupart des programmes ne demandent qu'une fois :
# la bande libère donc tout dès qu'elle le peut.
#
# Si vous voulez demander encore, dites-le en créant la bande : `tf.GradientTape(persistent=True)`. Elle garde ses cartes tant
# que quelqu'un retient la bande. Quand vous avez toutes les réponses, laissez-la partir : `del tape`.

# %% exercise="05.both"

# %% [markdown]
# ## 2. Ask for several things at once
#
# Often one question is enough, because it may name several sources. Give them in a list, or in a dictionary, or in
# lists inside of dictionaries: the answer comes back in the same form, from *one* play. So no persistent tape is
# needed here. (A **tensor** is a number or an array that the library computed; the tape
# can follow it. Its shape is shown, how it is stored, and after `numpy=` its value.)

# %% [markdown] lang="fr"
# ## 2. Demander plusieurs choses à la fois
#
# Souvent, une seule question suffit, car elle peut nommer plusieurs sources. Donnez-les dans une liste, ou dans un
# dictionnaire, ou dans des listes à l'intérieur de dictionnaires : la réponse revient sous la même forme, d'*une seule*
# lecture. Pas besoin ici de bande persistante. (Un **tenseur** est un nombre ou un tableau que la bibliothèque a calculé ; la
# bande peut le suivre. S'affichent sa forme, la façon dont il est stocké, et après `numpy=` sa valeur.)

# %%
width, depth = tf.Variable(3.0), tf.Variable(4.0)

with tf.GradientTape() as tape:
    area = width * depth

tape.gradient(area, {"width": width, "depth": depth})

# %% [markdown]
# A result that a tape is asked about is called its **target** (a word with another meaning than in lesson 04, where a target is
# what a program should answer). Several may be named as well, but the answer has the form of the sources.
#
# In this tug of war two people pull at the knot of a rope: one wants it at 1, the other one at 5, and each is the unhappier
# the farther it is away, squared. There is one knot, so one number comes back. `left` grows by 2 when `knot` grows by 1, and
# `right` falls by 6. Which number is it?
# %% [markdown] lang="fr"
# Un résultat sur lequel on interroge une bande s'appelle sa **cible** (*target* ; le mot a un autre sens que dans la leçon 04, où
# une cible est ce qu'un programme devrait répondre). On peut aussi en nommer plusieurs, mais la réponse a la forme des sources.
#
# Dans ce tir à la corde, deux personnes tirent sur le nœud (*knot*) d'une corde : l'une le veut en 1, l'autre en 5, et
# chacune est d'autant plus mécontente qu'il en est loin, au carré. Il y a un nœud, donc un nombre revient. `left` augmente de
# 2 quand `knot` augmente de 1, et `right` diminue de 6. Quel est ce nombre ?

# %% lang="en" tags=["folded"]
says_knot = {
    "seed right": "Several targets: each begins with an adjoint of 1.",
    "sum knot": "All of them pull at one knot, and parts that meet are added.",
}

# %% lang="fr" tags=["folded"]
says_knot = {
    "seed right": "Plusieurs cibles : chacune commence avec un adjoint de 1.",
    "sum knot": "Toutes tirent sur un seul nœud, et les parts qui se rencontrent s'additionnent.",
}

# %% tags=["answer"]
# %%tape --start play --say says_knot
knot = tf.Variable(2.0)

with tf.GradientTape() as tape:
    left = tf.square(knot - 1.0)
    right = tf.square(knot - 5.0)

pull = tape.gradient([left, right], knot)

# %% [markdown]
# So the answer is the slope of `left + right`. (If you want the two apart, ask twice: section 1.)
#
# **Change it.** Where does the knot come to rest? Go to the end (the End key) and drag the number in the box `knot`, until the
# slope is 0. Then let a third person pull, or one of the two pull harder, or write a tug of war of your own: guess where the
# knot will rest, run the cell, and drag.
#
# Until now the play went all the way back to the variables. Must it? Predict.
# %% [markdown] lang="fr"
# La réponse est donc la pente de `left + right`. (Si vous voulez les deux séparément, demandez deux fois : section 1.)
#
# **Changez-le.** Où le nœud s'immobilise-t-il ? Allez à la fin (la touche Fin) et faites glisser le nombre de la boîte `knot`,
# jusqu'à ce que la pente soit 0. Puis faites tirer une troisième personne, ou l'une des deux plus fort, ou écrivez un tir à la
# corde à vous : devinez où le nœud s'arrêtera, exécutez la cellule, et faites glisser.
#
# Jusqu'ici, la lecture est remontée jusqu'aux variables. Le faut-il ? Prédisez.

# %% predict="05.middle"

# %% [markdown]
# So a source may be any value on the tape. This is useful where something goes wrong: ask in the middle, and you see how
# far the gradient came.
#
# ## 3. A target of many numbers
#
# Now *one* target that holds three numbers. Predict.
# %% [markdown] lang="fr"
# Une source peut donc être n'importe quelle valeur de la bande. C'est utile quand quelque chose ne va pas : demandez au
# milieu, et vous voyez jusqu'où le gradient est venu.
#
# ## 3. Une cible de plusieurs nombres
#
# Maintenant, *une seule* cible qui contient trois nombres. Prédisez.

# %% predict="05.total"

# %% [markdown]
# Here is a program where this matters. Three measurements `t` were taken at three places `x`, and `w * x` should come
# close to them. Each measurement has its own loss: the square of its error.
#
# 1. Press → and watch where three numbers become one.
# 2. Then take hold of a number: go to the end (the End key) and drag the number in the box `w` to the left, from 3 to 2.
#    Watch the gradient of `w`, **and** the three entries of the adjoint of `error`. When the gradient is 0, are they 0 too?

# %% [markdown] lang="fr"
# Voici un programme où cela compte. Trois mesures `t` ont été prises à trois endroits `x`, et `w * x` devrait s'en
# approcher. Chaque mesure a sa propre perte : le carré de son erreur.
#
# 1. Appuyez sur → et regardez où trois nombres en deviennent un.
# 2. Puis prenez un nombre en main : allez à la fin (la touche Fin) et faites glisser le nombre de la boîte `w`
#    vers la gauche, de 3 à 2. Regardez le gradient de `w`, **et** les trois éléments de l'adjoint de `error`. Quand le
#    gradient vaut 0, valent-ils 0 aussi ?

# %% lang="en" tags=["folded"]
says = {
    "seed losses": "Three losses, so three ones.",
    "sum error": "One number for each measurement: two are negative, one is positive.",
    "part w": "Here three numbers become one: they are summed.",
}

# %% lang="fr" tags=["folded"]
says = {
    "seed losses": "Trois pertes, donc trois fois 1.",
    "sum error": "Un nombre par mesure : deux sont négatifs, un est positif.",
    "part w": "Ici, trois nombres en deviennent un : ils sont additionnés.",
}

# %%
# %%tape --start play --say says
x = tf.constant([1.0, 2.0, 1.0])
t = tf.constant([4.0, 2.0, 4.0])
w = tf.Variable(3.0)

with tf.GradientTape() as tape:
    error = w * x - t
    losses = error * error

g = tape.gradient(losses, w)

# %% [markdown]
# The gradient of `w` speaks of the *sum* of the losses. Where it is 0, at `w = 2`, the sum cannot get smaller. But no
# measurement is content: each one still pulls, two of them upwards and one downwards, and the pulls cancel. The sum has
# hidden them.
#
# ## 4. Ask one measurement: the seed
#
# The adjoints with which a play begins are called its **seed**. If you say nothing, it is 1 for every number of the
# target. `output_gradients` lets you say it: one number for each number of the target. Predict.

# %% [markdown] lang="fr"
# Le gradient de `w` parle de la *somme* des pertes. Là où il vaut 0, en `w = 2`, la somme ne peut plus diminuer. Mais
# aucune mesure n'est contente : chacune tire encore, deux vers le haut et une vers le bas, et ces forces s'annulent. La
# somme les a cachées.
#
# ## 4. Interroger une seule mesure : la graine
#
# Les adjoints avec lesquels une lecture commence s'appellent sa **graine**. Si vous ne dites rien, elle vaut 1 pour chaque
# nombre de la cible. `output_gradients` vous laisse la choisir : un nombre pour chaque nombre de la cible. Prédisez.

# %% predict="05.chosen"

# %% [markdown]
# Now the three measurements again, played twice, side by side: on the left every loss speaks, on the right only the second
# one. Step through it and compare the adjoint of `error` on both sides.

# %% [markdown] lang="fr"
# Voici de nouveau les trois mesures, jouées deux fois, côte à côte : à gauche chaque perte parle, à droite seulement la
# deuxième. Avancez pas à pas et comparez l'adjoint de `error` des deux côtés.

# %%
with tf.GradientTape(persistent=True) as tape:
    error = w * x - t
    losses = error * error

# %%
every = play(tape, losses, w)
second = play(tape, losses, w, output_gradients=tf.constant([0.0, 1.0, 0.0]))
compare(every, second, names=["[1, 1, 1]", "[0, 1, 0]"], start="play")

# %% exercise="05.weighted"

# %% [markdown]
# A play with a seed gives the seed, multiplied by all slopes. So the whole play is a vector-Jacobian product, as the rule of
# each card is: the vector is the seed, and the *Jacobian* is the table of all slopes, which comes in lesson 11.
#
# ## 5. Error, `None` or a number?
#
# Three things can come back, and each one says something else:
#
# | what comes back | what it says |
# |---|---|
# | a number, or an array in the shape of the source | cards lead from the target back to the source; 0 is a number too |
# | `None` | no card leads back: as far as the tape knows, the target does not depend on the source |
# | an error | the question cannot be answered: the tape is used up, or the target is no tensor |
#
# Predict. Run the cell a few times: the question changes.

# %% [markdown] lang="fr"
# Une lecture avec une graine donne la graine multipliée par toutes les pentes. La lecture entière est donc un produit
# vecteur-jacobienne, comme l'est la règle de chaque carte : le vecteur est la graine, et la *jacobienne* est le tableau de
# toutes les pentes, qui vient à la leçon 11.
#
# ## 5. Erreur, `None` ou un nombre ?
#
# Trois choses peuvent revenir, et chacune dit autre chose :
#
# | ce qui revient | ce que cela dit |
# |---|---|
# | un nombre, ou un tableau de la forme de la source | des cartes mènent de la cible à la source ; 0 est aussi un nombre |
# | `None` | aucune carte n'y mène : pour autant que la bande le sache, la cible ne dépend pas de la source |
# | une erreur | la question est sans réponse : la bande est épuisée, ou la cible n'est pas un tenseur |
#
# Prédisez. Exécutez la cellule plusieurs fois : la question change.

# %% predict="05.apart"

# %% [markdown]
# `z` stands on the same tape, and yet the play from `y` says nothing about it: each play answers for its own target.
#
# Some programs would rather have 0 than `None`, to add gradients up, for example. They say so:

# %% [markdown] lang="fr"
# `z` est sur la même bande, et pourtant la lecture depuis `y` n'en dit rien : chaque lecture répond pour sa propre cible.
#
# Certains programmes préfèrent 0 à `None`, par exemple pour additionner des gradients. Ils le disent :

# %%
a, b = tf.Variable(4.0), tf.Variable(3.0)

with tf.GradientTape() as tape:
    y = a * a
    z = 3.0 * b

tape.gradient(y, [a, b], unconnected_gradients="zero")

# %% [markdown]
# Take care: a way that was cut by mistake looks like a flat one then. `None` is the more honest answer.
#
# ## 6. On your own
#
# The last exercise looks different from all above, and it needs two of the things that you have seen. There is no loss in
# it, but money.

# %% [markdown] lang="fr"
# Prudence : un chemin coupé par erreur ressemble alors à un chemin plat. `None` est la réponse la plus honnête.
#
# ## 6. À vous
#
# Le dernier exercice ne ressemble à rien de ce qui précède, et il demande deux des choses que vous avez vues. Il n'y a pas de
# perte, mais de l'argent.

# %% exercise="05.savings"

# %% [markdown]
# ## What you know now
#
# What can one ask of a tape? **How any target changes with any source that it knows, for a seed of your choice, once or, with
# `persistent=True`, again and again.**
#
# * Several sources: the answer has their form. Several targets, or several numbers in one: they are added.
# * What comes back is a number, `None` (no way), or an error (no answer).
#
# Next: [Why is it `None`?](06_why_none.ipynb) The most frequent surprise is `None`. Where did the gradient go?

# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# Que peut-on demander à une bande ? **Comment une cible change avec une source qu'elle connaît, pour une graine de votre
# choix, une fois ou, avec `persistent=True`, autant de fois que vous voulez.**
#
# * Plusieurs sources : la réponse a leur forme. Plusieurs cibles, ou plusieurs nombres dans une : ils s'additionnent.
# * Ce qui revient est un nombre, `None` (aucun chemin), ou une erreur (pas de réponse).
#
# Ensuite : [Pourquoi est-ce `None` ?](06_why_none.ipynb) La surprise la plus fréquente est `None`. Où est passé le gradient ?

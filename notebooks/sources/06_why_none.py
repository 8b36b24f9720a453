# %% [markdown]
# # Lesson 06: Why is it `None`?
#
# *About 40 minutes. You need lesson 05: what comes back is a number, `None`, or an error.*
#
# The program runs. Its loss is right. You ask the tape for a gradient, and what comes back is `None`: no error, no
# line, no hint. **Where did my gradient go?** In this lesson you learn to see the place, and to mend it.
#
# First run the next cell.

# %% [markdown] lang="fr"
# # Leçon 06 : pourquoi est-ce `None` ?
#
# *Environ 40 minutes. Il vous faut la leçon 05 : ce qui revient est un nombre, `None`, ou une erreur.*
#
# Le programme s'exécute. Sa perte est juste. Vous demandez un gradient à la bande, et ce qui revient est `None` : ni
# erreur, ni ligne, ni indice. **Où est passé mon gradient ?** Dans cette leçon, vous apprenez à voir l'endroit, et à le
# réparer.
#
# Exécutez d'abord les deux cellules suivantes.

# %%
import numpy as np

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
# One question from lesson 05.

# %% [markdown] lang="fr"
# ## 0. Vous souvenez-vous ?
#
# Une question de la leçon 05.

# %% predict="06.targets"

# %% [markdown]
# ## 1. A gradient goes missing
#
# Read this program line by line, then predict.

# %% [markdown] lang="fr"
# ## 1. Un gradient disparaît
#
# Lisez ce programme ligne par ligne, puis prédisez.

# %% predict="06.first"

# %% [markdown]
# Now run it. This time the tape is asked for both gradients, that of `w` and that of `b`. The short red text under the
# cell is no error but a warning, which minitape gives wherever a gradient is `None`; it names the line.
#
# 1. Click on **Step**, go on with →, and watch the line `size = float(a)`. Does it become a card? And on the way back,
#    where does the play stop?
# 2. Then go to the end (the End key) and drag the number in the box `w`. Watch `loss`. Do the same with `b`.

# %% [markdown] lang="fr"
# Exécutez-le maintenant. Cette fois, on demande à la bande les deux gradients, celui de `w` et celui de `b`. Le court
# texte rouge sous la cellule n'est pas une erreur mais un avertissement, que minitape donne partout où un gradient vaut
# `None` ; il nomme la ligne.
#
# 1. Cliquez sur **Avancer**, continuez avec →, et regardez la ligne `size = float(a)`. Devient-elle une carte ? Et au
#    retour, où la lecture s'arrête-t-elle ?
# 2. Puis allez à la fin (la touche Fin) et faites glisser le nombre de la boîte `w`. Regardez `loss`. Faites de même
#    avec `b`.

# %% lang="en" tags=["folded"]
says = {
    "note": "No card: float gives a plain Python number, and the tape does not follow it.",
    "cut": "From loss back to w, no card leads across this place.",
}

# %% lang="fr" tags=["folded"]
says = {
    "note": "Pas de carte : float donne un simple nombre de Python, et la bande ne le suit pas.",
    "cut": "De loss à w, aucune carte ne franchit cet endroit.",
}

# %% tags=["answer"]
# %%tape --say says
w, b = tf.Variable(2.0), tf.Variable(5.0)

with tf.GradientTape() as tape:
    a = w * 3.0
    size = float(a)
    loss = size * b

slope_of_w, slope_of_b = tape.gradient(loss, [w, b])

# %% [markdown]
# Run as a program, this code would give a larger `loss` for a larger `w`. In the picture `loss` stood still: there you
# dragged a number of the *tape*, and the tape knows `size` only as the number 6.0, which comes from nowhere. That is
# what `None` says: *as far as the tape knows, this result does not depend on that source*. With `b` nothing is wrong.
#
# ## 2. Broken and mended
#
# To mend it, let the value stay what it is: a tensor, which the tape can follow. Here are both programs side by side. Step
# with →, and look at the place of the cut on the left. What travels over the same place on the right?

# %% [markdown] lang="fr"
# Exécuté comme programme, ce code donnerait un `loss` plus grand pour un `w` plus grand. Dans l'image, `loss` n'a pas
# bougé : vous y avez changé un nombre de la *bande*, et la bande ne connaît `size` que comme le nombre 6.0, venu de
# nulle part. C'est ce que dit `None` : *pour autant que la bande le sache, ce résultat ne dépend pas de cette source*.
# Du côté de `b`, tout va bien.
#
# ## 2. Cassé et réparé
#
# Pour réparer, laissez la valeur être ce qu'elle est : un tenseur, que la bande peut suivre. Voici les deux programmes côte à
# côte. Avancez avec →, et regardez l'endroit de la coupure à gauche. Qu'est-ce qui passe au même endroit à droite ?

# %%
with tf.GradientTape() as tape:
    a = w * 3.0
    size = float(a)
    loss = size * b

broken = play(tape, loss, [w, b])

with tf.GradientTape() as tape:
    a = w * 3.0
    size = a
    loss = size * b

fixed = play(tape, loss, [w, b])

compare(broken=broken, fixed=fixed, start="play")

# %% exercise="06.half"

# %% [markdown]
# ## 3. Ask the tape itself
#
# You need not search alone. `tape.explain(target, source)` takes the same two things as `tape.gradient`, and answers in
# words: what happened, on which line, and what to write instead. It works before `gradient` and after it. Try to
# find the guilty line with your own eyes first; then run the cell.

# %% [markdown] lang="fr"
# ## 3. Demander à la bande elle-même
#
# Vous n'avez pas à chercher seul. `tape.explain(target, source)` prend les deux mêmes choses que `tape.gradient`, et répond
# avec des mots : ce qui s'est passé, à quelle ligne, et quoi écrire à la place. Elle répond avant `gradient` comme après.
# Cherchez d'abord la ligne coupable de vos propres yeux ; puis exécutez la cellule.

# %% tags=["answer"]
x = tf.constant([1.0, 2.0, 3.0])
t = tf.constant([2.0, 3.0, 5.0])
w, b = tf.Variable(1.0), tf.Variable(0.0)

with tf.GradientTape() as tape:
    prediction = w * x + b
    squares = np.square(prediction - t)
    loss = tf.reduce_mean(squares)

tape.explain(loss, w)

# %% [markdown]
# Now five programs, each of them broken. The first:

# %% [markdown] lang="fr"
# Voici maintenant cinq programmes, tous cassés. Le premier :

# %% exercise="06.mean"

# %% [markdown]
# ## 4. Where to look
#
# There are not many places where a gradient can go missing. Go through them in this order:
#
# | the place | looks like | instead |
# |---|---|---|
# | a value **left the library** | `float(a)`, `a.numpy()`, `np.mean(a)` | stay with tensors: `tf.reduce_mean(a)` |
# | a step ran **outside of the block** | a line before `with`, or after it | move it inside |
# | the source is **not watched** | `tf.constant(2.0)` | `tape.watch(x)`, or a variable |
# | the name belongs to **another object** | `w = w - step` | `w.assign_sub(step)`: the same variable, `step` smaller |
# | a step **has no slope** | `tf.round(a)`, which jumps | take it out of the way |
# | a **variable is assigned** on the way | `total.assign_add(a)`, which adds `a` to it | `total = total + a` |
# | the source is a **whole number** | `tf.Variable(3)` | `tf.Variable(3.0)` |
# | the variable is **made anew** at each call | a function that makes it, called twice | make it once, outside |
#
# The next three programs are broken in three different places of the first half. The last three places wait in the extras.

# %% [markdown] lang="fr"
# ## 4. Où chercher
#
# Il n'y a pas beaucoup d'endroits où un gradient peut disparaître. Parcourez-les dans cet ordre :
#
# | l'endroit | à quoi cela ressemble | à la place |
# |---|---|---|
# | une valeur **a quitté la bibliothèque** | `float(a)`, `a.numpy()`, `np.mean(a)` | rester avec les tenseurs : `tf.reduce_mean(a)` |
# | une étape s'est exécutée **hors du bloc** | une ligne avant `with`, ou après | la mettre dedans |
# | la source **n'est pas suivie** | `tf.constant(2.0)` | `tape.watch(x)`, ou une variable |
# | le nom appartient à **un autre objet** | `w = w - step` | `w.assign_sub(step)` : la même variable, diminuée de `step` |
# | une étape **n'a pas de pente** | `tf.round(a)`, qui saute | l'ôter du chemin |
# | une **variable est modifiée** en chemin | `total.assign_add(a)`, qui y ajoute `a` | `total = total + a` |
# | la source est un **nombre entier** | `tf.Variable(3)` | `tf.Variable(3.0)` |
# | la variable est **recréée** à chaque appel | une fonction qui la crée, appelée deux fois | la créer une fois, dehors |
#
# Les trois programmes suivants sont cassés à trois endroits différents de la première moitié. Les trois derniers endroits
# vous attendent à la fin, en plus.

# %% exercise="06.cube"

# %% exercise="06.early"

# %% exercise="06.renamed"

# %% [markdown]
# ## 5. `None` is not 0
#
# One more quiet answer looks like a missing gradient and is none. Predict.

# %% [markdown] lang="fr"
# ## 5. `None` n'est pas 0
#
# Une autre réponse discrète ressemble à un gradient disparu et n'en est pas un. Prédisez.

# %% predict="06.flat"

# %% [markdown]
# So keep them apart. `None`: no way. 0: a way, and nothing changes along it. For 0 there is nothing to repair in the
# program's lines; it is the numbers that stand in a flat place.
#
# ## 6. On your own
#
# Whoever can lose a gradient on purpose knows where to look for it. This program is healthy. **Change it** so that one of
# its gradients gets lost in a way of the table, and step to the cut. Then write a program of your own there, and lose its
# gradient in another way.

# %% [markdown] lang="fr"
# Distinguez-les donc. `None` : aucun chemin. 0 : un chemin, et rien ne change le long de ce chemin. Pour 0, il n'y a rien
# à réparer dans les lignes du programme ; ce sont les nombres qui se trouvent à un endroit plat.
#
# ## 6. À vous
#
# Qui sait perdre un gradient exprès sait où le chercher. Ce programme est en bonne santé. **Changez-le** pour qu'un de ses
# gradients se perde de l'une des façons du tableau, et avancez jusqu'à la coupure. Puis écrivez au même endroit un programme
# à vous, et perdez son gradient d'une autre façon.

# %%
# %%tape
side, price = tf.Variable(2.0), tf.Variable(5.0)

with tf.GradientTape() as tape:
    area = side * side
    cost = area * price

slope_of_side, slope_of_price = tape.gradient(cost, [side, price])

# %% [markdown]
# The last program to repair looks different from the others, and nobody tells you where to look.
# %% [markdown] lang="fr"
# Le dernier programme à réparer ne ressemble pas aux autres, et personne ne vous dit où chercher.

# %% exercise="06.collected"

# %% [markdown]
# ## What you know now
#
# * `None` says: as far as the tape knows, the target does not depend on the source. 0 is a number: a flat way.
# * Places to look: left the library, outside of the block, not watched, another object, no slope; a variable assigned, a whole
#   number, a variable made anew.
# * `tape.explain(target, source)` names the line and says what to write instead.
# * Where did my gradient go? It went as far back as cards lead, and stopped at the line where a step became no card.
#
# Next: the [gallery of pitfalls](pitfalls.ipynb) shows more ways in which a gradient can surprise you, each with its
# mended program beside it. Then [lesson 07](07_training_loop.ipynb): slopes make a program learn.

# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * `None` dit : pour autant que la bande le sache, la cible ne dépend pas de la source. 0 est un nombre : un chemin plat.
# * Endroits où chercher : sorti de la bibliothèque, hors du bloc, non suivi, un autre objet, pas de pente ; une variable
#   modifiée, un nombre entier, une variable recréée.
# * `tape.explain(target, source)` nomme la ligne et dit quoi écrire à la place.
# * Où est passé mon gradient ? Il est remonté de carte en carte, et s'est arrêté à la ligne où une étape n'est pas devenue
#   une carte.
#
# Ensuite : la [galerie des pièges](pitfalls.ipynb) montre d'autres façons dont un gradient peut surprendre, chacune
# avec le programme réparé à côté. Puis la [leçon 07](07_training_loop.ipynb) : les pentes font apprendre un programme.

# %% [markdown]
# ## Extras
#
# *About 30 minutes, for whoever wants more.*
#
# ### Someone else's program
#
# It is longer, and has several suspects. (`tf.stop_gradient(t)` is `t` itself, and sends nothing back;
# `tf.linalg.matvec` multiplies a matrix by a vector.)

# %% [markdown] lang="fr"
# ## En plus
#
# *Environ 30 minutes, pour qui en veut davantage.*
#
# ### Le programme de quelqu'un d'autre
#
# Il est plus long, et il a plusieurs suspects. (`tf.stop_gradient(t)` est `t` lui-même, et ne renvoie rien en arrière ;
# `tf.linalg.matvec` multiplie une matrice par un vecteur.)

# %% exercise="06.line"

# %% [markdown]
# ### Rarer ways
#
# Three questions, and one more program to repair. Each shows another way in which an answer can surprise.

# %% [markdown] lang="fr"
# ### Des façons plus rares
#
# Trois questions, et encore un programme à réparer. Chacun montre une autre façon dont une réponse peut surprendre.

# %% predict="06.whole"

# %% predict="06.anew"

# %% predict="06.unregistered"

# %% exercise="06.total"

# %% [markdown]
# ### The other way round
#
# Once more a healthy program. Break it in three given ways, one after the other. Its loss must stay right, as in real life.
# The check asks the explainer what it sees.

# %% [markdown] lang="fr"
# ### Dans l'autre sens
#
# Encore un programme en bonne santé. Cassez-le de trois façons données, l'une après l'autre. Sa perte doit rester juste, comme
# dans la vie. La vérification demande à l'explication ce qu'elle voit.

# %% exercise="06.leave"

# %% exercise="06.outdoors"

# %% exercise="06.unwatched"

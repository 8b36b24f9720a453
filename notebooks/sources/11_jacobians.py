# %% [markdown]
# # Lesson 11: Jacobians
#
# *About 40 minutes. You know what `gradient` gives for one result, and what a seed is (lesson 05).*
#
# A loss is one number. But many programs answer with several: ten scores for an image, a price for each day.
#
# > What if the answer is not one number?
#
# First run this cell. Then answer a question about the last lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 11 : jacobiennes
#
# *Environ 40 minutes. Vous savez ce que donne `gradient` pour un seul résultat, et ce qu'est une graine (leçon 05).*
#
# Une perte est un seul nombre. Mais beaucoup de programmes répondent par plusieurs : dix scores pour une image, un prix
# par jour.
#
# > Et si la réponse n'est pas un seul nombre ?
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur la leçon précédente. Ses nombres sont nouveaux à
# chaque fois.

# %%
import numpy as np

import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, play

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="11.recall"

# %% [markdown]
# ## 1. One row for each result
#
# Somebody saves money, month by month. `tf.cumsum` is the running sum: how much is there after each month. As many numbers
# come out as go in. First a single one of them:
# %% [markdown] lang="fr"
# ## 1. Une ligne par résultat
#
# Quelqu'un épargne, mois par mois. `tf.cumsum` est la somme courante : combien il y a après chaque mois. Il sort autant de
# nombres qu'il en entre. D'abord un seul d'entre eux :

# %% predict="11.row"

# %% [markdown]
# And what if one asks for all results at once? Here 1 is saved in the first month, 2 in the second, 3 in the third.
# Before you run it: which numbers will `gradient` give, and how many?
# %% [markdown] lang="fr"
# Et si l'on demande tous les résultats à la fois ? Ici, on épargne 1 le premier mois, 2 le deuxième, 3 le troisième.
# Avant d'exécuter : quels nombres `gradient` donnera-t-il, et combien ?

# %% tags=["answer"]
x = tf.Variable([1.0, 2.0, 3.0])

with tf.GradientTape() as tape:
    y = tf.cumsum(x)

print("y       ", y.numpy())
print("gradient", tape.gradient(y, x).numpy())

# %% [markdown]
# `gradient` adds the results up first: each month shows in how many of the sums it counts, and which sums these are is
# lost.
#
# A **Jacobian** keeps the results apart. It is a table. It has a row for each result, like the one that you found, and a
# column for each input. Each entry says how much this result changes when this input changes; books write dy/dx there, with
# the numbers of result and input.
#
# How is it found? By one play for each row. The **seed**, a single 1, stands at the first result, then at the next one.
# Run the two cells, and step. Watch the seed under `y`, and the table.
# %% [markdown] lang="fr"
# `gradient` additionne d'abord les résultats : chaque mois montre dans combien de sommes il compte, mais on ne sait plus
# lesquelles.
#
# Une **jacobienne** garde les résultats séparés. C'est un tableau. Il a une ligne par résultat, comme celle que vous avez
# trouvée, et une colonne par entrée. Chaque nombre dit de combien ce résultat change quand cette entrée change ; les livres y
# écrivent dy/dx, avec les numéros du résultat et de l'entrée.
#
# Comment la trouve-t-on ? Par une lecture pour chaque ligne. La **graine**, un seul 1, se place au premier résultat, puis au
# suivant. Exécutez les deux cellules, et avancez. Regardez la graine sous `y`, et le tableau.

# %% lang="en" tags=["folded"]
says = {
    "seed": "The seed stands at the first result: how does the sum after one month change?",
    "part x": "A month is in its own sum and in all later ones. So each gets what arrives there, added up from the end: reverse=True. (axis=-1: along the last axis.)",
    "row": "Only what was saved in the first month counts in it. What comes later does not: two zeros.",
    "seed 2": "The seed has moved on. The same tape is played once more, for the second result.",
    "row 3": "The last sum depends on all three months.",
    "end": "Three plays, three rows: the whole table. Add up each column, and you have what gradient gave: 3, 2, 1.",
}

# %% lang="fr" tags=["folded"]
says = {
    "seed": "La graine est au premier résultat : comment change la somme après un mois ?",
    "part x": "Un mois est dans sa somme et dans toutes les suivantes. Il reçoit ce qui y arrive, additionné depuis la fin : reverse=True. (axis=-1 : le long du dernier axe.)",
    "row": "Seule l'épargne du premier mois y compte. Ce qui vient plus tard n'y compte pas : deux zéros.",
    "seed 2": "La graine a avancé. La même bande est jouée encore une fois, pour le deuxième résultat.",
    "row 3": "La dernière somme dépend des trois mois.",
    "end": "Trois lectures, trois lignes : le tableau entier. Additionnez chaque colonne, et vous avez ce que gradient a donné : "
           "3, 2, 1.",
}

# %%
x = tf.Variable([1.0, 2.0, 3.0])

with tf.GradientTape() as tape:
    y = tf.cumsum(x)

play(tape, y, x, jacobian=True, say=says)

# %% [markdown]
# Without a picture you write `tape.jacobian(y, x)`.
#
# ## 2. Read the zeros
#
# Where a result does not need an input, there stands a 0. So a Jacobian is a map of who reaches whom. You can often draw it
# before anything is computed.
# %% [markdown] lang="fr"
# Sans image, on écrit `tape.jacobian(y, x)`.
#
# ## 2. Lire les zéros
#
# Là où un résultat n'a pas besoin d'une entrée, il y a un 0. Une jacobienne est donc un plan : qui atteint qui. Souvent, on
# peut le dessiner avant tout calcul.

# %% predict="11.zeros"

# %% [markdown]
# Here each result is a product of two neighbours. Before you run it: where will the zeros be?
#
# **Take hold of a number.** The play begins at its end. Click on `x`, and in the Inspector change the number in the
# middle, 2, to 5. Watch the table: which entries change, and which do not?
# %% [markdown] lang="fr"
# Ici, chaque résultat est le produit de deux voisins. Avant d'exécuter : où seront les zéros ?
#
# **Prenez un nombre en main.** La lecture commence à sa fin. Cliquez sur `x`, et dans l'inspecteur changez le nombre du
# milieu, 2, en 5. Regardez le tableau : quelles entrées changent, et lesquelles non ?

# %% tags=["way-back-asked"]
x = tf.Variable([1.0, 2.0, 3.0])

with tf.GradientTape() as tape:
    y = x[1:] * x[:-1]

play(tape, y, x, jacobian=True, start="end")

# %% [markdown]
# Where there was a 0, it stays: no way leads there. The other entries are slopes, and slopes depend on where one stands.
# A slope may be 0, too: try 0 in the middle.
#
# ## 3. Its shape
#
# A result and a source may have more than one axis. Then the Jacobian has more than two: an entry for each number of the
# result *and* each number of the source.
# %% [markdown] lang="fr"
# Là où il y avait un 0, il reste : aucun chemin n'y mène. Les autres entrées sont des pentes, et une pente dépend de l'endroit
# où l'on se trouve. Une pente peut valoir 0, elle aussi : essayez 0 au milieu.
#
# ## 3. Sa forme
#
# Un résultat et une source peuvent avoir plus d'un axe. La jacobienne en a alors plus de deux : une entrée pour chaque nombre
# du résultat *et* chaque nombre de la source.

# %% predict="11.shape"

# %% [markdown]
# ## 4. Make one yourself
#
# Here is a Jacobian without `jacobian`. The tape is **persistent**, so that it can be played many times.
# %% [markdown] lang="fr"
# ## 4. En faire une soi-même
#
# Voici une jacobienne sans `jacobian`. La bande est **persistante** (*persistent*), pour pouvoir être jouée plusieurs fois.

# %% exercise="11.by-rows"

# %% [markdown]
# ## 5. Rows or columns?
#
# Look back at your plays. Each took a seed, and gave the seed times the Jacobian, without making the table. This is called a
# **vector-Jacobian product**, and it is all that a tape can do: this way is **reverse mode**.
#
# There is another way, without a tape: **forward mode**. Each number carries its slope along, as a pair (value, slope).
# Try it: how do pairs go through a sum, a product, a sine?
# %% [markdown] lang="fr"
# ## 5. Lignes ou colonnes ?
#
# Repensez à vos lectures. Chacune a pris une graine, et a donné la graine multipliée par la jacobienne, sans faire le tableau.
# Cela s'appelle un **produit vecteur-jacobienne**, et c'est tout ce qu'une bande sait faire : c'est le **mode inverse**.
#
# Il y a un autre chemin, sans bande : le **mode direct**. Chaque nombre emporte sa pente, dans une paire (valeur, pente).
# Essayez : comment des paires traversent-elles une somme, un produit, un sinus ?

# %% exercise="11.pairs"

# %% [markdown]
# Now let pairs walk through a program. Its inputs are `x` and `y`; a slope of 1 says along which of them one goes. Before you run
# it: which of the two lines will show the larger slope? **Change it**, too: other values, or slopes (1, 1).
# %% [markdown] lang="fr"
# Faites maintenant passer des paires à travers un programme. Ses entrées sont `x` et `y` ; une pente de 1 dit le long de laquelle
# on avance. Avant d'exécuter : laquelle des deux lignes montrera la plus grande pente ? **Changez-le** aussi : d'autres valeurs, ou
# les pentes (1, 1).

# %% tags=["answer"]
for slope_of_x, slope_of_y in [(1.0, 0.0), (0.0, 1.0)]:
    x, y = (2.0, slope_of_x), (3.0, slope_of_y)
    print("along", (slope_of_x, slope_of_y), "value and slope:", times(plus(x, y), y))

# %% [markdown]
# Each walk goes along one input, and finds how all results change with it: a *column* of the Jacobian.
# %% [markdown] lang="fr"
# Chaque passage suit une entrée, et trouve comment tous les résultats changent avec elle : une *colonne* de la jacobienne.

# %% predict="11.fewest"

# %% [markdown]
# A loss is one result of a million weights: one row, one play. So networks are trained backwards. Forward mode is cheaper where
# few inputs make many results, and it keeps no tape at all.
#
# ## 6. Draw
#
# A Jacobian is a picture of a program. Here is the simplest: each result needs only its own number.
# %% [markdown] lang="fr"
# Une perte est un seul résultat d'un million de poids : une ligne, une lecture. C'est pourquoi on entraîne les réseaux à rebours.
# Le mode direct est moins cher là où peu d'entrées font beaucoup de résultats, et il ne garde aucune bande.
#
# ## 6. Dessiner
#
# Une jacobienne est l'image d'un programme. Voici la plus simple : chaque résultat n'a besoin que de son propre nombre.

# %%
x = tf.Variable([1.0, 2.0, 3.0, 4.0])

with tf.GradientTape() as tape:
    y = x * x

play(tape, y, x, jacobian=True, start="end")

# %% [markdown]
# In the last exercise the pictures are given, and the functions are empty. Use the cell above to try: write another `y`,
# and look at the table.
# %% [markdown] lang="fr"
# Dans le dernier exercice, les images sont données, et les fonctions sont vides. Servez-vous de la cellule ci-dessus pour
# essayer : écrivez un autre `y`, et regardez le tableau.

# %% exercise="11.pictures"

# %% [markdown]
# ## What you know now
#
# * If the answer is not one number, **its slopes are a table: the Jacobian, a row for each result, a column for each input**.
# * Each row is one play, with the seed at one result. `gradient` gives the sum of the rows.
# * Where an input does not reach a result, there stands a 0. The shape: that of the result, then that of the source.
# * Backwards one finds rows, forwards columns. Few results: backwards, as in training. Few inputs: forwards.
#
# Next: [custom gradients](12_custom_gradients.ipynb). May I write the slope myself? What follows here is for whoever wants more.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Si la réponse n'est pas un seul nombre, **ses pentes sont un tableau : la jacobienne, une ligne par résultat, une colonne par
#   entrée**.
# * Chaque ligne est une lecture, avec la graine à un résultat. `gradient` donne la somme des lignes.
# * Là où une entrée n'atteint pas un résultat, il y a un 0. La forme : celle du résultat, puis celle de la source.
# * À rebours on trouve des lignes, en avant des colonnes. Peu de résultats : à rebours, comme à l'entraînement. Peu d'entrées : en
#   avant.
#
# Ensuite : les [gradients sur mesure](12_custom_gradients.ipynb). Puis-je écrire la pente moi-même ? Ce qui suit ici est pour qui veut
# en savoir plus.

# %% [markdown]
# ## Extras
#
# ### One for each example
#
# A model gets many examples at once, one in each row. Now the Jacobian becomes large, and it is mostly empty.
# %% [markdown] lang="fr"
# ## Pour aller plus loin
#
# ### Une pour chaque exemple
#
# Un modèle reçoit beaucoup d'exemples à la fois, un par ligne. La jacobienne devient alors grande, et elle est presque vide.

# %% predict="11.filled"

# %% [markdown]
# So one wants only the small matrices, one for each example. `tape.batch_jacobian(y, x)` gives them. It needs only as many
# plays as one example has results. Do it yourself:
# %% [markdown] lang="fr"
# On ne veut donc que les petites matrices, une pour chaque exemple. `tape.batch_jacobian(y, x)` les donne. Il lui suffit
# d'autant de lectures qu'un exemple a de résultats. Faites-le vous-même :

# %% exercise="11.per-example"

# %% [markdown]
# It works because no example reaches another. `batch_jacobian` believes that, and does not check it. Here the mean of all
# examples is taken away, so each example reaches all the others. Both lines ask how the first result
# of the first example changes with its own first number. Before you run it: which of the two will be right?
# %% [markdown] lang="fr"
# Cela marche parce qu'aucun exemple n'en atteint un autre. `batch_jacobian` le croit, et ne le vérifie pas. Ici, on retire la
# moyenne de tous les exemples : chacun atteint donc tous les autres. Les deux lignes demandent comment le premier résultat du
# premier exemple change avec son propre premier nombre. Avant d'exécuter : laquelle des deux aura raison ?

# %% tags=["answer"]
x = tf.Variable(tf.ones([4, 2]))

with tf.GradientTape(persistent=True) as tape:
    y = x - tf.reduce_mean(x, axis=0)

print("batch_jacobian", tape.batch_jacobian(y, x).numpy()[0, 0, 0])
print("jacobian      ", tape.jacobian(y, x).numpy()[0, 0, 0, 0])

# %% [markdown]
# Check it by hand: when that number grows by 1, by how much does the mean of the four grow, and by how much the result?
#
# ### Two rules as puzzles
#
# A card's rule gets `g`, and gives `g` times the Jacobian of its card: a vector-Jacobian product again, and again no table is made.
# Draw the table in your mind, and read it column by column: what reaches this input? Where your rule is wrong, you see the numbers
# that show it, and a red frame around each wrong one.
# %% [markdown] lang="fr"
# Vérifiez à la main : quand ce nombre augmente de 1, de combien augmente la moyenne des quatre, et de combien le résultat ?
#
# ### Deux règles comme devinettes
#
# La règle d'une carte reçoit `g`, et donne `g` multiplié par la jacobienne de sa carte : encore un produit vecteur-jacobienne, et
# encore sans faire de tableau. Dessinez le tableau en pensée, et lisez-le colonne par colonne : qu'est-ce qui atteint cette entrée ?
# Là où votre règle est fausse, vous voyez les nombres qui le montrent, et un cadre rouge autour de chaque nombre faux.

# %% exercise="11.running"

# %% exercise="11.window"

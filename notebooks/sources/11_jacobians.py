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
# Exécutez d'abord cette cellule. Répondez ensuite à une question sur la leçon précédente. Ses nombres sont nouveaux à
# chaque fois.

# %%
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
# Somebody saves money: 1 in the first month, 2 in the second, 3 in the third. `tf.cumsum` is the running sum: how much
# is there after each month. Three numbers go in, and three come out.
# %% [markdown] lang="fr"
# ## 1. Une ligne par résultat
#
# Quelqu'un épargne : 1 le premier mois, 2 le deuxième, 3 le troisième. `tf.cumsum` est la somme courante : combien il y a
# après chaque mois. Trois nombres entrent, et trois sortent.

# %%
x = tf.Variable([1.0, 2.0, 3.0])

with tf.GradientTape() as tape:
    y = tf.cumsum(x)

print("y       ", y.numpy())
print("gradient", tape.gradient(y, x).numpy())

# %% [markdown]
# You know why these are three numbers and not nine: `gradient` adds the results up first. What is put aside in
# the first month counts in all three sums, so there stands a 3.
#
# A **Jacobian** keeps the results apart. It is a table. It has a row for each result, and a column for each input. Each
# entry says how much this result changes when this input changes.
#
# How is it found? By one play for each row. The **seed**, a single 1, stands at the first result, then at the next one.
# Run the two cells, and step. Watch the seed under `y`, and the table.
# %% [markdown] lang="fr"
# Vous savez pourquoi ce sont trois nombres et non neuf : `gradient` additionne d'abord les résultats. Ce qui est épargné
# le premier mois compte dans les trois sommes : il y a donc un 3.
#
# Une **jacobienne** garde les résultats séparés. C'est un tableau. Il a une ligne par résultat, et une colonne par entrée.
# Chaque nombre dit de combien ce résultat change quand cette entrée change.
#
# Comment la trouve-t-on ? Par une lecture pour chaque ligne. La **graine**, un seul 1, se place au premier résultat, puis au
# suivant. Exécutez les deux cellules, et avancez. Regardez la graine sous `y`, et le tableau.

# %% lang="en" tags=["folded"]
says = {
    "seed": "The seed stands at the first result: how does the sum after one month change?",
    "row": "Only what was saved in the first month counts in it. What comes later does not: two zeros.",
    "seed 2": "The seed has moved on. The same tape is played once more, for the second result.",
    "row 3": "The last sum depends on all three months.",
    "end": "Three plays, three rows: the whole table. Add up each column, and you have what gradient gave: 3, 2, 1.",
}

# %% lang="fr" tags=["folded"]
says = {
    "seed": "La graine est au premier résultat : comment change la somme après un mois ?",
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

# %% tags=["answer"]
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
# ## 5. One for each example
#
# A model gets many examples at once, one in each row. Now the Jacobian becomes large, and it is mostly empty.
# %% [markdown] lang="fr"
# ## 5. Une pour chaque exemple
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
# ## 6. Draw
#
# A Jacobian is a picture of a program. Here is the simplest: each result needs only its own number.
# %% [markdown] lang="fr"
# Vérifiez à la main : quand ce nombre augmente de 1, de combien augmente la moyenne des quatre, et de combien le résultat ?
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
# In the last exercise the picture is given, and you find the program. Use the cell above to try: write another `y`,
# and look at the table.
# %% [markdown] lang="fr"
# Dans le dernier exercice, l'image est donnée, et vous trouvez le programme. Servez-vous de la cellule ci-dessus pour
# essayer : écrivez un autre `y`, et regardez le tableau.

# %% exercise="11.pictures"

# %% [markdown]
# ## What you know now
#
# * If the answer is not one number, **its slopes are a table: the Jacobian, a row for each result, a column for each input**.
# * Each row is one play, with the seed at one result. `gradient` gives the sum of the rows.
# * Where an input does not reach a result, there stands a 0. The shape: that of the result, then that of the source.
# * Examples that do not mix need only a small Jacobian each.
#
# Next: [custom gradients](12_custom_gradients.ipynb). May I write the slope myself?
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Si la réponse n'est pas un seul nombre, **ses pentes sont un tableau : la jacobienne, une ligne par résultat, une colonne par
#   entrée**.
# * Chaque ligne est une lecture, avec la graine à un résultat. `gradient` donne la somme des lignes.
# * Là où une entrée n'atteint pas un résultat, il y a un 0. La forme : celle du résultat, puis celle de la source.
# * Des exemples qui ne se mêlent pas n'ont besoin que d'une petite jacobienne chacun.
#
# Ensuite : les [gradients sur mesure](12_custom_gradients.ipynb). Puis-je écrire la pente moi-même ?

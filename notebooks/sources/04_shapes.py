# %% [markdown]
# # Lesson 04: Shapes
#
# *About 40 minutes. You need lesson 03: parts, and why they are added. And you have met NumPy arrays and their shapes.*
#
# From now on the numbers are arrays. Arrays get stretched, summed, multiplied. **What happens to a gradient when arrays are
# stretched and summed?** On the way you find the rule of a matrix product, without learning it by heart.
#
# First run the next cell.
# %% [markdown] lang="fr"
# # Leçon 04 : les formes
#
# *Environ 40 minutes. Il faut la leçon 03 : les parts, et pourquoi elles s'additionnent. Et vous avez déjà vu des tableaux
# NumPy et leurs formes.*
#
# Désormais, les nombres sont des tableaux. On étire les tableaux, on les somme, on les multiplie. **Qu'arrive-t-il à un
# gradient quand on étire et somme des tableaux ?** En chemin, vous trouvez la règle d'un produit de matrices, sans l'apprendre
# par cœur.
#
# Exécutez d'abord les deux cellules suivantes.

# %%
import numpy as np

import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, play

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% [markdown]
# First a question about the lesson before. The numbers are new every time you run the cell.
# %% [markdown] lang="fr"
# D'abord une question sur la leçon précédente. Les nombres changent à chaque exécution de la cellule.

# %% predict="04.recall"

# %% [markdown]
# ## 1. One number, used three times
#
# In the next program `x` has three entries and `b` is one number. `x + b` adds `b` to each entry. Nobody wrote `b` three
# times, yet it is used three times: the one number is *stretched* until it fits. (The word for this stretching is
# **broadcasting**. And `loss` is the usual name of the one number at the end.) Predict its slope.
# %% [markdown] lang="fr"
# ## 1. Un nombre, employé trois fois
#
# Dans le programme suivant, `x` a trois éléments et `b` est un seul nombre. `x + b` ajoute `b` à chaque élément. Personne n'a
# écrit `b` trois fois, et pourtant il sert trois fois : ce seul nombre est *étiré* jusqu'à ce qu'il convienne. (Le mot pour
# cet étirement est **diffusion**, en anglais *broadcasting*. Et `loss`, la perte, est le nom habituel du nombre qui est à la
# fin.) Prédisez sa pente.

# %% predict="04.once"

# %% [markdown]
# The same program with `b = 1`. Run the cells, click on **Step**, go on with the → key, and watch the box `b`.
# %% [markdown] lang="fr"
# Le même programme avec `b = 1`. Exécutez les cellules, cliquez sur **Avancer**, continuez avec la touche →, et regardez la
# boîte `b`.

# %%
x = tf.constant([1.0, 2.0, 3.0])
b = tf.Variable(1.0)

with tf.GradientTape() as tape:
    y = x + b
    loss = tf.reduce_sum(tf.square(y))

# %% lang="en" tags=["folded"]
says_number = {
    "visit card 1": "The adjoint of y has three entries: one for each way in which b acts on the loss. But b is one number.",
    "part b": "Three uses, three parts. They are added, and the stretched axis is gone.",
}

# %% lang="fr" tags=["folded"]
says_number = {
    "visit card 1": "L'adjoint de y a trois éléments : un pour chaque chemin par lequel b agit sur la perte. Mais b est un seul nombre.",
    "part b": "Trois emplois, trois parts. On les additionne, et l'axe étiré a disparu.",
}

# %%
play(tape, loss, b, start="play", say=says_number)

# %% [markdown]
# **Take hold of a number.** A small array is drawn with its numbers; where they find no room, as squares, one for each entry:
# green above 0, violet below 0, empty at zero. Stay at the end of the play (the End key goes there), click on the box `b`, and
# drag its number to the left until the slope under it is 0. Watch the three entries of the adjoint under the box `y`. **How can
# three parts give 0?**
# %% [markdown] lang="fr"
# **Prenez un nombre en main.** Un petit tableau est dessiné avec ses nombres ; là où ils ne tiennent pas, en carrés, un par
# élément : vert au-dessus de 0, violet au-dessous, vide à zéro. Restez à la fin de la lecture (la touche Fin y mène), cliquez
# sur la boîte `b`, et faites glisser son nombre vers la gauche jusqu'à ce que la pente au-dessous soit 0. Regardez les trois
# éléments de l'adjoint sous la boîte `y`. **Comment trois parts peuvent-elles donner 0 ?**

# %% [markdown]
# ## 2. The axis that collapses
#
# Now with rows and columns. Lesson 03 said: a value that is used several times gets several parts, and they are added.
# Stretching is nothing else. So which shape must a gradient have?
# %% [markdown] lang="fr"
# ## 2. L'axe qui s'effondre
#
# Maintenant avec des lignes et des colonnes. La leçon 03 disait : une valeur qui sert plusieurs fois reçoit plusieurs parts,
# et elles s'additionnent. Étirer n'est rien d'autre. Quelle forme un gradient doit-il donc avoir ?

# %% predict="04.shape"

# %% [markdown]
# Your 0 of section 1 stood at -2: there the parts are -2, 0 and 2. What one entry gains, another one loses.
#
# Here `b` has two entries, one for each column, and it is stretched to three rows. `k` only makes the entries count
# differently, so that you can tell them apart on the way back. Watch the axis of the rows.
# %% [markdown] lang="fr"
# Votre 0 de la section 1 était à -2 : là, les parts sont -2, 0 et 2. Ce qu'un élément gagne, un autre le perd.
#
# Ici, `b` a deux éléments, un par colonne, et il est étiré à trois lignes. `k` sert seulement à ce que les éléments comptent
# différemment, pour que vous puissiez les distinguer au retour. Regardez l'axe des lignes.

# %%
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
k = tf.constant([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
b = tf.Variable([0.5, -0.5])

with tf.GradientTape() as tape:
    y = x + b
    loss = tf.reduce_sum(k * y)

# %% lang="en" tags=["folded"]
says_rows = {
    "part": "A sum sends the same number to every entry: what was summed is stretched on the way back.",
    "visit card 1": "Three rows arrive. b has no axis of rows: it was the same in each of them.",
    "part b": "Row plus row plus row: 1 + 2 + 3 and 10 + 20 + 30. The axis of the rows has collapsed.",
}

# %% lang="fr" tags=["folded"]
says_rows = {
    "part": "Une somme envoie le même nombre à chaque élément : ce qu'on a sommé est étiré au retour.",
    "visit card 1": "Trois lignes arrivent. b n'a pas d'axe des lignes : il était le même dans chacune.",
    "part b": "Ligne plus ligne plus ligne : 1 + 2 + 3 et 10 + 20 + 30. L'axe des lignes s'est effondré.",
}

# %% tags=["answer"]
play(tape, loss, b, start="play", say=says_rows)

# %% [markdown]
# Two sentences follow from this. They are all that one needs to know about shapes:
#
# * **A gradient has the shape of what it belongs to.**
# * **An axis that was stretched forwards is summed backwards.**
#
# So a gradient holds a partial derivative for each entry: the slope, while all other entries stand still. Books write
# ∂L/∂b₀ for that of the first entry of `b`, with L for the loss.
#
# In lesson 03 you wrote the rule of a card: `g`, the adjoint of the output, comes in, and a part for each input goes out.
# Here is the rule of `y = x + b`, worked out for you, with `b` stretched over the rows. (`axis=0` is the axis of the rows,
# `axis=1` that of the columns.)
# %% [markdown] lang="fr"
# Deux phrases en découlent. C'est tout ce qu'il faut savoir des formes :
#
# * **Un gradient a la forme de ce à quoi il appartient.**
# * **Un axe étiré à l'aller est sommé au retour.**
#
# Un gradient contient donc une dérivée partielle par élément : la pente, pendant que tous les autres restent immobiles. Les
# livres écrivent ∂L/∂b₀ pour celle du premier élément de `b`, avec L pour la perte.
#
# Dans la leçon 03, vous avez écrit la règle d'une carte : `g`, l'adjoint de la sortie, entre, et une part pour chaque entrée
# sort. Voici la règle de `y = x + b`, faite pour vous, quand `b` est étiré sur les lignes. (`axis=0` est l'axe des lignes,
# `axis=1` celui des colonnes.)

# %%
def add_rule(g, y, x, b):
    part_x = g
    part_b = np.sum(g, axis=0)
    return part_x, part_b

print(*add_rule(k.numpy(), y.numpy(), x.numpy(), b.numpy()), sep="\n\n")

# %% [markdown]
# It is not always the rows that are stretched. An axis of length 1 is stretched as well, and an axis that is missing in front.
# %% [markdown] lang="fr"
# Ce ne sont pas toujours les lignes qu'on étire. Un axe de longueur 1 est étiré aussi, et un axe qui manque devant.

# %% predict="04.parts"

# %% [markdown]
# ## 3. The other way round: sums and means
#
# You have seen it in the play: stretching forwards means summing backwards, and **summing forwards means stretching
# backwards**. The two are mirror images. If `y` is the sum of some entries, each entry has the slope 1, and so each gets all
# that arrives at `y`. Half of that rule stands here already.
# %% [markdown] lang="fr"
# ## 3. Dans l'autre sens : sommes et moyennes
#
# Vous l'avez vu dans la lecture : étirer à l'aller, c'est sommer au retour, et **sommer à l'aller, c'est étirer au retour**. L'un
# est le reflet de l'autre. Si `y` est la somme de quelques éléments, chaque élément a la pente 1 : chacun reçoit donc tout ce
# qui arrive à `y`. La moitié de cette règle est déjà là.

# %% exercise="04.axis"

# %% [markdown]
# A mean is a sum, divided by how many there are. What does one entry get then?
# %% [markdown] lang="fr"
# Une moyenne est une somme, divisée par le nombre d'éléments. Que reçoit alors un élément ?

# %% predict="04.mean-part"

# %% exercise="04.mean"

# %% [markdown]
# ## 4. A product of matrices
#
# For numbers the rule of a product is: each factor gets `g` times the other factor. For matrices it is the same, but in a
# matrix product the order counts, and the shapes must fit. That is a help: most products do not fit at all.
#
# Recall: `(n, m) @ (m, k)` gives `(n, k)`. The inner lengths must be equal; they are summed away. `xᵀ` is `x` with its axes
# exchanged: from `(n, m)` to `(m, n)`.
# %% [markdown] lang="fr"
# ## 4. Un produit de matrices
#
# Pour des nombres, la règle d'un produit est : chaque facteur reçoit `g` multiplié par l'autre facteur. Pour des matrices
# c'est pareil, mais dans un produit de matrices l'ordre compte, et les formes doivent convenir. C'est une aide : la plupart
# des produits ne conviennent pas.
#
# Rappel : `(n, m) @ (m, k)` donne `(n, k)`. Les longueurs intérieures doivent être égales ; elles disparaissent dans la
# somme. `xᵀ` est `x` dont les axes sont échangés : de `(n, m)` à `(m, n)`.

# %% predict="04.fit"

# %% exercise="04.matmul"

# %% [markdown]
# ## 5. All of it in one line
#
# This line is the heart of nearly all programs that learn. `x` holds three examples, one in each row, and `t`
# the three right answers. `x @ w + b` is what the program answers; `w` and `b` are to be found. Books write L for the loss, and dL/dw for its gradient with respect to `w`.
# %% [markdown] lang="fr"
# ## 5. Tout en une ligne
#
# Cette ligne est le cœur de presque tous les programmes qui apprennent. `x` contient trois exemples, un par ligne, et
# `t` les trois bonnes réponses. `x @ w + b` est ce que le programme répond ; `w` et `b` sont à trouver. Les livres écrivent L
# pour la perte, et dL/dw pour son gradient par rapport à `w`.

# %% predict="04.line"

# %% [markdown]
# Five cards: a matrix product, a stretched sum, a difference, a square (`Pow`), a mean. You know all five rules. Go through
# the play with the → key, and watch how three rows become none.
# %% [markdown] lang="fr"
# Cinq cartes : un produit de matrices, une somme étirée, une différence, un carré (`Pow`), une moyenne. Vous connaissez
# les cinq règles. Parcourez la lecture avec la touche →, et regardez comment trois lignes disparaissent.

# %%
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
t = tf.constant([[1.0], [2.0], [6.0]])
w = tf.Variable([[1.0], [-1.0]])
b = tf.Variable([0.5])

with tf.GradientTape() as tape:
    loss = tf.reduce_mean((x @ w + b - t)**2)

# %% lang="en" tags=["folded"]
says_line = {
    "part": "The mean: one number is stretched to all rows, and each row gets its share.",
    "part b": "b was stretched over the rows: their axis collapses.",
    "part w": "xᵀ @ g has the shape of w. The rows are summed away here, too.",
}

# %% lang="fr" tags=["folded"]
says_line = {
    "part": "La moyenne : un nombre est étiré à toutes les lignes, et chacune en reçoit sa portion.",
    "part b": "b était étiré sur les lignes : leur axe s'effondre.",
    "part w": "xᵀ @ g a la forme de w. Les lignes disparaissent ici aussi dans la somme.",
}

# %%
play(tape, loss, [w, b], start="play", say=says_line)

# %% [markdown]
# **Change it.** Make `b` a single number, `tf.Variable(0.5)`, and run the cells again. Its gradient stays the same but for
# the shape. Why? Then give `x` and `t` a fourth row. Which shapes in the picture change, and which never do?
# %% [markdown] lang="fr"
# **Changez-le.** Faites de `b` un seul nombre, `tf.Variable(0.5)`, et exécutez de nouveau les cellules. Son gradient
# reste le même, à la forme près. Pourquoi ? Donnez ensuite à `x` et à `t` une quatrième ligne. Quelles formes de l'image
# changent, et lesquelles jamais ?

# %% [markdown]
# ## 6. When stretching goes wrong
#
# Stretching is silent. It also happens where nobody wanted it, and then no error tells you. Here `y` holds three answers, as a
# column, `t` the three right ones, and all three answers are right. Predict: which shape has `e`, and how large is the loss?
# Then run the cell, and step with →.
# %% [markdown] lang="fr"
# ## 6. Quand l'étirement tourne mal
#
# L'étirement est silencieux. Il se produit aussi là où personne n'en voulait, et aucune erreur ne vous le dit. Ici, `y`
# contient trois réponses, en colonne, `t` les trois bonnes, et les trois réponses sont justes. Prédisez : quelle est la forme
# de `e`, et que vaut la perte ? Puis exécutez la cellule, et avancez avec →.

# %% lang="en" tags=["folded"]
says_square = {
    "record card 1": "A column minus a row: both are stretched, into a square. Each answer meets all three right ones.",
}

# %% lang="fr" tags=["folded"]
says_square = {
    "record card 1": "Une colonne moins une ligne : les deux sont étirées, en un carré. Chaque réponse rencontre les trois bonnes.",
}

# %% tags=["answer"]
y = tf.Variable([[1.0], [2.0], [6.0]])
t = tf.constant([1.0, 2.0, 6.0])

with tf.GradientTape() as tape:
    e = y - t
    loss = tf.reduce_mean(e**2)

play(tape, loss, y, say=says_square)

# %% [markdown]
# Nine differences instead of three, so the loss is not 0, and its slopes would spoil answers that are right. (In section 5
# the rows never reached `w` and `b`: they are summed away. And one number gets the same three parts as an array of one.)
#
# Now a whole program with this fault. To try it: `gradients(tf.ones((3, 2)), [[1.0], [-1.0]], [0.5], tf.constant([1.0, 2.0, 6.0]))`.
# %% [markdown] lang="fr"
# Neuf différences au lieu de trois : la perte n'est donc pas 0, et ses pentes gâteraient des réponses justes. (Dans la
# section 5, les lignes n'atteignaient jamais `w` et `b` : elles disparaissent dans la somme. Et un seul nombre reçoit les trois
# mêmes parts qu'un tableau d'un nombre.)
#
# Voici un programme entier avec cette faute. Pour l'essayer :
# `gradients(tf.ones((3, 2)), [[1.0], [-1.0]], [0.5], tf.constant([1.0, 2.0, 6.0]))`.

# %% exercise="04.column"

# %% [markdown]
# ## What you know now
#
# * **What was stretched forwards is summed backwards; what was summed is stretched.** A mean also divides.
# * A gradient has the shape of what it belongs to. This finds rules: for `y = x @ w` only `g @ wᵀ` and `xᵀ @ g` fit.
# * Stretching is silent: a column and a row make a square. When a loss looks wrong, look at the shapes first.
#
# Next: [`gradient` in full](05_gradient_in_full.ipynb): what one can ask of a tape, and what comes back.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * **Ce qui est étiré à l'aller est sommé au retour ; ce qui est sommé est étiré.** Une moyenne divise en plus.
# * Un gradient a la forme de ce à quoi il appartient. Cela fait trouver des règles : pour `y = x @ w`, seuls `g @ wᵀ` et
#   `xᵀ @ g` conviennent.
# * L'étirement est silencieux : une colonne et une ligne font un carré. Quand une perte a l'air fausse, regardez d'abord les
#   formes.
#
# Ensuite : [`gradient` en entier](05_gradient_in_full.ipynb) : ce qu'on peut demander à une bande, et ce qui revient.

# %% [markdown]
# ## Extras: four puzzles
#
# *About 20 minutes, for whoever wants more.* Each operation on arrays has its rule. Find these four, each from one question:
# if one entry of `x` grows a little, what grows in `y`? Each answer is tried against finite differences.
# %% [markdown] lang="fr"
# ## En plus : quatre énigmes
#
# *Environ 20 minutes, pour qui en veut davantage.* Chaque opération sur des tableaux a sa règle. Trouvez ces quatre-là, chacune
# à partir d'une question : si un élément de `x` augmente un peu, qu'est-ce qui augmente dans `y` ? Chaque réponse est comparée
# aux différences finies.

# %% exercise="04.transposed"

# %% exercise="04.cut"

# %% exercise="04.multiplied"

# %% exercise="04.sort"

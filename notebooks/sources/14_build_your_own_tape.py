# %% [markdown]
# # Lesson 14: Build your own tape
#
# *About 35 minutes, and on another day 40 for arrays, slopes of slopes and a net, with an extra. You know how a tape is played backwards
# (lesson 03), and what stretching does (lesson 04).*
#
# > Can I make a tape myself?
#
# You have used a tape for many lessons. Today you write one: first its list, by hand; then `run`, which records; then, from an
# empty cell, the loop that plays it backwards.
#
# First run this cell. Then answer a question about an earlier lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 14 : construire sa propre bande
#
# *Environ 35 minutes, et un autre jour 40 pour des tableaux, des pentes de pentes et un réseau, avec un supplément. Vous savez comment une
# bande se joue à rebours (leçon 03), et ce que fait un étirement (leçon 04).*
#
# > Puis-je faire une bande moi-même ?
#
# Vous vous êtes servi d'une bande pendant bien des leçons. Aujourd'hui, vous en écrivez une : d'abord sa liste, à la main ;
# puis `run`, qui enregistre ; puis, à partir d'une cellule vide, la boucle qui la joue à rebours.
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur une leçon précédente. Ses nombres sont nouveaux à
# chaque fois.

# %%
import numpy as np

import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, lines, play_own

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="14.recall"

# %% [markdown]
# ## 1. A tape is a list
#
# Give each value a number: 0, 1, 2, ... Then one operation is one line of a list: its name, the numbers of its inputs, the
# number of its output, and the values: first those of the inputs, then the result.
#
# `(op, inputs, output, values)`
#
# Here is such a list for `y = x * x + x` at `x = 3`. `x` has the number 0. Nothing else is needed: the player shows any
# such list. Run the cell, click on **Step**, and go on with the → key. Each line of the list becomes a card.
# In the field, such a list is called a *Wengert list*.
# %% [markdown] lang="fr"
# ## 1. Une bande est une liste
#
# Donnez un numéro à chaque valeur : 0, 1, 2, ... Une opération est alors une ligne d'une liste : son nom, les numéros de
# ses entrées, le numéro de sa sortie, et les valeurs : d'abord celles des entrées, puis le résultat.
#
# `(op, inputs, output, values)`
#
# Voici une telle liste pour `y = x * x + x` en `x = 3`. `x` a le numéro 0. Il ne faut rien d'autre : le lecteur montre
# n'importe quelle liste de ce genre. Exécutez la cellule, cliquez sur **Avancer**, et continuez avec la touche →. Chaque ligne de
# la liste devient une carte. Dans le métier, une telle liste s'appelle une *liste de Wengert*.

# %%
entries = [
    ("multiply", (0, 0), 1, (3.0, 3.0, 9.0)),
    ("add", (1, 0), 2, (9.0, 3.0, 12.0)),
]
names = {0: "x", 1: "a", 2: "y"}

play_own(entries, names=names)

# %% exercise="14.list"

# %% [markdown]
# **Your list in the player.** This cell shows what the check looked at, here and after each exercise below. Where a number is
# wrong, the player begins at that place.
# %% [markdown] lang="fr"
# **Votre liste dans le lecteur.** Cette cellule montre ce que la vérification a regardé, ici et après chaque exercice plus
# bas. Si un nombre est faux, le lecteur commence là.

# %% tags=["answer"]
exercise("14.list").play()

# %% [markdown]
# ## 2. A class that writes the list
#
# Nobody writes such lists by hand. `run` does it: it computes an operation, and notes what it did. The beginning of the class is given:
# a table of operations, and two empty lists, one for values and one for entries. The two methods that record are yours.
# %% [markdown] lang="fr"
# ## 2. Une classe qui écrit la liste
#
# Personne n'écrit de telles listes à la main. C'est `run` qui le fait : il calcule une opération, et note ce qu'il a fait. Le
# début de la classe est donné : une table d'opérations et deux listes vides, l'une pour les valeurs, l'autre pour les lignes. Les deux
# méthodes qui enregistrent sont à vous.

# %% exercise="14.run"

# %% tags=["answer"]
exercise("14.run").play()

# %% [markdown]
# The list grows while the program runs, so an `if` or a loop leaves only what was really done. This is called
# *define-by-run*. TensorFlow's `GradientTape` and PyTorch record like this.
#
# ## 3. The way back
#
# The way back is a list, too. One step says which card is played (its place in `entries`), with which adjoint, and which
# part it sends to each input:
#
# `(place, adjoint, parts)`
#
# Places count from 0: place 0 is card 1.
#
# Somebody wrote the steps below by hand, for the list of section 1. They are right, but the answer at the end is not. Before
# you run the cell: which number should stand there instead of 3? The player begins where it goes wrong, and says why.
# %% [markdown] lang="fr"
# La liste grandit pendant que le programme tourne : d'un `if` ou d'une boucle, il ne reste que ce qui a vraiment été fait.
# Cela s'appelle *define-by-run* (défini à l'exécution). La `GradientTape` de TensorFlow et PyTorch enregistrent ainsi.
#
# ## 3. Le retour
#
# Le retour est une liste, lui aussi. Un pas dit quelle carte est jouée (sa place dans `entries`), avec quel adjoint, et
# quelle part elle envoie à chaque entrée :
#
# `(place, adjoint, parts)`
#
# Les places se comptent à partir de 0 : la place 0 est la carte 1.
#
# Quelqu'un a écrit à la main les pas ci-dessous, pour la liste de la section 1. Ils sont justes, mais la réponse à la fin ne
# l'est pas. Avant d'exécuter : quel nombre devrait s'y trouver au lieu de 3 ? Le lecteur commence là où cela se gâte, et dit
# pourquoi.

# %% tags=["answer"]
by_hand = [
    ("multiply", (0, 0), 1, (3.0, 3.0, 9.0)),
    ("add", (1, 0), 2, (9.0, 3.0, 12.0)),
]
steps = [
    (1, 1.0, (1.0, 1.0)),
    (0, 1.0, (3.0, 3.0)),
]
gradients = {0: 3.0}

play_own(by_hand, steps, gradients, names={0: "x", 1: "a", 2: "y"}, start="departure")

# %% [markdown]
# **Change it.** Write the right answer in `gradients`, and run the cell again. Now nothing is wrong. Go to the end, click on
# `x`, and change its number in the Inspector: when `x` grows by 1, by how much does `dy/dx` grow? Then break a part in
# `steps`, or the order of the two steps, and look where the player stops.
# %% [markdown] lang="fr"
# **Changez-le.** Écrivez la bonne réponse dans `gradients`, et exécutez de nouveau la cellule. Plus rien n'est faux. Allez à la
# fin, cliquez sur `x`, et changez son nombre dans l'inspecteur : quand `x` augmente de 1, de combien `dy/dx` augmente-t-il ?
# Puis cassez une part dans `steps`, ou l'ordre des deux pas, et regardez où le lecteur s'arrête.

# %% predict="14.diamond"

# %% [markdown]
# How does one walk the list? Somebody proposes a function that plays a card, and calls itself for the card before. For two
# cards that works. For many?
# %% [markdown] lang="fr"
# Comment parcourir la liste ? Quelqu'un propose une fonction qui joue une carte, et s'appelle elle-même pour la carte
# précédente. Pour deux cartes, cela marche. Pour beaucoup ?

# %% predict="14.cards"

# %% [markdown]
# Training programs easily have ten thousand cards. So walk over the list with a loop, and think about its direction.
#
# Now it is your turn. If you change your `Recorder` later, run the cells of the classes below it again: they are built on it.
# %% [markdown] lang="fr"
# Un programme d'entraînement a facilement dix mille cartes. Parcourez donc la liste avec une boucle, et pensez à sa direction.
#
# À vous. Si vous changez plus tard votre `Recorder`, exécutez de nouveau les cellules des classes plus bas : elles reposent
# sur lui.

# %% exercise="14.numbers"

# %% tags=["answer"]
exercise("14.numbers").play()

# %% [markdown]
# What you have now is called *reverse-mode automatic differentiation*: not a formula for the slope, and not an estimate, but
# the program itself, played backwards.
#
# ## What you know now
#
# * A tape is a list of operations. Recording writes it; a loop walks it from its end, and adds where parts meet.
# * Each operation needs one rule for each input.
# * Can I make a tape myself? **Yes: a list, a table of rules, and a loop from the end that adds.**
#
# Next: [other engines](15_other_engines.ipynb), lesson 15. What changes when the program is known before it runs?
#
# ## Another day: a net on your tape
#
# *About 40 minutes, for whoever wants more. Save the notebook now; when you go on, run the cells of your two classes again.*
#
# ### Arrays
#
# With arrays, your loop stays as it is. Two things are new. There are more rules. And a part may come back too large: if `b`
# was stretched over four rows, four parts come back, one from each row. You know from the first question what happens to them.
# %% [markdown] lang="fr"
# Ce que vous avez là s'appelle la *différentiation automatique en mode inverse* : ni formule de la pente, ni estimation, mais
# le programme lui-même, joué à rebours.
#
# ## Ce que vous savez maintenant
#
# * Une bande est une liste d'opérations. L'enregistrement l'écrit ; une boucle la parcourt depuis sa fin, et additionne là où
#   des parts se rencontrent.
# * Chaque opération a besoin d'une règle par entrée.
# * Puis-je faire une bande moi-même ? **Oui : une liste, une table de règles, et une boucle depuis la fin, qui additionne.**
#
# Ensuite : [d'autres moteurs](15_other_engines.ipynb), leçon 15. Qu'est-ce qui change quand le programme est connu
# avant d'être exécuté ?
#
# ## Un autre jour : un réseau sur votre bande
#
# *Environ 40 minutes, pour qui en veut davantage. Enregistrez maintenant le carnet ; pour continuer, exécutez de nouveau les
# cellules de vos deux classes.*
#
# ### Des tableaux
#
# Avec des tableaux, votre boucle reste comme elle est. Deux choses sont nouvelles. Il y a plus de règles. Et une part peut
# revenir trop grande : si `b` a été étiré sur quatre lignes, quatre parts reviennent, une de chaque ligne. La première question
# vous a montré ce qu'elles deviennent.

# %% exercise="14.arrays"

# %% tags=["answer"]
exercise("14.arrays").play()

# %% [markdown]
# ### A slope of a slope
#
# Ask your tape for the slope of a slope, and it has no answer: its rules compute with `*` and `np.cos`, and nobody
# writes that down. The remedy is one idea: **the rules themselves use `run`**. Then the way back is on the tape, like
# any program, and can be played.
#
# You need lesson 10. The net comes after it and does not build on it: you may go there first.
# %% [markdown] lang="fr"
# ### Une pente de pente
#
# Demandez à votre bande la pente d'une pente : elle n'a pas de réponse. Ses règles calculent avec `*` et `np.cos`, et
# personne ne le note. Le remède est une seule idée : **les règles elles-mêmes se servent de `run`**. Le retour est alors sur
# la bande, comme n'importe quel programme, et peut être joué.
#
# Il vous faut la leçon 10. Le réseau vient après et n'en dépend pas : vous pouvez y aller d'abord.

# %% exercise="14.nesting"

# %% [markdown]
# If it is right, the cell below shows the guide's program for higher derivatives, with `x * x * x` for `x**3`. The first two
# cards are the program. All the others were recorded while your tape was played for the first time. Guess how
# many there are, then count.
# %% [markdown] lang="fr"
# Si elle est juste, la cellule ci-dessous montre le programme du guide sur les dérivées d'ordre supérieur, avec `x * x * x`
# pour `x**3`. Les deux premières cartes sont le programme. Toutes les autres ont été enregistrées pendant que votre bande
# était jouée pour la première fois. Devinez combien il y en a, puis comptez.

# %% tags=["answer"]
exercise("14.nesting").play()

# %% [markdown]
# ### A net learns on your tape
#
# `ArrayTape` has all that a net needs. Write a step of training, from an empty cell.
# %% [markdown] lang="fr"
# ### Un réseau apprend sur votre bande
#
# `ArrayTape` a tout ce qu'il faut à un réseau. Écrivez un pas d'entraînement, à partir d'une cellule vide.

# %% exercise="14.net"

# %% [markdown]
# The net shall learn "one or the other, but not both": for (0, 0) and (1, 1) the answer is 0, for (0, 1) and (1, 0) it is 1.
# This is called *XOR*. Once your step is right, the next cell takes it 300 times, and the one below it draws the loss. For a
# long while the loss stays near 0.25. What does the net answer then? Guess, run both cells, and compare.
# %% [markdown] lang="fr"
# Le réseau doit apprendre « l'un ou l'autre, mais pas les deux » : pour (0, 0) et (1, 1), la réponse est 0 ; pour (0, 1) et
# (1, 0), c'est 1. Cela s'appelle *XOR*, le ou exclusif. Dès que votre pas est juste, la cellule suivante le fait 300 fois, et
# celle d'en dessous trace la perte. Longtemps, la perte reste près de 0.25. Que répond alors le réseau ? Devinez, exécutez
# les deux cellules, et comparez.

# %% tags=["answer"]
x, t = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([[0.0], [1], [1], [0]])
chance = np.random.default_rng(0)
weights = [chance.normal(size=(2, 2)), np.zeros(2), chance.normal(size=(2, 1)), np.zeros(1)]


def answers(w1, b1, w2, b2):
    return np.round(np.sin(x @ w1 + b1) @ w2 + b2, 2).ravel().tolist()


losses, written = [], step(x, t, *weights, rate=0.3) is not ...
for k in range(300 if written else 0):
    if k in (0, 100):
        print(k, answers(*weights))
    loss, *weights = step(x, t, *weights, rate=0.3)
    losses.append(loss)
print(300, answers(*weights)) if written else None

# %% tags=["answer"]
lines({"loss": losses}) if losses else exercise("14.net").play()

# %% [markdown]
# **Change it.** Take `sin` out of `loss_of` and out of `answers`, and run the cells again. Two layers without a bend between
# them are one layer: it never gets away from 0.5.
#
# Here is a step of that net on your tape. Find the value to which the most parts come.
# %% [markdown] lang="fr"
# **Changez-le.** Enlevez `sin` de `loss_of` et de `answers`, et exécutez de nouveau les cellules. Deux couches sans
# courbure entre elles n'en font qu'une : elle ne quitte jamais 0.5.
#
# Voici un pas de ce réseau sur votre bande. Trouvez la valeur à laquelle arrivent le plus de parts.

# %% tags=["answer"]
if written:
    tape = ArrayTape()
    numbers = [tape.source(value) for value in (x, -t, *weights)]
    loss = loss_of(tape.run, *numbers)
    gradients = dict(zip(numbers[2:], tape.gradient(loss, numbers[2:])))
    names = dict(zip([*numbers, loss], ["x", "minus_t", "w1", "b1", "w2", "b2", "loss"]))
    shown = play_own(tape.entries, tape.steps, gradients, target=loss, names=names)
shown if written else exercise("14.net").play()

# %% [markdown]
# So a stretching is undone by a sum, and **a net learns on a tape of about a page, which you wrote.** All the rest makes it fast,
# safe, and friendly.
# %% [markdown] lang="fr"
# Un étirement se défait donc par une somme, et **un réseau apprend sur une bande d'environ une page, que vous avez écrite.** Tout
# le reste la rend rapide, sûre et agréable.

# %% [markdown]
# ## Extra: a tape on one page
#
# `minitape.one_page` is a complete tape in about a hundred lines. It does what your classes do, all at once, and it
# records only what is watched. Here are two programs of TensorFlow's guide on that page, beside the finished `GradientTape`.
# The page has no mean: there, `y` has two numbers, so their sum is divided by 2. Before you run it: will the numbers be the
# same?
# %% [markdown] lang="fr"
# ## Supplément : une bande sur une page
#
# `minitape.one_page` est une bande complète en une centaine de lignes. Elle fait ce que font vos classes, toutes à la
# fois, et n'enregistre que ce qui est suivi. Voici deux programmes du guide de TensorFlow sur cette page, à côté de la
# `GradientTape` finie. La page n'a pas de moyenne : `y` y a deux nombres, dont la somme est donc divisée par 2. Avant
# d'exécuter : les nombres seront-ils les mêmes ?

# %% tags=["answer"]
from minitape import one_page


def layer_on_the_page(x, w, b):
    x, w, b = one_page.Tensor(x), one_page.Tensor(w), one_page.Tensor(b)
    with one_page.Tape() as tape:
        tape.watch(w)
        tape.watch(b)
        y = x @ w + b
        loss = one_page.run("sum_to", y * y, shape=()) / 2.0
    return [g.value for g in tape.gradient(loss, [w, b])]


def layer_finished(x, w, b):
    w, b = tf.Variable(w), tf.Variable(b)
    with tf.GradientTape() as tape:
        y = x @ w + b
        loss = tf.reduce_mean(y**2)
    return [g.numpy() for g in tape.gradient(loss, [w, b])]


def bend_on_the_page(x):
    x = one_page.Tensor(x)
    with one_page.Tape() as outer, one_page.Tape() as inner:
        outer.watch(x)
        inner.watch(x)
        y = x * x * x
        slope = inner.gradient(y, [x])[0]
    return outer.gradient(slope, [x])[0].value


numbers = np.float32([[1, 2, 3]]), np.float32([[1, -2], [3, 1], [-1, 2]]), np.float32([0, 0])
for page, finished in zip(layer_on_the_page(*numbers), layer_finished(*numbers)):
    print(page.tolist(), finished.tolist())
print("x = 2, 6 * x:", bend_on_the_page(2.0))

# %% [markdown]
# Now open it beside yours. Find four things in it: your loop from the end, the place where parts are added, where a
# stretching is undone, and why `run` appears in the rules.
# %% [markdown] lang="fr"
# Maintenant, ouvrez-la à côté de la vôtre. Trouvez-y quatre choses : votre boucle depuis la fin, l'endroit où les parts
# s'additionnent, où un étirement est défait, et pourquoi `run` apparaît dans les règles.

# %%
import inspect

print(inspect.getsource(one_page.Tape))
text = inspect.getsource(one_page)
print(text[text.index("# The table") : text.index("class Tape")])

# %% [markdown]
# # Lesson 14: Build your own tape
#
# *About 40 minutes. You know how a tape is played backwards (lesson 03), what stretching does (lesson 04), and what the
# slope of a slope is (lesson 10).*
#
# You have used a tape for many lessons. Today you write one, in three parts: for numbers, for arrays, and one that
# records its own way back.
#
# > Can I make a tape myself?
#
# First run this cell. Then answer a question about an earlier lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 14 : construire sa propre bande
#
# *Environ 40 minutes. Vous savez comment une bande se joue à rebours (leçon 03), ce que fait un étirement (leçon 04), et ce
# qu'est la pente d'une pente (leçon 10).*
#
# Vous vous êtes servi d'une bande pendant bien des leçons. Aujourd'hui, vous en écrivez une, en trois parties : pour des
# nombres, pour des tableaux, et une qui enregistre son propre retour.
#
# > Puis-je faire une bande moi-même ?
#
# Exécutez d'abord cette cellule. Répondez ensuite à une question sur une leçon précédente. Ses nombres sont nouveaux à
# chaque fois.

# %%
import inspect

import numpy as np

import minitape as tf
from minitape import one_page
from minitape.exercises import exercise
from minitape_widgets import ask, play_own

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
# la liste devient une carte.

# %%
entries = [
    ("multiply", (0, 0), 1, (3.0, 3.0, 9.0)),
    ("add", (1, 0), 2, (9.0, 3.0, 12.0)),
]
names = {0: "x", 1: "a", 2: "y"}

play_own(entries, names=names)

# %% [markdown]
# The way back is a list, too. One step says which card is played (its place in `entries`), with which adjoint, and which
# part it sends to each input:
#
# `(place, adjoint, parts)`
#
# Somebody wrote the steps below by hand. They are right, but the answer at the end is not. Before you run the cell:
# which number should stand there instead of 3? The player begins where it goes wrong, and says why.
# %% [markdown] lang="fr"
# Le retour est une liste, lui aussi. Un pas dit quelle carte est jouée (sa place dans `entries`), avec quel adjoint, et
# quelle part elle envoie à chaque entrée :
#
# `(place, adjoint, parts)`
#
# Quelqu'un a écrit à la main les pas ci-dessous. Ils sont justes, mais la réponse à la fin ne l'est pas. Avant d'exécuter :
# quel nombre devrait s'y trouver au lieu de 3 ? Le lecteur commence là où cela se gâte, et dit pourquoi.

# %% tags=["answer"]
steps = [
    (1, 1.0, (1.0, 1.0)),
    (0, 1.0, (3.0, 3.0)),
]
gradients = {0: 3.0}

play_own(entries, steps, gradients, names=names, start="departure")

# %% [markdown]
# **Take hold of a number.** Write the right answer in `gradients`, and run the cell again. Now nothing is wrong, and
# the play begins at the start. Go to its end, click on `x`, and change its number in the Inspector. Watch `dy/dx`: when `x`
# grows by 1, by how much does it grow?
#
# Then break the list yourself. Change one part in `steps`, or the order of the two steps, and look where
# the player stops.
# %% [markdown] lang="fr"
# **Prenez un nombre en main.** Écrivez la bonne réponse dans `gradients`, et exécutez de nouveau la cellule. Plus rien n'est
# faux, et la lecture commence au début. Allez à sa fin, cliquez sur `x`, et changez son nombre dans l'inspecteur.
# Regardez `dy/dx` : quand `x` augmente de 1, de combien augmente-t-il ?
#
# Puis cassez la liste vous-même. Changez une part dans `steps`, ou l'ordre des deux pas, et regardez où le lecteur
# s'arrête.

# %% predict="14.diamond"

# %% [markdown]
# ## 2. Let a program write the list
#
# Nobody writes such lists by hand. This class writes the first one: `run` computes an operation, gives the result a
# number, and notes what it did. That is all of recording.
# %% [markdown] lang="fr"
# ## 2. Un programme écrit la liste
#
# Personne n'écrit de telles listes à la main. Cette classe écrit la première : `run` calcule une opération, donne un
# numéro au résultat, et note ce qu'il a fait. C'est là tout l'enregistrement.

# %%
class Recorder:
    COMPUTE = {"add": np.add, "multiply": np.multiply, "sin": np.sin}

    def __init__(self):
        self.values, self.entries = [], []

    def source(self, value):
        self.values.append(value)
        return len(self.values) - 1

    def run(self, op, *inputs):
        numbers = [self.values[n] for n in inputs]
        y = self.COMPUTE[op](*numbers)
        output = self.source(y)
        self.entries.append((op, inputs, output, (*numbers, y)))
        return output


recorder = Recorder()
x = recorder.source(3.0)
a = recorder.run("multiply", x, x)
y = recorder.run("sin", a)
z = recorder.run("add", y, a)

play_own(recorder.entries, names={x: "x", a: "a", y: "y", z: "z"})

# %% [markdown]
# **Change it.** Add one more line with `recorder.run`, and guess the new card before you run the cell.
#
# What is missing is the way back. How does one walk it? Somebody proposes a function that plays a card, and calls itself
# for the card before. For two cards that works. For many?
# %% [markdown] lang="fr"
# **Changez-le.** Ajoutez une ligne avec `recorder.run`, et devinez la nouvelle carte avant d'exécuter.
#
# Il manque le retour. Comment le parcourir ? Quelqu'un propose une fonction qui joue une carte, et s'appelle elle-même pour
# la carte précédente. Pour deux cartes, cela marche. Pour beaucoup ?

# %% predict="14.cards"

# %% [markdown]
# Training programs easily have ten thousand cards. So walk over the list with a loop, and think about its direction.
#
# Now it is your turn. Your tape is tried on five programs, each harder than the one before. Where it leaves the right way,
# you get the place, and its picture. There, a value without a name is called by what made it: `sin(a)`.
# %% [markdown] lang="fr"
# Un programme d'entraînement a facilement dix mille cartes. Parcourez donc la liste avec une boucle, et pensez à sa
# direction.
#
# À vous. Votre bande est essayée sur cinq programmes, chacun plus difficile que le précédent. Là où elle quitte le bon
# chemin, vous recevez l'endroit, et son image. Une valeur sans nom y porte le nom de ce qui l'a faite : `sin(a)`.

# %% exercise="14.numbers"

# %% [markdown]
# **Your tape in the player.** Run this cell after each change. If your tape is not right yet, the player
# shows what *it* did, and begins at the place where it leaves the right way. If it is right, step through a program that
# uses a result twice: watch where two parts meet.
# %% [markdown] lang="fr"
# **Votre bande dans le lecteur.** Exécutez cette cellule après chaque changement. Si votre bande n'est pas encore juste,
# le lecteur montre ce qu'*elle* a fait, et commence à l'endroit où elle quitte le bon chemin. Si elle est juste, avancez
# dans un programme qui se sert deux fois d'un résultat : regardez où deux parts se rencontrent.

# %% tags=["answer"]
tried = exercise("14.numbers").try_out(NumberTape)
tried.play() if tried.board else tried

# %% [markdown]
# ## 3. Arrays
#
# With arrays, the loop stays as it is. Two things are new. There are more rules. And a part may come back too
# large: if `b` was stretched over four rows, four parts come back, one from each row. You know from
# the first question what happens to them.
# %% [markdown] lang="fr"
# ## 3. Des tableaux
#
# Avec des tableaux, la boucle reste comme elle est. Deux choses sont nouvelles. Il y a plus de règles. Et une part peut
# revenir trop grande : si `b` a été étiré sur quatre lignes, quatre parts reviennent, une de chaque ligne. La première
# question vous a montré ce qu'elles deviennent.

# %% exercise="14.arrays"

# %% tags=["answer"]
tried = exercise("14.arrays").try_out(ArrayTape)
tried.play() if tried.board else tried

# %% [markdown]
# Once your tape is right, you see a layer here: `y = x @ w + b`, and the mean of `y * y`. It is the second program of
# TensorFlow's guide to gradients, with other numbers. Three things differ. The guide writes `y**2`, and your tape has no
# powers. There, `w` and `b` are variables, and only they are watched; your tape records everything, so `x` gets a gradient,
# too. And TensorFlow computes with 32 bits for a number, NumPy here with 64.
#
# ## 4. A slope of a slope
#
# Ask your tape for the slope of a slope, and it has no answer: its rules compute with `*` and `np.cos`, and nobody
# writes that down. The remedy is one idea: **the rules themselves use `run`**. Then the way back is on the tape, like
# any program, and can be played.
#
# Why this part, and not variables or persistent tapes? Those make a tape more comfortable. This one makes it able to do
# something new.
# %% [markdown] lang="fr"
# Une fois votre bande juste, vous voyez ici une couche : `y = x @ w + b`, et la moyenne de `y * y`. C'est le deuxième
# programme du guide de TensorFlow sur les gradients, avec d'autres nombres. Trois choses diffèrent. Le guide écrit `y**2`, et
# votre bande n'a pas de puissances. Là-bas, `w` et `b` sont des variables, les seules qui soient suivies ; votre bande
# enregistre tout, et `x` reçoit donc aussi un gradient. Et TensorFlow calcule avec 32 bits par nombre, NumPy ici avec 64.
#
# ## 4. Une pente de pente
#
# Demandez à votre bande la pente d'une pente : elle n'a pas de réponse. Ses règles calculent avec `*` et `np.cos`, et
# personne ne le note. Le remède est une seule idée : **les règles elles-mêmes se servent de `run`**. Le retour est alors sur
# la bande, comme n'importe quel programme, et peut être joué.
#
# Pourquoi cette partie, et non des variables ou des bandes persistantes ? Celles-ci rendent une bande plus commode.
# Celle-là lui permet quelque chose de nouveau.

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
tried = exercise("14.nesting").try_out(NestedTape)
tried.play() if tried.board else tried

# %% [markdown]
# ## 5. A tape on one page
#
# `minitape.one_page` is a complete tape in about a hundred lines. It does what your three parts do, all at once, and it
# records only what is watched. Here are the two programs of the guide on that page, beside the finished `GradientTape`.
# The page has no mean: there, `y` has two numbers, so their sum is divided by 2. Before you run it: will the numbers be the
# same?
# %% [markdown] lang="fr"
# ## 5. Une bande sur une page
#
# `minitape.one_page` est une bande complète en une centaine de lignes. Elle fait ce que font vos trois parties, toutes à la
# fois, et n'enregistre que ce qui est suivi. Voici les deux programmes du guide sur cette page, à côté de la
# `GradientTape` finie. La page n'a pas de moyenne : `y` y a deux nombres, dont la somme est donc divisée par 2. Avant
# d'exécuter : les nombres seront-ils les mêmes ?

# %% tags=["answer"]
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
print(inspect.getsource(one_page.Tape))
text = inspect.getsource(one_page)
print(text[text.index("# The table"):text.index("class Tape")])

# %% [markdown]
# ## What you know now
#
# * A tape is a list of operations. Recording writes it; a loop walks it from its end, and adds where parts meet.
# * Each operation needs one rule for each input. A stretching is undone by a sum.
# * If the rules are recorded, too, slopes have slopes.
# * So: **yes, you can make one yourself. It takes about a page.** All the rest makes it fast, safe, and friendly.
#
# Next: [other engines](15_other_engines.ipynb), lesson 15. What changes when the program is known before it runs?
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Une bande est une liste d'opérations. L'enregistrement l'écrit ; une boucle la parcourt depuis sa fin, et additionne là où
#   des parts se rencontrent.
# * Chaque opération a besoin d'une règle par entrée. Un étirement se défait par une somme.
# * Si les règles sont enregistrées aussi, les pentes ont des pentes.
# * Donc : **oui, vous pouvez en faire une vous-même. Il y faut environ une page.** Tout le reste la rend rapide, sûre et
#   agréable.
#
# Ensuite : [d'autres moteurs](15_other_engines.ipynb), leçon 15. Qu'est-ce qui change quand le programme est connu
# avant d'être exécuté ?

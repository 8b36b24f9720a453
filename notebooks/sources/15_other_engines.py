# %% [markdown]
# # Lesson 15: Other engines
#
# *About 40 minutes, a project, and an extra. You know what a tape records, and how it is played backwards.*
#
# A tape learns what your program does while it runs, and begins anew each time: this is called **eager execution**. Other
# engines first write the whole program down, and only then run it.
#
# > What changes when the program is known before it runs?
#
# First run this cell. Then answer a question about an earlier lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 15 : d'autres moteurs
#
# *Environ 40 minutes, un projet et un supplément. Vous savez ce qu'une bande enregistre, et comment elle est jouée à rebours.*
#
# Une bande apprend ce que fait votre programme pendant qu'il s'exécute, et recommence à chaque fois : on appelle cela
# l'**exécution immédiate** (*eager execution*). D'autres moteurs écrivent d'abord tout le programme, et ne l'exécutent
# qu'ensuite.
#
# > Qu'est-ce qui change quand le programme est connu avant de s'exécuter ?
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur une leçon précédente. Ses nombres sont nouveaux à
# chaque fois.

# %%
import time

import numpy as np

import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, play, play_program

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="15.recall"

# %% [markdown]
# ## 1. Run once, keep the list
#
# `@tf.function` stands above a function. At the first call Python runs through the function, and every operation is
# written down in a list. From then on, a call runs this list. Writing the list is called a **trace**.
# %% [markdown] lang="fr"
# ## 1. Exécuter une fois, garder la liste
#
# `@tf.function` se place au-dessus d'une fonction. Au premier appel, Python parcourt la fonction, et chaque
# opération est écrite dans une liste. Ensuite, un appel exécute cette liste. Écrire la liste s'appelle une **trace**
# (*trace*).

# %% predict="15.prints"

# %% [markdown]
# What was kept? Ask for it with `source()`. It is ordinary NumPy code, with your names in it. Before you run the cell: which
# line of the function will have none in the list?
# %% [markdown] lang="fr"
# Qu'est-ce qui a été gardé ? Demandez-le avec `source()`. C'est du code NumPy ordinaire, avec vos noms. Avant d'exécuter la
# cellule : quelle ligne de la fonction n'aura pas la sienne dans la liste ?

# %% tags=["answer"]
w = tf.Variable([[0.5], [-0.3]], name="w")
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
t = tf.constant([[1.0], [0.0], [1.0]])


@tf.function
def loss_of(x, t):
    print("Python")
    y = tf.tanh(x @ w)
    return tf.reduce_sum((y - t) ** 2)


loss_of(x, t)
print(loss_of.source())

# %% [markdown]
# One line for each operation. There is no `print`, and nothing is decided any more. Such a list is called a **static
# graph**.
#
# ## 2. A gradient is a program, too
#
# Now the tape stands inside of the function, and it is played there. The trace listens to the play as well. So the
# list has two parts: the way forward, and the way back.
#
# The way forward has five lines. Before you run the cell: how many will the way back have, and which cards have none?
#
# Then step. Above is the program, below the tape. Each act marks its line. Click on a line, and its card
# is marked. Choose a card on the tape, and its lines are marked: one forwards and, further down, those of its way back.
# %% [markdown] lang="fr"
# Une ligne par opération. Il n'y a pas de `print`, et plus rien n'est à décider. Une telle liste s'appelle un **graphe
# statique** (*static graph*).
#
# ## 2. Un gradient est aussi un programme
#
# Maintenant, la bande est dans la fonction, et elle y est jouée. La trace écoute aussi la lecture. La liste a donc deux
# parties : l'aller et le retour.
#
# L'aller a cinq lignes. Avant d'exécuter la cellule : combien le retour en aura-t-il, et quelles cartes n'en ont aucune ?
#
# Puis avancez. En haut se trouve le programme, en bas la bande. Chaque acte marque sa ligne. Cliquez
# sur une ligne : sa carte est marquée. Choisissez une carte sur la bande : ses lignes sont marquées, une pour l'aller et,
# plus bas, celles de son retour.

# %% lang="en" tags=["folded"]
says = {
    "record": "One card, one line. t1 is the name of a value that has none in your code.",
    "play": "From here on the tape is played backwards. The way back has five lines, too.",
    "visit card 2": "The rule of tanh costs three lines. d_y is the adjoint of y.",
    "end": "The gradient is the line d_w. Run as a program, it needs no tape.",
}

# %% lang="fr" tags=["folded"]
says = {
    "record": "Une carte, une ligne. t1 est le nom d'une valeur qui n'en a pas dans votre code.",
    "play": "À partir d'ici, la bande est jouée à rebours. Le retour a cinq lignes, lui aussi.",
    "visit card 2": "La règle de tanh coûte trois lignes. d_y est l'adjoint de y.",
    "end": "Le gradient est la ligne d_w. Pour le calculer, le programme n'a pas besoin de bande.",
}

# %% tags=["answer"]
@tf.function
def slope_of(x, t):
    with tf.GradientTape() as tape:
        y = tf.tanh(x @ w)
        loss = tf.reduce_sum((y - t) ** 2)
    return loss, tape.gradient(loss, w)


play_program(slope_of, x, t, hide="graph", say=says)

# %% [markdown]
# Some cards have no line on the way back. The last one, the sum, gives the adjoint 1 to each of its inputs: nothing has
# to be computed.
#
# **Take hold of a number.** Go to the end, choose card 1, click on `w` in the Inspector, and change one of its numbers.
# Watch the cards, and watch the program. Which of them changes?
#
# **Write your own.** In the next cell, put two or three lines of your own where `y = a * a` stands: with `a`, and with
# functions such as `tf.sin` or `tf.exp`. Before you run it: how many lines will your way back have?
# %% [markdown] lang="fr"
# Certaines cartes n'ont pas de ligne au retour. La dernière, la somme, donne l'adjoint 1 à chacune de ses entrées : il
# n'y a rien à calculer.
#
# **Prenez un nombre en main.** Allez à la fin, choisissez la carte 1, cliquez sur `w` dans l'inspecteur, et changez un de
# ses nombres. Regardez les cartes, et regardez le programme. Qu'est-ce qui change ?
#
# **Écrivez le vôtre.** Dans la cellule suivante, mettez deux ou trois lignes à vous là où se trouve `y = a * a` : avec `a`,
# et avec des fonctions comme `tf.sin` ou `tf.exp`. Avant d'exécuter : combien de lignes aura votre retour ?

# %% tags=["answer"]
@tf.function
def own(a):
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = a * a
    return y, tape.gradient(y, a)


play_program(own, tf.constant(3.0), hide="graph")

# %% [markdown]
# ## 3. Without a tape
#
# The first TensorFlow had no tape. One built the whole graph, then asked `tf.gradients(loss, w)` for the way back, which
# was added to the graph. Only then the graph was given numbers, and run, by a call of `session.run`. Inside of a
# `tf.function` this question can still be asked, because there the graph is known.
# %% [markdown] lang="fr"
# ## 3. Sans bande
#
# Le premier TensorFlow n'avait pas de bande. On construisait tout le graphe, puis on demandait le retour à
# `tf.gradients(loss, w)`, qui l'ajoutait au graphe. Alors seulement on donnait des nombres au graphe, et on l'exécutait,
# par un appel de `session.run`. Dans une `tf.function`, on peut encore poser cette question, car le graphe y est connu.

# %% exercise="15.graph"

# %% [markdown]
# Here is the same gradient in three ways. A **tape**; a **graph** with `tf.gradients`; and a **traced tape**. In each
# way the function leaves a mark whenever Python runs. Before you run the cell: for which of the three does Python run
# each time? Which is the slowest? (A line shows the gradient, the microseconds of a call, and in how many of 200 calls
# Python ran.)
# %% [markdown] lang="fr"
# Voici le même gradient de trois façons. Une **bande** ; un **graphe** avec `tf.gradients` ; et une **bande tracée**. À
# chaque fois, la fonction laisse une marque quand Python s'exécute. Avant d'exécuter la cellule : pour laquelle des trois
# Python s'exécute-t-il à chaque fois ? Laquelle est la plus lente ? (Une ligne montre le gradient, les microsecondes d'un
# appel, et dans combien de 200 appels Python s'est exécuté.)

# %% tags=["answer"]
ran = []


def by_tape(x, t):
    ran.append("tape")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.tanh(x @ w) - t) ** 2)
    return tape.gradient(loss, w)


def by_graph(x, t):
    ran.append("graph")
    loss = tf.reduce_sum((tf.tanh(x @ w) - t) ** 2)
    return tf.gradients(loss, w)[0]


ways = {"tape": by_tape, "graph": tf.function(by_graph), "traced tape": tf.function(by_tape)}
for name, f in ways.items():
    f(x, t)
    ran.clear()
    start = time.perf_counter()
    for _ in range(200):
        g = f(x, t)
    µs = (time.perf_counter() - start) / 200 * 1e6
    print(f"{name}: {g.numpy().ravel()}, {µs:.0f} µs, Python {len(ran)}/200")

# %% [markdown]
# The numbers agree: the rules are the same, and so is the order. What differs is *when* the list is written. The tape
# writes its list at each call. The other two wrote it once.
#
# ## 4. What the list cannot keep
#
# A list has no branches. Before you run this: what will happen?
# %% [markdown] lang="fr"
# Les nombres sont les mêmes : les règles sont les mêmes, et l'ordre aussi. Ce qui diffère, c'est *quand* la liste est
# écrite. La bande écrit sa liste à chaque appel. Les deux autres l'ont écrite une fois.
#
# ## 4. Ce que la liste ne peut pas garder
#
# Une liste n'a pas de branches. Avant d'exécuter : que va-t-il se passer ?

# %% tags=["answer"]
@tf.function
def absolute(x):
    if tf.reduce_sum(x) > 0.0:
        return x
    return -x


try:
    absolute(tf.constant([-1.0, -2.0]))
except TypeError as error:
    print(error)

# %% [markdown]
# The trace would have to keep *one* branch for all later numbers. That would be wrong without a sound, so it is
# refused, with the line. (*Symbolic* means: while the list is written, a tensor stands for a number that is not there yet.)
#
# `tf.where(x > 0.0, x, -x)` is the way out, because it is an operation. (TensorFlow rewrites such an `if` into an operation
# by itself, where it can. That is its *AutoGraph*; minitape has none.)
#
# A shape is known when the list is written. What happens with another shape?
# %% [markdown] lang="fr"
# La trace devrait garder *une* branche pour tous les nombres à venir. Ce serait faux sans que rien ne le dise : elle est
# donc refusée, avec la ligne. (*Symbolic* veut dire : pendant que la liste s'écrit, un tenseur tient la place d'un nombre
# qui n'est pas encore là.)
#
# `tf.where(x > 0.0, x, -x)` est la solution, car c'est une opération. (TensorFlow récrit de lui-même un tel `if` en une
# opération, là où il le peut. C'est son *AutoGraph* ; minitape n'en a pas.)
#
# Une forme est connue quand la liste est écrite. Que se passe-t-il avec une autre forme ?

# %% predict="15.traces"

# %% [markdown]
# A Python number is no tensor. It may decide an `if`, or the length of a loop.
# %% [markdown] lang="fr"
# Un nombre Python n'est pas un tenseur. Il peut décider d'un `if`, ou de la longueur d'une boucle.

# %% predict="15.numbers"

# %% [markdown]
# In a training loop that can cost more than it saves. Repair one:
# %% [markdown] lang="fr"
# Dans une boucle d'entraînement, cela peut coûter plus que cela ne rapporte. Réparez-en une :

# %% exercise="15.loop"

# %% [markdown]
# ## 5. An engine that adds
#
# **PyTorch** records while the program runs, too. But there is no tape to be asked: `loss.backward()` plays, and *adds* what
# it finds to a place beside each weight, `w.grad`. Here is the same with a tape:
# %% [markdown] lang="fr"
# ## 5. Un moteur qui ajoute
#
# **PyTorch** enregistre, lui aussi, pendant que le programme s'exécute. Mais il n'y a pas de bande à interroger :
# `loss.backward()` joue, et *ajoute* ce qu'il trouve à une place à côté de chaque poids, `w.grad`. Voici la même chose avec
# une bande :

# %% predict="15.gathered"

# %% [markdown]
# Sometimes that is just what one wants: a batch that is too large for the memory is taken in pieces, and the slopes of the
# pieces add up. This is called **gradient accumulation**. But who forgets to empty the place before the next step goes a
# wrong way, without any error. ([The same in PyTorch](in_pytorch.ipynb) is an extra about
# this engine, with a gallery of its surprises.) Repair it:
# %% [markdown] lang="fr"
# Parfois, c'est justement ce qu'on veut : un lot trop grand pour la mémoire est pris par morceaux, et les pentes des
# morceaux s'additionnent. Cela s'appelle l'**accumulation de gradients**. Mais qui oublie de vider la place avant le pas
# suivant prend un mauvais chemin, sans aucune erreur. ([La même chose en PyTorch](in_pytorch.ipynb) est un
# supplément sur ce moteur, avec une galerie de ses surprises.) Réparez-le :

# %% exercise="15.zeroed"

# %% [markdown]
# ## 6. Write a way back yourself
#
# Now no tape, and no engine: you write the second half of the list. First one line of it.
# %% [markdown] lang="fr"
# ## 6. Écrire soi-même un retour
#
# Maintenant, ni bande ni moteur : vous écrivez la seconde moitié de la liste. D'abord une seule ligne.

# %% predict="15.line"

# %% [markdown]
# Now the whole way back of another program, from an empty place. It has a division, and a value used twice.
# %% [markdown] lang="fr"
# Et maintenant le retour entier d'un autre programme, à partir d'une place vide. Il a une division, et une valeur qui sert
# deux fois.

# %% exercise="15.back"

# %% [markdown]
# ## What you know now
#
# * When the program is known before it runs, **the way back can be written down once, as a program of its own**: no tape
#   is needed, and your Python code does not run again.
# * The price: no `if` on values, a new trace for each new shape and each new Python number.
# * `tf.gradients` asks a finished graph; a tape makes its list while the code runs; PyTorch adds what it finds to `grad`. The
#   rules and the numbers are the same.
#
# ## Your project
#
# You have all the parts. Train something of your own, and hand in **one page with its tape**. Choose a small question:
# a curve through your own measurements, a game, a picture, two kinds of flowers.
#
# 1. *The model*: at most three layers. Say in one sentence what goes in, and what comes out.
# 2. *The loss*: write down what it is before the training and after it.
# 3. *One step on tape*: save its page, as in the cell below.
# 4. *One sentence about one card*: what it got, and which part it sends back.
# 5. *One thing that went wrong*: what you saw, and how you found it. `tape.explain` and `health_view` help.
#
# A small example: a line through five points. The page works without a network; open it in any browser. (Opened from
# JupyterLab's list of files, it is a still picture: **Trust HTML**, above it, makes it play.) After a
# training inside of `with health_view(model) as seen:` (lesson 09), `health_view(seen).save("my_training.html")` saves the
# whole course of it in the same way.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Quand le programme est connu avant de s'exécuter, **le retour peut être écrit une fois, comme un programme à part** : il
#   n'y a pas besoin de bande, et votre code Python ne s'exécute plus.
# * Le prix : pas de `if` sur des valeurs, une nouvelle trace pour chaque nouvelle forme et chaque nouveau nombre Python.
# * `tf.gradients` interroge un graphe fini ; une bande fait sa liste pendant l'exécution ; PyTorch ajoute ce qu'il trouve à
#   `grad`. Règles et nombres sont les mêmes.
#
# ## Votre projet
#
# Vous avez toutes les pièces. Entraînez quelque chose à vous, et rendez **une seule page, avec sa bande**. Choisissez une
# petite question : une courbe à travers vos propres mesures, un jeu, une image, deux sortes de fleurs.
#
# 1. *Le modèle* : trois couches au plus. Dites en une phrase ce qui entre, et ce qui sort.
# 2. *La perte* : notez ce qu'elle vaut avant l'entraînement, et après.
# 3. *Un pas sur bande* : enregistrez sa page, comme dans la cellule ci-dessous.
# 4. *Une phrase sur une carte* : ce qu'elle a reçu, et quelle part elle renvoie.
# 5. *Une chose qui n'a pas marché* : ce que vous avez vu, et comment vous l'avez trouvée. `tape.explain` et `health_view`
#    aident.
#
# Un petit exemple : une droite par cinq points. La page marche sans réseau ; ouvrez-la dans n'importe quel navigateur.
# (Ouverte depuis la liste des fichiers de JupyterLab, c'est une image fixe : **Trust HTML**, au-dessus, la fait jouer.)
# Après un entraînement dans `with health_view(model) as seen:` (leçon 09), `health_view(seen).save("my_training.html")` en
# enregistre de même tout le déroulement.

# %%
hours = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0])
marks = tf.constant([2.1, 3.9, 6.2, 7.8, 10.1])
a, b = tf.Variable(0.0), tf.Variable(0.0)
losses = []

for step in range(300):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean((a * hours + b - marks) ** 2)
    da, db = tape.gradient(loss, [a, b])
    a.assign_sub(0.02 * da)
    b.assign_sub(0.02 * db)
    losses.append(float(loss))

print(f"loss {losses[0]:.2f} -> {losses[-1]:.3f}, a = {float(a):.2f}, b = {float(b):.2f}")
page = play(tape, loss, [a, b], title="hours and marks").save("my_tape.html")
print(page)

# %% [markdown]
# Next: your own program. What follows is for whoever wants more.
#
# ## Extra: is it faster? Measure
#
# A chain of 1,000 small steps, there and back. With a tape, Python walks from each operation to the next. The program
# has no such way. Before you run the cell: how many times faster will it be?
# %% [markdown] lang="fr"
# Ensuite : votre propre programme. Ce qui suit est pour qui en veut davantage.
#
# ## Supplément : est-ce plus rapide ? Mesurez
#
# Une chaîne de 1 000 petits pas, aller et retour. Avec une bande, Python va de chaque opération à la suivante. Le
# programme n'a pas ce chemin à faire. Avant d'exécuter la cellule : combien de fois sera-t-il plus rapide ?

# %% tags=["answer"]
def measure(f, *args):
    f(*args)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        f(*args)
        times.append(time.perf_counter() - start)
    return f"{min(times) * 1e6:.0f}"


def chain(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(500):
            y = tf.sqrt(y)
            y = y * y
    return tape.gradient(y, x)


start = tf.constant(1.0)
program = tf.function(chain)
print(f"tape {measure(chain, start)} µs, program {measure(program, start)} µs")
print(float(chain(start)) == float(program(start)))

# %% [markdown]
# And large arrays? NumPy walks over a whole array once for every step of a formula; `sigmoid` takes several walks. A loop
# that is compiled by *numba* does all steps in one walk: this is called **fusing**. numba need not be installed: without
# it, the cell says so, and you lose nothing.
#
# Which of these three gains: `x + x`, `sigmoid(x)`, or a product of matrices, `a @ a`? Think of how often each walks over
# its array, and of how much it computes with each number it meets. Then run.
# %% [markdown] lang="fr"
# Et les grands tableaux ? NumPy parcourt tout le tableau une fois par étape d'une formule ; `sigmoid` demande plusieurs
# parcours. Une boucle compilée par *numba* fait toutes les étapes en un seul : cela s'appelle la **fusion**. numba n'a pas
# besoin d'être installé : sans lui, la cellule le dit, et vous ne perdez rien.
#
# Lequel des trois y gagne : `x + x`, `sigmoid(x)`, ou un produit de matrices, `a @ a` ? Pensez au nombre de parcours du
# tableau, et à ce que chacun calcule avec chaque nombre qu'il rencontre. Puis exécutez.

# %% tags=["answer"]
from minitape import jit

numbers = tf.constant(np.linspace(-5, 5, 1_000_000, dtype=np.float32))
matrix = tf.reshape(numbers, [1000, 1000])
works = [lambda: numbers + numbers, lambda: tf.sigmoid(numbers), lambda: matrix @ matrix]
print("        x + x | sigmoid(x) | a @ a, in µs")
print("NumPy: ", *map(measure, works))
if jit.available():
    with jit.enable():
        print("numba: ", *map(measure, works))
else:
    print("numba:  not there")

# %% [markdown]
# A sum is one walk already, so there is nothing to save. With numba, `sigmoid` gains: its walks become one. A large product
# gains nothing from fusing: it computes with each number a thousand times, so its time goes into multiplying and not into
# walking. And NumPy gives it to a library (BLAS) that is made for just that.
# %% [markdown] lang="fr"
# Une somme est déjà un seul parcours : il n'y a rien à gagner. Avec numba, `sigmoid` y gagne : ses parcours n'en font plus
# qu'un. Un grand produit ne gagne rien à la fusion : il calcule mille fois avec chaque nombre ; son temps va donc aux
# multiplications, et non aux parcours. Et NumPy le confie à une bibliothèque (BLAS) faite exactement pour cela.

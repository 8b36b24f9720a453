# %% [markdown]
# # The same in PyTorch
#
# *About 40 minutes. An extra for those who write PyTorch; you need lessons 00 to 07.*
#
# > What is a tape in PyTorch?
#
# You know tapes now. PyTorch does the same and has no tape to hold in your hand. In this lesson each small program stands there twice, and
# you see what is the same, and what has another name.
#
# PyTorch need not be installed: what its programs did is kept. Where it is installed, change them, and run them again.
# %% [markdown] lang="fr"
# # La même chose en PyTorch
#
# *Environ 40 minutes. Un supplément pour ceux qui écrivent en PyTorch ; il vous faut les leçons 00 à 07.*
#
# > Qu'est-ce qu'une bande en PyTorch ?
#
# Vous connaissez les bandes. PyTorch fait la même chose, sans bande que l'on tienne en main. Dans cette leçon, chaque petit programme est là deux
# fois, et vous voyez ce qui est pareil, et ce qui a un autre nom.
#
# PyTorch n'a pas besoin d'être installé : ce que ses programmes ont fait est gardé. Là où il est installé, changez-les, et relancez-les.

# %% lang="en"
import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, compare, pitfalls

both = ["PyTorch", "minitape"]

# %% lang="fr"
import minitape as tf
from minitape.exercises import exercise
from minitape.sentences import set_language
from minitape_widgets import ask, compare, pitfalls

set_language("fr")
both = ["PyTorch", "minitape"]

# %% [markdown]
# ## 1. One program, twice
#
# The next cell has one program in both libraries. In PyTorch nobody opens a block, and nobody asks for a gradient: `y.backward()` plays, and
# what it finds lies in `x.grad`. What will lie there? Decide first.
# %% [markdown] lang="fr"
# ## 1. Un programme, deux fois
#
# La cellule suivante contient un même programme dans les deux bibliothèques. En PyTorch, personne n'ouvre de bloc, et personne ne demande de
# gradient : `y.backward()` joue, et ce qu'il trouve se trouve dans `x.grad`. Qu'y aura-t-il ? Décidez d'abord.

# %% lang="en" tags=["answer", "folded"]
ask(
    "x is 3, and y = x * x + 2 * x. What is `x.grad` after `y.backward()`?",
    8,
    {
        15: "That is y itself. How much does y change if x changes a little?",
        6: "That is the part of x * x. There is another part.",
        2: "That is the part of 2 * x. There is another part.",
    },
    right="6 arrives over x * x and 2 over 2 * x. At x they add up, as on every tape.",
)

# %% lang="fr" tags=["answer", "folded"]
ask(
    "x vaut 3, et y = x * x + 2 * x. Que vaut `x.grad` après `y.backward()` ?",
    8,
    {
        15: "C'est y lui-même. De combien y change-t-il si x change un peu ?",
        6: "C'est la part de x * x. Il y en a une autre.",
        2: "C'est la part de 2 * x. Il y en a une autre.",
    },
    right="6 arrive par x * x, et 2 par 2 * x. En x, elles s'additionnent, comme sur toute bande.",
)

# %% tags=["answer"]
pytorch = """
x = torch.tensor(3.0, requires_grad=True)
y = x * x + 2.0 * x
y.backward()
g = x.grad
"""
minitape = """
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x + 2.0 * x
g = tape.gradient(y, x)
"""
compare(pitfalls.board(pytorch, "torch"), pitfalls.board(minitape), names=both)

# %% [markdown]
# Step through both. The cards, the order, the parts and the sum are the same. PyTorch calls the whole a **graph**: nobody keeps a list, but each
# result knows in its `grad_fn` which operation made it, and from there a way leads back to the operations before.
#
# | minitape, TensorFlow | PyTorch |
# |:--|:--|
# | a tape, from `with` to its use | a graph, recorded always, wherever a tensor wants a gradient |
# | `tf.Variable`, `tape.watch(x)` | `requires_grad=True` |
# | `tape.gradient(y, x)` returns a gradient | `y.backward()` adds it to `x.grad` |
# %% [markdown] lang="fr"
# Avancez dans les deux. Les cartes, l'ordre, les parts et la somme sont les mêmes. PyTorch appelle le tout un **graphe** : personne ne tient de liste,
# mais chaque résultat sait dans son `grad_fn` quelle opération l'a fait, et de là un chemin mène aux opérations d'avant.
#
# | minitape, TensorFlow | PyTorch |
# |:--|:--|
# | une bande, du `with` à son usage | un graphe, enregistré toujours, là où un tenseur veut un gradient |
# | `tf.Variable`, `tape.watch(x)` | `requires_grad=True` |
# | `tape.gradient(y, x)` renvoie un gradient | `y.backward()` l'ajoute à `x.grad` |

# %% [markdown]
# ## 2. Leaves
#
# A tensor that no operation has made is a **leaf**: its `grad_fn` is None. `backward` goes all the way back, but it leaves what it finds only in
# leaves that want it. In the program below, a is made with `requires_grad=True`, b without; h = a * b and y = h + 1 are computed.
# %% [markdown] lang="fr"
# ## 2. Les feuilles
#
# Un tenseur qu'aucune opération n'a fait est une **feuille** : son `grad_fn` vaut None. `backward` fait tout le chemin du retour, mais il ne laisse ce
# qu'il trouve que dans les feuilles qui le veulent. Dans le programme ci-dessous, a est créé avec `requires_grad=True`, b sans ; h = a * b et
# y = h + 1 sont calculés.

# %% lang="en" tags=["answer", "folded"]
ask(
    "Which of a, b, h and y have a `.grad` after `y.backward()`?",
    "a",
    {
        "a and b": "Both are leaves. But did b ask for a gradient?",
        "a and h": "The way leads over h. But h was computed, so it is no leaf.",
        "a, h and y": "Those are all over which the way leads. Which of them are leaves?",
    },
    right="a is a leaf and wants a gradient. What arrives at h goes on; `h.retain_grad()` would keep it.",
    choices=["a and h", "a", "a, h and y", "a and b"],
)

# %% lang="fr" tags=["answer", "folded"]
ask(
    "Lesquels de a, b, h et y ont un `.grad` après `y.backward()` ?",
    "a",
    {
        "a et b": "Tous deux sont des feuilles. Mais b a-t-il demandé un gradient ?",
        "a et h": "Le chemin passe par h. Mais h a été calculé : ce n'est pas une feuille.",
        "a, h et y": "Ce sont tous ceux par lesquels le chemin passe. Lesquels sont des feuilles ?",
    },
    right="a est une feuille et veut un gradient. Ce qui arrive à h continue ; `h.retain_grad()` le garderait.",
    choices=["a et h", "a", "a, h et y", "a et b"],
)

# %% tags=["answer"]
pytorch = """
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(5.0)
h = a * b
y = h + 1.0
y.backward()
g = a.grad
"""
minitape = """
a = tf.Variable(2.0)
b = tf.constant(5.0)
with tf.GradientTape() as tape:
    h = a * b
    y = h + 1.0
g = tape.gradient(y, a)
"""
compare(pitfalls.board(pytorch, "torch"), pitfalls.board(minitape), names=both)

# %% [markdown]
# A tape answers for everything that it knows: `tape.gradient(y, h)` would be 1. PyTorch has to be told before it plays.
#
# ## 3. backward adds
#
# `backward` does not overwrite what lies in `.grad`.
# %% [markdown] lang="fr"
# Une bande répond pour tout ce qu'elle connaît : `tape.gradient(y, h)` donnerait 1. À PyTorch, il faut le dire avant qu'il ne joue.
#
# ## 3. backward ajoute
#
# `backward` n'écrase pas ce qui se trouve dans `.grad`.

# %% lang="en" tags=["answer", "folded"]
ask(
    "w is 3. Two times, loss = w * w is computed, and `loss.backward()` called. What is `w.grad` then?",
    12,
    {
        6: "That is the slope, each time. But the first one still lies there when the second one comes.",
        36: "What lies there is not multiplied.",
        0: "Nobody has cleared it.",
        9: "That is the loss, not its slope.",
    },
    right="6 lay there, and 6 came. In a training loop `optimizer.zero_grad()` clears it, once in each step.",
)

# %% lang="fr" tags=["answer", "folded"]
ask(
    "w vaut 3. Deux fois, loss = w * w est calculé, et `loss.backward()` appelé. Que vaut alors `w.grad` ?",
    12,
    {
        6: "C'est la pente, chaque fois. Mais la première est encore là quand la deuxième arrive.",
        36: "Ce qui s'y trouve n'est pas multiplié.",
        0: "Personne ne l'a vidé.",
        9: "C'est la perte, et non sa pente.",
    },
    right="6 s'y trouvait, et 6 est arrivé. Dans une boucle d'entraînement, `optimizer.zero_grad()` le vide, une fois par pas.",
)

# %% tags=["answer"]
pytorch = """
w = torch.tensor(3.0, requires_grad=True)
for step in range(2):
    loss = w * w
    loss.backward()
g = w.grad
"""
minitape = """
w = tf.Variable(3.0)
g = 0.0
for step in range(2):
    with tf.GradientTape() as tape:
        loss = w * w
    g += tape.gradient(loss, w)
"""
compare(pitfalls.board(pytorch, "torch"), pitfalls.board(minitape), names=both)

# %% [markdown]
# Each play finds 6, in both. Only what becomes of it differs: here we add by hand, there PyTorch does.
#
# **Change it.** In the program of minitape write `g = ` for `g += `. Before you run the cell again: which number is `g` now? And which line in
# front of `loss.backward()` does the same in PyTorch? (Where PyTorch is installed, write it there.)
#
# And now a longer loop, which has such a line, with other numbers for everybody. Answer in your head; where PyTorch is installed, run it afterwards.
# %% [markdown] lang="fr"
# Chaque jeu trouve 6, dans les deux. Seul diffère ce qu'on en fait : ici, nous ajoutons à la main ; là, PyTorch le fait.
#
# **Changez-le.** Dans le programme de minitape, écrivez `g = ` au lieu de `g += `. Avant de relancer la cellule : quel nombre est alors `g` ? Et quelle
# ligne, devant `loss.backward()`, fait la même chose en PyTorch ? (Là où PyTorch est installé, écrivez-la.)
#
# Et maintenant une boucle plus longue, qui a une telle ligne, avec d'autres nombres pour chacun. Répondez de tête ; là où PyTorch est installé, exécutez-la ensuite.

# %% exercise="in_pytorch.cleared"

# %% [markdown]
# ## 4. A graph is played once
#
# A tape is used up by `gradient`, unless it is persistent. And a graph?
# %% [markdown] lang="fr"
# ## 4. Un graphe est joué une fois
#
# Une bande a servi après `gradient`, sauf si elle est persistante. Et un graphe ?

# %% lang="en" tags=["answer", "folded"]
ask(
    "y = x * x. What does a second `y.backward()` do, without computing y anew?",
    "it stops with an error",
    {
        "it adds once more": "So it would be with `retain_graph=True`. What happened to the numbers that were kept?",
        "x.grad becomes None": "`backward` takes nothing away from `x.grad`.",
        "nothing": "It would be hard to notice, if it did nothing.",
    },
    right="The first play lets go of what the operations had kept. A product needs it to go back.",
    choices=["it adds once more", "nothing", "x.grad becomes None", "it stops with an error"],
)

# %% lang="fr" tags=["answer", "folded"]
ask(
    "y = x * x. Que fait un deuxième `y.backward()`, sans recalculer y ?",
    "il s'arrête sur une erreur",
    {
        "il ajoute encore": "Ce serait ainsi avec `retain_graph=True`. Que sont devenus les nombres gardés ?",
        "x.grad devient None": "`backward` n'enlève rien à `x.grad`.",
        "rien": "S'il ne faisait rien, on aurait du mal à le remarquer.",
    },
    right="Le premier jeu rend ce que les opérations avaient gardé. Un produit en a besoin pour revenir.",
    choices=["il ajoute encore", "rien", "x.grad devient None", "il s'arrête sur une erreur"],
)

# %% tags=["answer"]
pytorch = """
x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward()
y.backward()
"""
minitape = """
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
tape.gradient(y, x)
tape.gradient(y, x)
"""
compare(pitfalls.board(pytorch, "torch"), pitfalls.board(minitape), names=both)

# %% [markdown]
# The tape refuses, too: `tape.gradient` raises a second time, and says that `persistent=True` would help.
#
# ## 5. A part without a history
#
# `h.detach()` is the value of h without its history, as `tf.stop_gradient(h)` is. Here one of two factors has none.
# %% [markdown] lang="fr"
# La bande refuse aussi : la deuxième fois, `tape.gradient` lève une erreur, et dit que `persistent=True` aiderait.
#
# ## 5. Une part sans histoire
#
# `h.detach()` est la valeur de h sans son histoire, comme `tf.stop_gradient(h)`. Ici, l'un de deux facteurs n'en a pas.

# %% lang="en" tags=["answer", "folded"]
ask(
    "x is 3, h = x * x, and y = h.detach() * x. What is `x.grad`?",
    9,
    {
        27: "That is the slope of x * x * x. But for `backward` h is a constant here.",
        18: "That is the way over h. Just this one is closed.",
        0: "One factor is closed. There is another way to x.",
        3: "That is x. What is the other factor?",
    },
    right="h is 9, a constant. Only the way over the second factor is open.",
)

# %% lang="fr" tags=["answer", "folded"]
ask(
    "x vaut 3, h = x * x, et y = h.detach() * x. Que vaut `x.grad` ?",
    9,
    {
        27: "C'est la pente de x * x * x. Mais pour `backward`, h est ici une constante.",
        18: "C'est le chemin par h. C'est justement celui qui est fermé.",
        0: "Un facteur est fermé. Il y a un autre chemin vers x.",
        3: "C'est x. Quel est l'autre facteur ?",
    },
    right="h vaut 9, une constante. Seul le chemin par le deuxième facteur est ouvert.",
)

# %% tags=["answer"]
pytorch = """
x = torch.tensor(3.0, requires_grad=True)
h = x * x
y = h.detach() * x
y.backward()
g = x.grad
"""
minitape = """
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    h = x * x
    y = tf.stop_gradient(h) * x
g = tape.gradient(y, x)
"""
compare(pitfalls.board(pytorch, "torch"), pitfalls.board(minitape), names=both)

# %% [markdown]
# ## 6. Without a picture
#
# In a longer program the line that closes a way does not say `detach`.
# %% [markdown] lang="fr"
# ## 6. Sans image
#
# Dans un programme plus long, la ligne qui ferme un chemin ne dit pas `detach`.

# %% exercise="in_pytorch.guilty"

# %% [markdown]
# And what `backward` does with what it finds fits in one line.
# %% [markdown] lang="fr"
# Et ce que `backward` fait de ce qu'il trouve tient en une ligne.

# %% exercise="in_pytorch.backward"

# %% [markdown]
# ## 7. From the one to the other
#
# The last program looks different: it goes on from round to round, and moves its weight once. Leaf, adding, a graph played once, `detach`:
# all of it is there. Say it with a tape, from an empty place. The button below the answer shows your tape.
# %% [markdown] lang="fr"
# ## 7. De l'un à l'autre
#
# Le dernier programme a l'air différent : il continue de tour en tour, et déplace son poids une seule fois. Feuille, addition, graphe joué une
# fois, `detach` : tout y est. Dites-le avec une bande, à partir d'une place vide. Le bouton sous la réponse montre votre bande.

# %% exercise="in_pytorch.translated"

# %% [markdown]
# ## What you know now
#
# What is a tape in PyTorch? **The graph that hangs on a result: each tensor knows which operation made it.**
#
# * `backward` plays it once, from the result to the leaves that want a gradient.
# * What it finds is added to their `.grad`; you clear it.
# * Rules, order and numbers are those of every tape.
#
# A few more names, which your own programs will need:
#
# | minitape, TensorFlow | PyTorch |
# |:--|:--|
# | `tf.stop_gradient(h)` | `h.detach()` |
# | `tape.stop_recording()` | `torch.no_grad()` |
# | `persistent=True` | `retain_graph=True` |
# | a tape around a tape | `create_graph=True` |
#
# Where PyTorch is installed, the player shows its graph under your own cell: write `%load_ext minitape_widgets` once, and `%%tape` above the
# cell.
#
# Next: [the pitfall gallery of PyTorch](torch_pitfalls.ipynb), nineteen ways in which all this surprises.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# Qu'est-ce qu'une bande en PyTorch ? **Le graphe attaché à un résultat : chaque tenseur sait quelle opération l'a fait.**
#
# * `backward` le joue une fois, du résultat aux feuilles qui veulent un gradient.
# * Ce qu'il trouve s'ajoute à leur `.grad` ; c'est à vous de le vider.
# * Règles, ordre et nombres sont ceux de toute bande.
#
# Encore quelques noms, dont vos propres programmes auront besoin :
#
# | minitape, TensorFlow | PyTorch |
# |:--|:--|
# | `tf.stop_gradient(h)` | `h.detach()` |
# | `tape.stop_recording()` | `torch.no_grad()` |
# | `persistent=True` | `retain_graph=True` |
# | une bande autour d'une bande | `create_graph=True` |
#
# Là où PyTorch est installé, le lecteur montre son graphe sous une cellule à vous : écrivez une fois `%load_ext minitape_widgets`, et `%%tape`
# en haut de la cellule.
#
# Ensuite : [la galerie des pièges de PyTorch](torch_pitfalls.ipynb), dix-neuf façons dont tout cela surprend.

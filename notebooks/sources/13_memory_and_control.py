# %% [markdown]
# # Lesson 13: Memory and control
#
# *About 40 minutes, and an extra. You know what a card is, what its rule does on the way back (lesson 03), and that a tape can be
# persistent (lesson 05).*
#
# A tape writes everything down. Writing takes room: in a large network far more than the weights do.
#
# > What does a tape cost?
#
# First run this cell. Then answer a question about an earlier lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 13 : mémoire et contrôle
#
# *Environ 40 minutes, et un supplément. Vous savez ce qu'est une carte, ce que fait sa règle au retour (leçon 03), et qu'une bande peut être
# persistante (leçon 05).*
#
# Une bande note tout. Noter prend de la place : dans un grand réseau, bien plus que les poids.
#
# > Que coûte une bande ?
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur une leçon précédente. Ses nombres sont nouveaux à chaque
# fois.

# %%
import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, costs, play

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="13.recall"

# %% [markdown]
# ## 1. What is kept
#
# On the way back, the rule of `y = w * a` multiplies by `a`, and by `w`. So these numbers must still be there. A tape
# keeps the arrays that its cards made, until its gradient was asked for. In networks they are called **activations**.
#
# Memory is counted in **bytes**. A number in float32 takes 4 bytes. `tf.memory.costs(tape).kept` counts the bytes that a
# tape keeps. What was there before (data, variables) it does not count. (This function is minitape's own: TensorFlow
# has none like it.)
# %% [markdown] lang="fr"
# ## 1. Ce qui est gardé
#
# Au retour, la règle de `y = w * a` multiplie par `a`, et par `w`. Ces nombres doivent donc encore être là. Une bande garde
# les tableaux que ses cartes ont faits, jusqu'à ce que son gradient ait été demandé. Dans les réseaux, on les appelle **activations**.
#
# La mémoire se compte en **octets** (*bytes*). Un nombre en float32 prend 4 octets. `tf.memory.costs(tape).kept` compte les
# octets qu'une bande garde. Ce qui était là avant (données, variables), il ne le compte pas. (Cette fonction n'existe que dans
# minitape : TensorFlow n'en a pas de semblable.)

# %% predict="13.kept"

# %% [markdown]
# ## 2. What is needed
#
# Not every rule needs numbers. A relu is 0 below 0, and leaves the rest as it is. What does its rule need to know? Run this,
# step to the end, and then **take hold of a number**: click on `x`. In the Inspector, write other
# numbers into the first field, where 2 stands: 1, then 0.5, -0.5, -2. Watch the adjoint of `x`. When does it change?
# %% [markdown] lang="fr"
# ## 2. Ce qui est nécessaire
#
# Toutes les règles n'ont pas besoin de nombres. Un relu vaut 0 au-dessous de 0, et laisse le reste tel quel. Que doit savoir
# sa règle ? Exécutez ceci, avancez jusqu'à la fin, puis **prenez un nombre en main** : cliquez sur `x`. Dans
# l'inspecteur, écrivez d'autres nombres dans le premier champ, où se trouve 2 : 1, puis 0,5, puis -0,5, puis -2. Regardez l'adjoint de
# `x`. Quand change-t-il ?

# %%
x = tf.Variable([2.0, -1.0, 3.0])

with tf.GradientTape() as tape:
    h = tf.nn.relu(x)
    y = tf.reduce_sum(h)

play(tape, y, x, link="knows-release")

# %% [markdown]
# A rule needs what makes a difference to it. The adjoint changed at 0, and nowhere else. So the rule of relu needs to know one
# thing only: where its output is above 0. It looks at the output itself, which the tape has anyway: a list of yes and no would
# be smaller, but one more array to make.
#
# A rule that needs no number at all is even cheaper. Which one in the next program?
# %% [markdown] lang="fr"
# Une règle a besoin de ce qui fait pour elle une différence. L'adjoint a changé en 0, et nulle part ailleurs. La règle du
# relu n'a donc besoin de savoir qu'une chose : où son résultat est au-dessus de 0. Elle regarde le résultat lui-même, que la
# bande a de toute façon : une liste de oui et de non serait plus petite, mais ce serait un tableau de plus à faire.
#
# Une règle qui n'a besoin d'aucun nombre est encore moins chère. Laquelle, dans le programme suivant ?

# %% predict="13.needed"

# %% [markdown]
# Here is a layer with its loss. Before you run it: which of the five bars will be filled (a rule needs the numbers), and
# which hatched (kept, but no rule needs them)? Watch the bars of relu and of the square first.
# %% [markdown] lang="fr"
# Voici une couche avec sa perte. Avant d'exécuter : parmi les cinq barres, qu'est-ce qui sera plein (une règle a besoin des nombres), et
# qu'est-ce qui sera hachuré (gardé, mais aucune règle n'en a besoin) ? Regardez d'abord les barres du relu et du carré.

# %% tags=["answer"]
x = tf.random.normal([500, 20])
w = tf.Variable(tf.random.normal([20, 50]))
b = tf.Variable(tf.zeros([50]))

with tf.GradientTape() as tape:
    h = tf.nn.relu(x @ w + b)
    loss = tf.reduce_mean(h * h)

costs(tape)

# %% [markdown]
# Why are hatched bars kept at all? Because writing down everything is quick, and finding out what is needed takes time.
# This tape is built to be quick.
#
# The output of relu is asked for twice: by its own rule, and by the product. The product of matrices needs `x` and `w`,
# which are there anyway, and not its own result. Change `tf.nn.relu` to `tf.sin`, and run the cell again. What does the rule
# of a sine need, and which bar is filled now that was hatched before?
#
# After its gradient the tape lets all of this go, unless it is `persistent=True`. Then it keeps everything as long as the tape
# lives. `del tape` ends that.
# %% [markdown] lang="fr"
# Pourquoi garder les barres hachurées ? Parce que tout noter va vite, et que trouver ce qui est nécessaire prend du temps.
# Cette bande est faite pour aller vite.
#
# Le résultat du relu est demandé deux fois : par sa propre règle, et par le produit. Le produit de matrices a besoin de `x`
# et de `w`, qui sont là de toute façon, et non de son propre résultat. Remplacez `tf.nn.relu` par `tf.sin`, et exécutez la
# cellule à nouveau. De quoi la règle d'un sinus a-t-elle besoin, et quelle barre, hachurée avant, est pleine maintenant ?
#
# Après son gradient, la bande libère tout cela, sauf avec `persistent=True`. Elle garde alors tout aussi longtemps qu'elle vit.
# `del tape` y met fin.

# %% [markdown]
# ## 3. Forget it, and compute it again
#
# In a deep model the bars add up. But numbers can be computed twice: keep only what goes into a block, forget its inside,
# and compute it once more on the way back. That is `tf.recompute_grad`.
#
# Four blocks of three cards each: 12 bars. Run the cell, and look at the total. Before you press **recompute**: how many of
# the 12 bars will stay, and which one of each block?
# %% [markdown] lang="fr"
# ## 3. Oublier, et recalculer
#
# Dans un modèle profond, les barres s'additionnent. Mais on peut calculer des nombres deux fois : ne garder que ce qui entre
# dans un bloc, oublier l'intérieur, et le recalculer au retour. C'est `tf.recompute_grad`.
#
# Quatre blocs de trois cartes chacun : 12 barres. Exécutez la cellule, et regardez le total. Avant d'appuyer sur
# **recalculer** : combien des 12 barres resteront, et laquelle de chaque bloc ?

# %% tags=["answer"]
def block(h):
    return tf.tanh(tf.sin(h * h))


x = tf.Variable(tf.random.normal([100, 100]))

with tf.GradientTape() as tape:
    h = x
    for _ in range(4):
        h = block(h)

costs(tape, recompute=[(1, 3), (4, 6), (7, 9), (10, 12)])

# %% [markdown]
# Four stay: what comes out of a block goes into the next one. (No block follows the last one: its bar is hatched.) The
# price is time: twelve operations run once more. Books call this **gradient checkpointing**.
#
# That was a picture of what *would* be. Now do it. First: how much will be kept?
# %% [markdown] lang="fr"
# Quatre restent : ce qui sort d'un bloc entre dans le suivant. (Aucun bloc ne suit le dernier : sa barre est hachurée.) Le prix
# est du temps : douze opérations s'exécutent une fois de plus. Dans les livres, cela s'appelle *gradient checkpointing*.
#
# C'était une image de ce qui *serait*. Faites-le maintenant. D'abord : combien sera gardé ?

# %% predict="13.recomputed"

# %% exercise="13.chain"

# %% [markdown]
# ## 4. Tell the tape what to leave out
#
# | you write | and the tape |
# |:--|:--|
# | `with tape.stop_recording():` | does not record what is computed in this block |
# | `tape.reset()` | forgets everything so far, and goes on |
# | `tf.GradientTape(watch_accessed_variables=False)` | watches only what you name by `tape.watch(...)` |
# | `tf.stop_gradient(y)` | takes `y` as a plain number: no way leads back through it |
#
# A number that one only wants to look at is the usual case:
# %% [markdown] lang="fr"
# ## 4. Dire à la bande ce qu'elle peut laisser
#
# | vous écrivez | et la bande |
# |:--|:--|
# | `with tape.stop_recording():` | n'enregistre pas ce qui est calculé dans ce bloc |
# | `tape.reset()` | oublie tout jusqu'ici, et continue |
# | `tf.GradientTape(watch_accessed_variables=False)` | ne suit que ce que vous nommez par `tape.watch(...)` |
# | `tf.stop_gradient(y)` | prend `y` pour un simple nombre : aucun chemin n'y revient |
#
# Un nombre qu'on veut seulement regarder est le cas ordinaire :

# %% exercise="13.measure"

# %% [markdown]
# ## 5. Leaks
#
# A **leak** is memory that grows from round to round. A tape makes one when it lives too long, or when it is around too much.
# Here one tape stands around a whole loop that adds up its losses. Before you run it: how will the bytes grow,
# for 10, 20 and 40 rounds?
# %% [markdown] lang="fr"
# ## 5. Les fuites
#
# Une **fuite** est de la mémoire qui croît de tour en tour. Une bande en fait une quand elle vit trop longtemps, ou quand elle
# entoure trop de choses. Ici, une bande entoure toute une boucle qui additionne ses pertes. Avant d'exécuter : comment vont
# croître les octets, pour 10, 20 et 40 tours ?

# %% tags=["answer"]
for rounds in (10, 20, 40):
    w = tf.Variable(tf.ones([1000]))
    with tf.GradientTape() as tape:
        total = 0.0
        for _ in range(rounds):
            loss = tf.reduce_sum(w * w)
            total += loss
    print(rounds, tf.memory.costs(tape).kept)

# %% [markdown]
# The cards of all rounds are on one tape: twice the rounds, twice the bytes. If each round is a step of its own, it should
# have a tape of its own. Repair a training:
# %% [markdown] lang="fr"
# Les cartes de tous les tours sont sur une même bande : deux fois plus de tours, deux fois plus d'octets. Si chaque tour est
# un pas à lui seul, il lui faut une bande à lui. Réparez un entraînement :

# %% exercise="13.leak"

# %% [markdown]
# The last one looks different: no weights, no loss, only heat. Its 60 seconds are many cards.
# %% [markdown] lang="fr"
# Le dernier a l'air différent : ni poids, ni perte, rien que de la chaleur. Ses 60 secondes font beaucoup de cartes.

# %% exercise="13.heat"

# %% [markdown]
# ## What you know now
#
# * A tape costs **the arrays that its cards made, 4 bytes for each number**, from the recording to the gradient.
# * Rules need only some of them: relu its output, a product its inputs, a sum nothing.
# * `tf.recompute_grad` keeps what goes in and what comes out of a block, and computes the inside once more.
# * A leak is a tape around too much, or one that somebody still holds.
#
# Next: [build your own tape](14_build_your_own_tape.ipynb). Can you make one? What follows here is for whoever wants more.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Une bande coûte **les tableaux que ses cartes ont faits, 4 octets par nombre**, de l'enregistrement au gradient.
# * Les règles n'en demandent qu'une partie : le relu son résultat, un produit ses entrées, une somme rien.
# * `tf.recompute_grad` garde ce qui entre dans un bloc et ce qui en sort, et recalcule l'intérieur.
# * Une fuite est une bande qui entoure trop de choses, ou que quelqu'un tient encore.
#
# Ensuite : [construire sa propre bande](14_build_your_own_tape.ipynb). Saurez-vous en faire une ? Ce qui suit est pour qui veut en savoir plus.

# %% [markdown]
# ## Extra: a tape of its own, and a leak
#
# In this program each round has a tape of its own, and it leaks all the same.
# %% [markdown] lang="fr"
# ## Supplément : une bande à lui, et une fuite
#
# Dans ce programme, chaque tour a sa propre bande, et il fuit quand même.

# %% exercise="13.guilty"

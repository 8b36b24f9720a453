# %% [markdown]
# # Lesson 09: Training health
#
# *About 35 minutes. You know a training step (lesson 07), and layers with their units (lesson 08).*
#
# Trainings fall ill. The loss stops falling, or it becomes NaN (*not a number*). Most people then look at a **dashboard**, such as
# TensorBoard: curves of the loss, pictures of the weights, one value for each step. But a training also makes a tape in every step.
#
# > Tape or dashboard?
#
# First run this cell. Then answer a question about the last lesson.
# %% [markdown] lang="fr"
# # Leçon 09 : santé de l'entraînement
#
# *Environ 35 minutes. Vous savez ce qu'est un pas d'entraînement (leçon 07), et ce que sont les couches et leurs unités (leçon 08).*
#
# Un entraînement peut tomber malade. La perte ne baisse plus, ou elle devient NaN (*not a number*, « pas un nombre »). La plupart des
# gens regardent alors un **tableau de bord**, comme TensorBoard : des courbes de la perte, des images des poids, une valeur par pas. Mais
# un entraînement fait aussi une bande à chaque pas.
#
# > La bande ou le tableau de bord ?
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur la leçon précédente.

# %%
import random

import numpy as np

import minitape as tf
from minitape import health
from minitape.exercises import exercise
from minitape_widgets import ask, bars, health_view, lines, play

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="09.recall"

# %% [markdown]
# ## 1. One sick run, seen twice
#
# A number `w` shall come to 3. The loss is its distance from there, written as the root of a square: that is never below 0. (The line
# with `health.watch` only looks on, `every=1`: at every step.) Then comes what a dashboard shows: a curve for the loss, and one for the
# weight. Before you run the cells: `w` goes up by 0.5 in each step. At which step is it at 3, and what will the step after that do?
# %% [markdown] lang="fr"
# ## 1. Un entraînement malade, vu deux fois
#
# Un nombre `w` doit arriver à 3. La perte est sa distance à ce but, écrite comme la racine d'un carré : elle n'est jamais au-dessous
# de 0. (La ligne avec `health.watch` ne fait que regarder, `every=1` : à chaque pas.) Vient ensuite ce que montre un tableau de bord :
# une courbe pour la perte, une pour le poids. Avant d'exécuter les cellules : `w` avance de 0,5 à chaque pas. À quel pas sera-t-il à 3,
# et que fera le pas suivant ?

# %%
w = tf.Variable(0.0)
losses, weights = [], []

with health.watch(w, every=1) as seen:
    for step in range(10):
        with tf.GradientTape() as tape:
            error = w - 3.0
            square = error * error
            loss = tf.sqrt(square)
        losses.append(float(loss))
        weights.append(float(w))
        w.assign_sub(0.5 * tape.gradient(loss, w))

# %% tags=["answer"] lang="en"
lines({"loss": losses, "w": weights}, x="step")

# %% tags=["answer"] lang="fr"
lines({"perte": losses, "w": weights}, x="pas")

# %% [markdown]
# Until step 6 everything goes well: the loss is 0, and `w` is 3. From step 7 on there is no number any more, only `nan`: the curves break
# off. They say **when**. They do not say which line did it. For that, look at the tape of step 6. You need one slope for it.
# %% [markdown] lang="fr"
# Jusqu'au pas 6, tout va bien : la perte vaut 0 et `w` vaut 3. À partir du pas 7, il n'y a plus de nombre, seulement `nan` : les courbes
# s'interrompent. Elles disent **quand**. Elles ne disent pas quelle ligne en est la cause. Pour cela, regardez la bande du pas 6. Il vous
# faut une pente.

# %% predict="09.steep"

# %% [markdown]
# And at 0 itself? Here is that one step, recorded once more. Run the two cells, click on **Step**, and go on with the → key: which adjoint
# is the first that is no ordinary number?
# %% [markdown] lang="fr"
# Et en 0 même ? Voici ce seul pas, enregistré encore une fois. Exécutez les deux cellules, cliquez sur **Avancer**, et continuez avec la
# touche → : quel adjoint est le premier qui n'est pas un nombre ordinaire ?

# %% lang="en" tags=["folded"]
says = {
    "record card 3": "With w at 3 all is well forwards: 0, 0, 0. The loss is as good as it can be.",
    "part square": "With w at 3, the slope of the root is 1 / (2 * 0), infinite. (multiply_no_nan: a product, in which 0 stays 0.)",
    "part error": "Infinity times 0 is not a number. The square is not guilty, it only hands on what came.",
    "end": "With w at 3 the gradient is nan, and the next step puts it into w. The guilty one is card 3, the root, and its line.",
}

# %% lang="fr" tags=["folded"]
says = {
    "record card 3": "Avec w à 3, tout va bien à l'aller : 0, 0, 0. La perte est aussi bonne que possible.",
    "part square": "Avec w à 3, la pente de la racine est 1 / (2 * 0), infinie. (multiply_no_nan : un produit, où 0 reste 0.)",
    "part error": "L'infini multiplié par 0 n'est pas un nombre. Le carré n'est pas coupable, il transmet seulement ce qui est venu.",
    "end": "Avec w à 3, le gradient est nan, et le pas suivant le met dans w. La coupable est la carte 3, la racine, et sa ligne.",
}

# %% tags=["way-back-asked"]
w = tf.Variable(3.0)

with tf.GradientTape() as tape:
    error = w - 3.0
    square = error * error
    loss = tf.sqrt(square)

play(tape, loss, w, say=says)

# %% [markdown]
# **Take hold of a number.** Go to the end (the End key). Drag the number in the box `w` to 4, then back towards 3. Watch one number: the
# adjoint under `square` grows, the nearer you come. `w` itself gets the slope 1 all the time, until you are there.
#
# ### In one jump
#
# A training has thousands of tapes, one for each step. `health.watch` looked at them all; the next cell shows what it saw. On top stands
# the curve of the dashboard; below it a row for each layer (here only `w`), and a column for each step. Run it, click on the red button,
# and read the line of code that it leads to. (*Certain*: the tape proves it.)
# %% [markdown] lang="fr"
# **Prenez un nombre en main.** Allez à la fin (la touche Fin). Faites glisser le nombre dans la boîte `w` jusqu'à 4, puis revenez vers 3.
# Regardez un seul nombre : l'adjoint sous `square` grandit à mesure que vous approchez. `w` lui-même reçoit toujours la pente 1, jusqu'à
# ce que vous y soyez.
#
# ### D'un seul saut
#
# Un entraînement a des milliers de bandes, une par pas. `health.watch` les a toutes regardées ; la cellule suivante montre ce qu'elle a
# vu. En haut se trouve la courbe du tableau de bord ; au-dessous, une ligne par couche (ici seulement `w`), et une colonne par pas.
# Exécutez-la, cliquez sur le bouton rouge, et lisez la ligne de code à laquelle il mène. (*Certain* : la bande le prouve.)

# %% tags=["answer"]
health_view(seen)

# %% [markdown]
# ## 2. Which layer learns nothing?
#
# Not every illness makes a NaN. A network of many layers often just does not learn. Here is one of the oldest reasons.
# %% [markdown] lang="fr"
# ## 2. Quelle couche n'apprend rien ?
#
# Une maladie ne fait pas toujours un NaN. Souvent, un réseau de beaucoup de couches n'apprend tout simplement pas. Voici l'une des plus
# vieilles raisons.

# %% predict="09.sigmoids"

# %% [markdown]
# The task is to say on which of two half moons a point lies; a row of `x` holds its two coordinates. The network has eight layers with
# sigmoids, and one more at the end. The block `with health_view(model)` watches, and shows it at once. Before you run it: in which row
# will the adjoints be smallest, in `Dense1` at the top or in `Dense9`, nearest to the loss?
# %% [markdown] lang="fr"
# La tâche est de dire sur lequel de deux croissants se trouve un point ; une rangée de `x` contient ses deux coordonnées. Le réseau a
# huit couches avec des sigmoïdes, et une de plus à la fin. Le bloc `with health_view(model)` regarde, et montre aussitôt. Avant
# d'exécuter : dans quelle ligne les adjoints seront-ils les plus petits, dans `Dense1` tout en haut, ou dans `Dense9`, la plus proche de
# la perte ?

# %% tags=["answer"]
tf.random.set_seed(3)
x, y = tf.data.moons(200, seed=3)
loss_function = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(12, activation="sigmoid") for _ in range(8)] + [tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.1)

with health_view(model, every=1) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            loss = loss_function(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

# %% [markdown]
# Point at the last row, and go up row by row. Watch the number below the picture. (`3e-7` is 0.0000003; *flat* is the share of sigmoids
# without a slope; *likely*, *possible*: not proven.) A click opens the step's tape.
#
# The way back begins at the loss. Each layer lets a part of it through, and the layers that are farthest from the loss get next to
# nothing. One says: the gradients **vanish**. The loss curve alone shows only that it is flat.
#
# **Change it.** Write `activation="relu"` in the cell above: where a relu is on, its slope is 1. Say first what will become of the adjoints
# in `Dense1`, and of the loss; then run it. (`he_uniform`, of which the picture speaks: see the extras.)
# %% [markdown] lang="fr"
# Placez le pointeur sur la dernière ligne, et montez ligne par ligne. Regardez le nombre sous l'image. (`3e-7`, c'est 0,0000003 ;
# *plates* est la part des sigmoïdes sans pente ; *probable*, *possible* : non prouvé.) Un clic ouvre la bande du pas.
#
# Le retour commence à la perte. Chaque couche n'en laisse passer qu'une part, et les couches les plus éloignées de la perte ne reçoivent
# presque rien. On dit que les gradients **s'évanouissent**. La courbe de la perte, elle, montre seulement qu'elle est plate.
#
# **Changez-le.** Écrivez `activation="relu"` dans la cellule ci-dessus : là où un relu est allumé, sa pente est 1. Dites d'abord ce que
# deviendront les adjoints de `Dense1`, et la perte ; puis exécutez-la. (`he_uniform`, dont parle l'image : voyez à la fin, « Pour aller
# plus loin ».)
# %% [markdown]
# ## 3. What a picture of the weights shows
#
# A **histogram** counts how many weights lie between -0.4 and -0.2, how many between -0.2 and 0, and so on. Dashboards draw one for each
# layer and each step. Here are the weights of a healthy new layer of 32 units.
# %% [markdown] lang="fr"
# ## 3. Ce que montre une image des poids
#
# Un **histogramme** compte combien de poids se trouvent entre -0,4 et -0,2, combien entre -0,2 et 0, et ainsi de suite. Les tableaux de
# bord en dessinent un par couche et par pas. Voici les poids d'une couche neuve et saine de 32 unités.

# %%
tf.random.set_seed(0)
x, y = tf.data.moons(200)
layer = tf.keras.layers.Dense(32, activation="relu")
layer(x)
counts, edges = np.histogram(layer.kernel.numpy(), bins=6, range=(-0.6, 0.6))

# %% lang="en"
bars({f"{a:.1f} to {b:.1f}": n for n, a, b in zip(counts, edges, edges[1:])})

# %% lang="fr"
bars({f"{a:.1f} à {b:.1f}".replace(".", ","): n for n, a, b in zip(counts, edges, edges[1:])})

# %% [markdown]
# It shows their size and their spread, and from step to step whether they move, grow without end, or have become NaN. That is worth a
# lot. Now count units that are dead.
# %% [markdown] lang="fr"
# Il montre leur taille et leur étalement, et de pas en pas s'ils bougent, s'ils grandissent sans fin ou s'ils sont devenus NaN. C'est
# déjà beaucoup. Comptez maintenant des unités mortes.

# %% predict="09.dead"

# %% [markdown]
# Now the layer of the histogram gets data: first as they are, around 0; then the same data, with 20 added to every number. The weights
# are the same both times, so the histogram is the same. Before you run it: will the number of dead units be the same, too?
# %% [markdown] lang="fr"
# La couche de l'histogramme reçoit des données : d'abord telles quelles, autour de 0 ; puis les mêmes, avec 20 ajouté à chaque nombre.
# Les poids sont les mêmes les deux fois, donc l'histogramme aussi. Avant d'exécuter : le nombre d'unités mortes sera-t-il aussi le même ?

# %% tags=["answer"]
for name, data in {"x": x, "x + 20": x + 20.0}.items():
    h = layer(data).numpy()
    print(f"{name:8} {np.sum(np.all(h == 0, axis=0))} / 32")

# %% [markdown]
# A unit whose weights are below 0 never wakes up when all inputs are far above 0. So whether a unit lives depends on what comes in, and
# no picture of the weights knows that. The tape knows: the values stand on its cards, and the adjoints pass through it.
#
# ## 4. What no single tape shows
#
# In lesson 07, with the rate 1.1, the tape of every step was right, and yet `w` flew away. Only what happens between two steps shows it.
# Here is a healthy run, and a sick one, A; its illness is drawn anew each time. Run the cells.
# %% [markdown] lang="fr"
# Une unité dont les poids sont au-dessous de 0 ne se réveille jamais quand toutes les entrées sont loin au-dessus de 0. Si une unité vit,
# cela dépend donc de ce qui entre, et aucune image des poids ne le sait. La bande le sait : les valeurs sont sur ses cartes, et les
# adjoints y passent.
#
# ## 4. Ce qu'aucune bande ne montre à elle seule
#
# Dans la leçon 07, avec le taux 1,1, la bande de chaque pas était juste, et pourtant `w` s'envolait. Seul ce qui se passe entre deux pas
# le montre. Voici un entraînement sain, et un malade, A ; sa maladie est tirée au sort à chaque fois. Exécutez les cellules.

# %% tags=["answer"]
def train(activation="relu", bias=0.0, rate=0.1, trained=14):
    tf.random.set_seed(1)
    start = tf.keras.initializers.Constant(bias)
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(16, activation=activation, bias_initializer=start) for _ in range(6)])
    model.add(tf.keras.layers.Dense(2))
    model(x)
    variables, losses = model.trainable_variables[-trained:], []
    with health.watch(model) as seen:
        for step in range(150):
            with tf.GradientTape() as tape:
                loss = loss_function(y, model(x))
            for variable, gradient in zip(variables, tape.gradient(loss, variables)):
                variable.assign_sub(rate * gradient)
            losses.append(float(loss))
    return seen, losses


kinds = {"dead": {"bias": -2.0}, "vanishing": {"activation": "sigmoid"}, "slow": {"rate": 1e-5},
         "forgotten": {"trained": 2}}
kind = random.choice(list(kinds))
(healthy, curve), (sick, curve_a) = train(), train(**kinds[kind])

# %% tags=["answer"] lang="en"
lines({"healthy": curve, "A": curve_a}, x="step", y="loss")

# %% tags=["answer"] lang="fr"
lines({"sain": curve, "A": curve_a}, x="pas", y="perte")

# %% [markdown]
# The curves say that A is sick, not what it has. So, for each layer, here are figures of the last step looked at: the size of its values,
# of its adjoints, of its step beside its weights (*update/weight*), and the share of dead units. A dash: there was nothing to measure. In
# the healthy run a step changes the weights of each layer by 2 to 4 in 1000.
#
# Four illnesses are possible: units are *dead*, adjoints are *vanishing*, the run is *slow* as its rate is too small, layers were
# *forgotten* in the list of variables. Which one has A? (Run section 4 again for another.)
# %% [markdown] lang="fr"
# Les courbes disent que A est malade, pas de quoi. Voici donc, par couche, les chiffres du dernier pas regardé : la taille de ses valeurs,
# de ses adjoints, de son pas par rapport à ses poids (*pas/poids*), et la part d'unités mortes. Un tiret : il n'y avait rien à mesurer.
# Dans l'entraînement sain, un pas change les poids de chaque couche de 2 à 4 pour 1000.
#
# Quatre maladies sont possibles : des unités sont mortes (*dead*), les adjoints s'évanouissent (*vanishing*), l'entraînement est lent
# (*slow*) car son taux est trop petit, des couches ont été oubliées (*forgotten*) dans la liste des variables. Laquelle a A ? (Exécutez de
# nouveau la section 4 pour en avoir une autre.)

# %% lang="en" tags=["folded"]
runs, question = {"healthy": healthy, "A": sick}, "What is wrong with run A?"
illnesses = {"dead": "dead units", "vanishing": "vanishing adjoints", "slow": "too slow", "forgotten": "forgotten layers"}
ideas = {"dead": "If units are dead, the column dead says 100 %, and nearer to the input the adjoints are exactly 0.",
         "vanishing": "If adjoints vanish, they shrink little by little from the last row up to the first, a thousand times and more.",
         "slow": "If the rate is too small, all rows move, and update/weight is tiny in all of them.",
         "forgotten": "If layers were forgotten, their rows never move (update/weight exactly 0, no adjoint), the others do."}

# %% lang="fr" tags=["folded"]
runs, question = {"sain": healthy, "A": sick}, "De quoi l'entraînement A est-il malade ?"
illnesses = {"dead": "unités mortes", "vanishing": "adjoints évanouis", "slow": "trop lent", "forgotten": "couches oubliées"}
ideas = {"dead": "Si des unités sont mortes, la colonne « mortes » dit 100 %, et plus près de l'entrée les adjoints valent exactement 0.",
         "vanishing": "Si les adjoints s'évanouissent, ils rétrécissent peu à peu de la dernière ligne à la première, plus de mille fois.",
         "slow": "Si le taux est trop petit, toutes les lignes bougent, et pas/poids y est minuscule partout.",
         "forgotten": "Si des couches sont oubliées, leurs lignes ne bougent jamais (pas/poids exactement 0, sans adjoint), les autres si."}

# %% tags=["folded"]
import re


def show(run):
    """Prints a run's figures, each layer's last."""
    for row in str(run).split("\n\n")[1].split("\n")[1:]:
        layer, *figures = [cell.split(" -> ")[-1] for cell in re.split("  +", row.strip())]
        print("{:8}{:>10}{:>12}{:>16}{:>8}".format(layer, *figures[:4]))
    print()


wrong = {illnesses[other]: ideas[other] for other in kinds if other != kind}

# %% tags=["answer"]
for name, run in runs.items():
    print(name)
    show(run)

ask(question, illnesses[kind], wrong, choices=list(illnesses.values()), right=ideas[kind])

# %% [markdown]
# Dead units (values of 0) and vanishing adjoints stand on the tape of one single step. The tapes of slow runs and of forgotten layers are
# right: what is wrong happens after them, when the weights move.
# %% [markdown] lang="fr"
# La bande d'un seul pas montre les unités mortes (des valeurs de 0) et les adjoints qui s'évanouissent. Les bandes d'un entraînement lent
# ou à couches oubliées sont justes : l'erreur vient après, quand les poids bougent.

# %% [markdown]
# ## 5. Find the first bad operation
#
# In section 1 a red button found the guilty line. It looks at one card after the other.
#
# Half of such a look stands here: `np.isfinite(row)` says True or False for each number of a row. Write in place of the dots what makes
# one answer of them, and run the cell: `bad` shall be True if a number of the row is not finite.
# %% [markdown] lang="fr"
# ## 5. Trouver la première mauvaise opération
#
# Dans la section 1, un bouton rouge a trouvé la ligne coupable. Il regarde une carte après l'autre.
#
# Voici la moitié d'un tel regard : `np.isfinite(row)` dit True ou False pour chaque nombre d'une rangée. Écrivez à la place des points
# ce qui en fait une seule réponse, et exécutez la cellule : `bad` doit être True si un nombre de la rangée n'est pas fini.

# %% tags=["answer"]
for row in ([0.5, 1.0], [0.5, np.inf], [np.nan, 2.0], [np.nan, -np.inf]):
    finite = np.isfinite(row)
    bad = ...
    print(row, finite, bad)

# %% [markdown]
# Right is False, True, True, True. Now write the whole search, from an empty function on. It looks at the values; where all are finite, as
# in section 1, the red button then does the same with the adjoints.
# %% [markdown] lang="fr"
# La bonne réponse est False, True, True, True. Écrivez maintenant toute la recherche, à partir d'une fonction vide. Elle regarde les
# valeurs ; si toutes sont finies, comme dans la section 1, le bouton rouge fait ensuite de même avec les adjoints.

# %% exercise="09.alarm"

# %% [markdown]
# The last program is longer, and has no health view. Two tools may help: `tape.explain(loss, w)` says it in words, and
# `tf.debugging.check_numerics(h, "h")`, written between two lines, stops the program there if a number in `h` is not finite.
# %% [markdown] lang="fr"
# Le dernier programme est plus long, et n'a pas de vue. Deux outils peuvent aider : `tape.explain(loss, w)` le dit en
# mots, et `tf.debugging.check_numerics(h, "h")`, écrit entre deux lignes, y arrête le programme si un nombre de `h` n'est pas fini.

# %% exercise="09.line"

# %% [markdown]
# ## What you know now
#
# * A dashboard shows many steps: **when** something happens, and how much. A histogram shows the weights, not who is alive.
# * A tape shows one step: **where** it happens. Which operation, which line, what went in and what came out.
# * A wrong rate, or forgotten layers: each single tape is right. Only what happens between two steps shows it.
# * So, tape or dashboard? **Both: the dashboard finds the step, the tape of this step finds the line.**
#
# Next: [a tape of a tape](10_tape_of_a_tape.ipynb). What is the slope of a slope? What follows here is for whoever wants more.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Un tableau de bord montre beaucoup de pas : **quand** quelque chose arrive, et combien. Un histogramme montre les poids, pas qui est
#   vivant.
# * Une bande montre un seul pas : **où** cela arrive. Quelle opération, quelle ligne, ce qui est entré et ce qui est sorti.
# * Un mauvais taux, ou des couches oubliées : chaque bande à elle seule est juste. Seul ce qui se passe entre deux pas le montre.
# * Alors, la bande ou le tableau de bord ? **Les deux : le tableau de bord trouve le pas, la bande de ce pas trouve la ligne.**
#
# Ensuite : [une bande d'une bande](10_tape_of_a_tape.ipynb). Qu'est-ce que la pente d'une pente ? Ce qui suit ici est pour qui veut en
# savoir plus.

# %% [markdown]
# ## Extras
#
# ### A root to mend
#
# The tape of section 1 fell ill at a root. So does this program: find the place, and mend it.
# %% [markdown] lang="fr"
# ## Pour aller plus loin
#
# ### Une racine à réparer
#
# La bande de la section 1 est tombée malade à une racine. Ce programme aussi : trouvez l'endroit, et réparez-le.

# %% exercise="09.lengths"

# %% [markdown]
# ### First weights of the right size
#
# With relu, the slope is 1 where it is on. So now the *weights* decide. If they are too small, the numbers shrink from layer to layer; if
# they are too large, the numbers grow. Backwards, too: one says that the gradients **explode**.
#
# Ten layers with 32 inputs each, and random weights of three sizes. Before you run it: which of the three curves stays level?
# %% [markdown] lang="fr"
# ### Des premiers poids de la bonne taille
#
# Avec relu, la pente est 1 là où il est allumé. Ce sont donc les *poids* qui décident. S'ils sont trop petits, les nombres rétrécissent de
# couche en couche ; s'ils sont trop grands, ils grandissent. Au retour aussi : on dit que les gradients **explosent**.
#
# Dix couches à 32 entrées chacune, et des poids au hasard de trois tailles. Avant d'exécuter : laquelle des trois courbes reste à la même
# hauteur ?

# %% tags=["answer"]
curves = {}
for factor in (0.1, 0.25, 1.0):
    tf.random.set_seed(0)
    h, curves[str(factor)] = tf.random.normal([100, 32]), []
    for layer in range(10):
        h = tf.nn.relu(h @ (factor * tf.random.normal([32, 32])))
        curves[str(factor)].append(float(tf.sqrt(tf.reduce_mean(h * h))))

# %% tags=["answer"] lang="en"
lines(curves, x="layer", y="size", log="y")

# %% tags=["answer"] lang="fr"
lines({name.replace(".", ","): curve for name, curve in curves.items()}, x="couche", y="taille", log="y")

# %% [markdown]
# The way back goes through the same weights, so somebody has to choose the first ones well. Here is how. A sum of `n` random numbers is not
# `n` times as large as one of them, but only √n times: much of it cancels. And a relu throws half of the squares away.
# %% [markdown] lang="fr"
# Le retour passe par les mêmes poids : il faut donc bien choisir les premiers. Voici comment. Une somme de `n` nombres au hasard n'est
# pas `n` fois plus grande que l'un d'eux, mais seulement √n fois : beaucoup s'annule. Et un relu jette la moitié des carrés.

# %% exercise="09.spread"

# %% [markdown]
# ### Clip
#
# If adjoints grow all the same, or if one bad example comes along, a single step can throw the weights far off. The remedy:
# shrink gradients that are too large. One says: **clip** them.
# %% [markdown] lang="fr"
# ### Écrêter
#
# Si les adjoints grandissent malgré tout, ou si un mauvais exemple se présente, un seul pas peut jeter les poids très loin. Le remède :
# réduire les gradients trop grands. On dit : les **écrêter** (*clip*).

# %% exercise="09.clip"

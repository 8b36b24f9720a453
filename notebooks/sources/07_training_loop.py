# %% [markdown]
# # Lesson 07: A training loop
#
# *About 40 minutes. You know what a tape gives: the slope of a result.*
#
# A tape says how a result changes when a number changes. It changes no number itself.
#
# > How do slopes make a program learn?
#
# First run this cell, and answer a question about an earlier lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 07 : une boucle d'entraînement
#
# *Environ 40 minutes. Vous savez ce que donne une bande : la pente d'un résultat.*
#
# Une bande dit comment un résultat change quand un nombre change. Elle ne change elle-même aucun nombre.
#
# > Comment des pentes font-elles apprendre un programme ?
#
# Exécutez d'abord les deux cellules suivantes, et répondez à une question sur une leçon précédente. Ses nombres sont nouveaux à
# chaque fois.

# %%
import minitape as tf
import numpy as np
from minitape.exercises import exercise
from minitape_widgets import ask, lines, valley

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="07.recall"

# %% [markdown]
# ## 1. How wrong is it?
#
# A program shall learn to answer 6 when it is given 2. It has one number to turn, the **weight** `w`, and answers
# `w * 2`. Now `w` is 1, so it answers 2. That is wrong.
#
# How wrong, says the **loss**: the error, squared. It is 0 where the answer is right, and larger the more wrong it
# is. Before you run the program: if `w` grows a little, does the loss grow or fall? So which sign has the slope? Then run
# it, and step to the end.
# %% [markdown] lang="fr"
# ## 1. À quel point est-ce faux ?
#
# Un programme doit apprendre à répondre 6 quand on lui donne 2. Il a un nombre à régler, le **poids** `w`, et
# répond `w * 2`. Pour l'instant `w` vaut 1 : il répond donc 2. C'est faux.
#
# À quel point, c'est la **perte** (*loss*) qui le dit : l'erreur, au carré. Elle vaut 0 quand la réponse est juste,
# et d'autant plus grande que la réponse est fausse. Avant d'exécuter le programme : si `w` augmente un peu, la perte
# augmente-t-elle ou diminue-t-elle ? Quel est donc le signe de la pente ? Puis exécutez-le, et avancez jusqu'à la fin.

# %% lang="en" tags=["folded"]
says = {
    "record card 1": "The answer: 2. Right would be 6.",
    "record card 2": "The error: -4. The answer is 4 too small.",
    "record card 3": "The loss, the error squared: 16.",
    "end": "Where w is 1, the slope is -16. If w grows a little, the loss falls by 16 times that little.",
}

# %% lang="fr" tags=["folded"]
says = {
    "record card 1": "La réponse : 2. Il faudrait 6.",
    "record card 2": "L'erreur : -4. La réponse est trop petite de 4.",
    "record card 3": "La perte, l'erreur au carré : 16.",
    "end": "Là où w vaut 1, la pente est -16. Si w augmente un peu, la perte diminue de 16 fois ce peu.",
}

# %% tags=["way-back-asked"]
# %%tape --say says
w = tf.Variable(1.0)

with tf.GradientTape() as tape:
    loss = (w * 2 - 6) ** 2

slope = tape.gradient(loss, w)

# %% [markdown]
# **Take hold of a number: be the training.** Go to the end (the End key). Drag the number in the box `w` to the
# right, and watch two numbers: the loss, and the slope under `w`. How large must `w` be for the loss to be smallest?
# And what is the slope there?
#
# You tried many places. The program does not: it knows the slope at the place where it stands, and no more. So
# it makes a small step **against the slope**, and asks again:
#
# `w.assign_sub(rate * slope)`
#
# `assign_sub` takes a number away from a variable. The **rate** says how far to go. (Books call it the *learning rate*, η,
# and write w ← w − η · dL/dw, with L for the loss.)
# %% [markdown] lang="fr"
# **Prenez un nombre en main : soyez l'entraînement.** Allez à la fin (la touche Fin). Faites glisser le
# nombre de la boîte `w` vers la droite, et regardez deux nombres : la perte, et la pente sous `w`. Combien doit
# valoir `w` pour que la perte soit la plus petite ? Et que vaut la pente à cet endroit ?
#
# Vous avez essayé beaucoup d'endroits. Le programme, non : il connaît la pente à l'endroit où il se trouve, et rien de
# plus. Il fait donc un petit pas **contre la pente**, et demande de nouveau :
#
# `w.assign_sub(rate * slope)`
#
# `assign_sub` retire un nombre d'une variable. Le **taux** (*rate*) dit jusqu'où aller. (Les livres l'appellent *taux
# d'apprentissage*, η, et écrivent w ← w − η · dL/dw, avec L pour la perte.)

# %% predict="07.direction"

# %% [markdown]
# ## 2. The loop
#
# One step is not enough. A **training loop** repeats four movements: **predict**, measure the **loss**, ask for the
# **slope**, make a **step**. Walking downhill like this is called **gradient descent**. The rate stays the same
# here: will the steps be all of the same length? Run it, and look at the column of `w`.
# %% [markdown] lang="fr"
# ## 2. La boucle
#
# Un pas ne suffit pas. Une **boucle d'entraînement** répète quatre mouvements : **prédire**, mesurer la **perte**, demander
# la **pente**, faire un **pas**. Descendre ainsi s'appelle la **descente de gradient**. Le taux reste ici le même :
# les pas auront-ils tous la même longueur ? Exécutez-la, et regardez la colonne de `w`.

# %% tags=["answer"]
w, rate = tf.Variable(1.0), 0.05

for step in range(8):
    with tf.GradientTape() as tape:
        prediction = w * 2
        loss = (prediction - 6) ** 2
    slope = tape.gradient(loss, w)
    print(f"step {step}   w {w.numpy():.3f}   loss {loss.numpy():7.3f}   slope {slope.numpy():7.3f}")
    w.assign_sub(rate * slope)

# %% [markdown]
# The steps become shorter, though the rate stays the same. Near the bottom the slope is small, and a step is the
# rate times the slope.
#
# The tape stands *inside* of the loop: each step makes a new one. Could one tape serve all steps?
# %% [markdown] lang="fr"
# Les pas deviennent plus courts, bien que le taux reste le même. Près du fond la pente est faible, et un pas est
# le taux multiplié par la pente.
#
# La bande est *dans* la boucle : chaque pas en fait une nouvelle. Une seule bande pourrait-elle servir à tous les pas ?

# %% predict="07.old-tape"

# %% [markdown]
# So a tape belongs to one step: it holds the numbers of the place where `w` stood.
#
# Why not take a large rate, and be there at once? Say what happens at 1.1.
# %% [markdown] lang="fr"
# Une bande appartient donc à un pas : elle contient les nombres de l'endroit où se trouvait `w`.
#
# Pourquoi ne pas prendre un grand taux, et arriver tout de suite ? Dites ce qui se passe à 1,1.

# %% predict="07.rate"

# %% [markdown]
# ## 3. The valley
#
# Here is a loss as a valley, with the bottom at 3, and a point that walks down in it. Click on **Step** a few times,
# and watch the point. Each step is one tape: a click on *The tape of this step* plays it.
#
# Then drag the rate, slowly, and watch the walk. Find three rates:
#
# * one with which the point needs a single step;
# * one with which it jumps to and fro for ever, always at the same height;
# * one with which it flies away.
# %% [markdown] lang="fr"
# ## 3. La vallée
#
# Voici une perte sous forme de vallée, avec le fond en 3, et un point qui y descend. Cliquez quelques fois sur
# **Avancer**, et regardez le point. Chaque pas est une bande : un clic sur *La bande de ce pas* la joue.
#
# Puis faites glisser le taux, lentement, et regardez la marche. Trouvez trois taux :
#
# * un avec lequel un seul pas suffit au point ;
# * un avec lequel il saute sans fin d'un côté à l'autre, toujours à la même hauteur ;
# * un avec lequel il s'envole.

# %% tags=["answer"]
valley(lambda w: (w - 3.0) ** 2, start=-1.0, rate=0.1, steps=12)

# %% [markdown]
# **A landscape of your own.** The next loss has hills and hollows, and the point starts near 0. Will it find the deepest
# place? Guess, then run the cell, and step. Then write a loss of your own into it, and let the point start elsewhere.
# %% [markdown] lang="fr"
# **Un paysage à vous.** La perte suivante a des collines et des creux, et le point part de près de 0. Trouvera-t-il l'endroit
# le plus bas ? Devinez, puis exécutez la cellule, et avancez. Ensuite, écrivez-y une perte à vous, et faites partir le point
# d'ailleurs.

# %% tags=["answer"]
valley(lambda w: tf.cos(3.0 * w) + 0.2 * (w - 3.0) ** 2, start=0.2, rate=0.05, steps=20)

# %% [markdown]
# The point knows the slope where it stands: it stops in the hollow into which it rolls, a *local minimum*.
# %% [markdown] lang="fr"
# Le point connaît la pente là où il se trouve : il s'arrête dans le creux où il roule, un *minimum local*.

# %% [markdown]
# ## 4. A line through points
#
# Now a program with two weights. These 100 points lie near a line. The program does not know which: it shall find
# `w` and `b`, so that `w * x + b` is near `t`.
# %% [markdown] lang="fr"
# ## 4. Une droite à travers des points
#
# À présent, un programme à deux poids. Ces 100 points se trouvent près d'une droite. Le programme ne sait pas
# laquelle : il doit trouver `w` et `b`, pour que `w * x + b` soit près de `t`.

# %%
tf.random.set_seed(0)
x = tf.random.normal([100])
t = 3.0 * x + 2.0 + 0.5 * tf.random.normal([100])

# %% exercise="07.regression"

# %% [markdown]
# Here is the whole training, with the loss of each step. Before you run it: which `w` and `b` will it find? Look
# at the line of code above that made `t`. Then look at the curve, whose losses are drawn in steps of ten times as much: where
# would you have stopped?
# %% [markdown] lang="fr"
# Voici l'entraînement entier, avec la perte de chaque pas. Avant de l'exécuter : quels `w` et `b` trouvera-t-il ?
# Regardez la ligne de code ci-dessus qui a fait `t`. Puis regardez la courbe, tracée sur un axe où chaque graduation vaut dix
# fois la précédente : où vous seriez-vous arrêté ?

# %% tags=["answer"]
w, b, rate, losses = tf.Variable(0.0), tf.Variable(0.0), 0.1, []

for step in range(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x + b - t) ** 2)
    slope_w, slope_b = tape.gradient(loss, [w, b])
    w.assign_sub(rate * slope_w)
    b.assign_sub(rate * slope_b)
    losses.append(float(loss))

print(f"w {w.numpy():.2f}   b {b.numpy():.2f}")

# %% tags=["answer"] lang="en"
lines({"loss": losses}, x="step", y="loss", log="y")

# %% tags=["answer"] lang="fr"
lines({"perte": losses}, x="pas", y="perte", log="y")

# %% [markdown]
# The loss does not fall to 0: the points lie *near* a line, and not on it.
#
# ## 5. Why a mean, and why not all points
#
# The loss is the *mean* of the squared errors. Why not their sum?
# %% [markdown] lang="fr"
# La perte ne tombe pas à 0 : les points se trouvent *près* d'une droite, et non dessus.
#
# ## 5. Pourquoi une moyenne, et pourquoi pas tous les points
#
# La perte est la *moyenne* des erreurs au carré. Pourquoi pas leur somme ?

# %% predict="07.again"

# %% [markdown]
# So the mean over a few examples is a guess at the mean over all, and costs less. A handful of examples, drawn anew for each
# step, is called a **mini-batch**; the walk, *stochastic gradient descent*, since chance draws. `SGD` stands for it: an
# **optimizer**, which is given pairs of a gradient and a variable, and makes the steps.
#
# Each step below looks at 10 of the 100 points: `some` holds their places, and `tf.gather` takes what stands there. Before you
# run it: how will its curve differ from that of all points?
# %% [markdown] lang="fr"
# La moyenne sur quelques exemples donne donc une idée de la moyenne sur tous, et coûte moins. Une poignée d'exemples, tirés
# au sort à chaque pas, s'appelle un **mini-lot** (en anglais *mini-batch*) ; la marche, *descente de gradient stochastique*
# (*stochastic gradient descent*), puisque le hasard y joue. D'où le nom de `SGD` : un **optimiseur**, à qui l'on donne des
# paires d'un gradient et d'une variable, et qui fait les pas.
#
# Chaque pas ci-dessous regarde 10 des 100 points : `some` contient leurs places, et `tf.gather` prend ce qui s'y trouve. Avant
# de l'exécuter : en quoi sa courbe différera-t-elle de celle de tous les points ?

# %% tags=["answer"]
w, b, batch_losses = tf.Variable(0.0), tf.Variable(0.0), []
optimizer = tf.keras.optimizers.SGD(rate)

for step in range(40):
    some = tf.random.shuffle(tf.range(100))[:10]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * tf.gather(x, some) + b - tf.gather(t, some)) ** 2)
    slope_w, slope_b = tape.gradient(loss, [w, b])
    optimizer.apply_gradients([(slope_w, w), (slope_b, b)])
    batch_losses.append(float(loss))

# %% tags=["answer"] lang="en"
lines({"all 100": losses, "10 at a time": batch_losses}, x="step", y="loss", log="y")

# %% tags=["answer"] lang="fr"
lines({"les 100": losses, "10 à la fois": batch_losses}, x="pas", y="perte", log="y")

# %% [markdown]
# The second curve trembles, since each step meets other points, and yet it arrives at the same place: at a tenth of the work.
# %% [markdown] lang="fr"
# La seconde courbe tremble, puisque chaque pas rencontre d'autres points, et pourtant elle arrive au même endroit : pour un
# dixième du travail.

# %% [markdown]
# ## 6. On your own
#
# Now a loop from an empty function, and a problem that does not look like learning at all.
# %% [markdown] lang="fr"
# ## 6. À vous
#
# Maintenant une boucle à partir d'une fonction vide, et un problème qui ne ressemble pas du tout à un apprentissage.

# %% exercise="07.root"

# %% [markdown]
# ## What you know now
#
# * A loss says how wrong a program is; its slope says in which direction it becomes more wrong.
# * So slopes make a program learn like this: **predict, measure the loss, ask for the slopes, make a small step against them,
#   and repeat**. That is gradient descent.
# * A rate too large flies away, and a walk ends in the nearest hollow. A mini-batch is enough for a step.
#
# Next: [Layers and models](08_layers_and_models.ipynb). A real model has thousands of weights. Where do they live?
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Une perte dit à quel point un programme se trompe ; sa pente dit dans quelle direction il se trompe davantage.
# * Voici donc comment des pentes font apprendre un programme : **prédire, mesurer la perte, demander les pentes, faire un
#   petit pas contre elles, et recommencer**. C'est la descente de gradient.
# * Avec un taux trop grand, le poids s'envole, et une marche finit dans le creux le plus proche. Un mini-lot suffit pour un pas.
#
# Ensuite : [Couches et modèles](08_layers_and_models.ipynb). Un vrai modèle a des milliers de poids. Où habitent-ils ?

# %% [markdown]
# ## Extras: momentum, and when to stop
#
# *About 25 minutes, for whoever wants more.*
#
# ### Momentum
#
# With a small rate the walk is slow. A ball would be faster: it keeps a part of its **velocity** and rolls on. That
# part is called **momentum**. Each step, the slope gives it one more push.
# %% [markdown] lang="fr"
# ## En plus : l'élan, et quand s'arrêter
#
# *Environ 25 minutes, pour qui en veut davantage.*
#
# ### L'élan
#
# Avec un petit taux, la marche est lente. Une bille irait plus vite : elle garde une partie de sa **vitesse**
# (*velocity*) et continue de rouler. Cette partie s'appelle l'**élan** (*momentum*). À chaque pas, la pente lui
# donne une poussée de plus.

# %% predict="07.speed"

# %% exercise="07.momentum"

# %% [markdown]
# `SGD` can have momentum, too. Both columns below come from the same start, the left one by hand, the right one by `SGD`.
# Are they equal?
# %% [markdown] lang="fr"
# `SGD` peut aussi avoir de l'élan. Les deux colonnes ci-dessous partent du même point, celle de gauche à la main, celle de
# droite avec `SGD`. Sont-elles égales ?

# %% tags=["answer"]
by_hand, velocity = tf.Variable(-1.0), 0.0
by_sgd, optimizer = tf.Variable(-1.0), tf.keras.optimizers.SGD(0.1, momentum=0.9)

for step in range(8):
    with tf.GradientTape(persistent=True) as tape:
        loss = (by_hand - 3.0) ** 2
        other_loss = (by_sgd - 3.0) ** 2

    velocity = 0.9 * velocity - 0.1 * tape.gradient(loss, by_hand)
    by_hand.assign_add(velocity)

    optimizer.apply_gradients([(tape.gradient(other_loss, by_sgd), by_sgd)])
    print(f"{by_hand.numpy():8.4f} {by_sgd.numpy():8.4f}")

# %% [markdown]
# Momentum has a price, too: look how far beyond 3 it rolls before it turns round. **Change it**: try the momentum
# 0.5, in both places, and guess first.
#
# ### When to stop
#
# A program may learn too much. Here it has 12 weights and only 15 examples, and just one of the 12 columns tells it
# something; the others are chance. We keep 200 other points which it never trains on, and measure the loss on them
# too. (`matvec` multiplies a matrix by a vector.) Before you run the cells: will both curves fall to the end?
# %% [markdown] lang="fr"
# L'élan a aussi un prix : regardez jusqu'où il roule au-delà de 3 avant de faire demi-tour. **Changez-le** : essayez
# l'élan 0.5, aux deux endroits, et devinez d'abord.
#
# ### Quand s'arrêter
#
# Un programme peut apprendre trop. Ici, il a 12 poids et seulement 15 exemples, et une seule des 12 colonnes lui
# apprend quelque chose ; les autres sont du hasard. Nous gardons 200 autres points sur lesquels il ne s'entraîne
# jamais, et nous y mesurons aussi la perte. (`matvec` multiplie une matrice par un vecteur.) Avant d'exécuter les
# cellules : les deux courbes descendront-elles jusqu'au bout ?

# %% tags=["answer"]
tf.random.set_seed(2)
x, new_x = tf.random.normal([15, 12]), tf.random.normal([200, 12])
t, new_t = x[:, 0] + tf.random.normal([15]), new_x[:, 0] + tf.random.normal([200])
w, trained, new = tf.Variable(tf.zeros([12])), [], []

for step in range(100):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - t) ** 2)
    new_loss = tf.reduce_mean((tf.linalg.matvec(new_x, w) - new_t) ** 2)
    w.assign_sub(0.05 * tape.gradient(loss, w))
    trained.append(float(loss))
    new.append(float(new_loss))

# %% tags=["answer"] lang="en"
lines({"trained on": trained, "new points": new}, x="step", y="loss")

# %% tags=["answer"] lang="fr"
lines({"pour s'entraîner": trained, "nouveaux points": new}, x="pas", y="perte")

# %% [markdown]
# From some step on it learns the chance in its 15 examples by heart, and the new points pay for it. So one stops
# near the lowest place of the second curve. But in the middle of a training nobody knows yet that it is the lowest:
# one waits some steps, to see whether it falls once more. That is **early stopping**, and how long one waits is the
# **patience**.
#
# In the last exercise there is no tape. You get the losses of the second curve, and decide.
# %% [markdown] lang="fr"
# À partir d'un certain pas, il apprend par cœur le hasard de ses 15 exemples, et les nouveaux points en paient le
# prix. On s'arrête donc près du point le plus bas de la seconde courbe. Mais au milieu d'un entraînement, personne
# ne sait encore que c'est le plus bas : on attend quelques pas, pour voir si elle redescend. C'est l'**arrêt
# précoce**, et le temps que l'on attend est la **patience**.
#
# Dans le dernier exercice, il n'y a pas de bande. Vous recevez les pertes de la seconde courbe, et vous décidez.

# %% exercise="07.stop"

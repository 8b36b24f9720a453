# %% [markdown]
# # Lesson 10: A tape of a tape
#
# *About 40 minutes. You know how a tape is played backwards (lesson 03), and what a training step is (lesson 07).*
#
# A slope says how a result changes. But a slope changes, too: `x * x` has the slope 6 where `x` is 3, and the slope
# 8 where `x` is 4.
#
# > What is the slope of a slope?
#
# First run this cell. Then answer a question about an earlier lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 10 : une bande d'une bande
#
# *Environ 40 minutes. Vous savez comment une bande se joue à rebours (leçon 03), et ce qu'est un pas d'entraînement
# (leçon 07).*
#
# Une pente dit comment un résultat change. Mais une pente change, elle aussi : `x * x` a la pente 6 là où `x` vaut 3,
# et la pente 8 là où `x` vaut 4.
#
# > Qu'est-ce que la pente d'une pente ?
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur une leçon précédente. Ses nombres sont nouveaux
# à chaque fois.

# %%
import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, lines, valley

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="10.recall"

# %% [markdown]
# ## 1. Record the play
#
# First by hand, with two tapes that know nothing of each other:
# %% [markdown] lang="fr"
# ## 1. Enregistrer la lecture
#
# D'abord à la main, avec deux bandes qui ne savent rien l'une de l'autre :

# %% predict="10.growth"

# %% [markdown]
# How does a tape find a slope? It computes: it multiplies and adds. What is computed can be recorded. So we put a
# second tape around the first. The **inner** tape records the program. The **outer** tape records the program *and*
# the play of the inner tape.
#
# Before you run the two cells: `x * x` is one card. How many more cards will the outer tape have when the inner tape has
# been played, and which number will `bend` be? Then click on **Step**, and go on with the → key.
# %% [markdown] lang="fr"
# Comment une bande trouve-t-elle une pente ? Elle calcule : elle multiplie et additionne. Ce qui se calcule peut
# s'enregistrer. Nous mettons donc une seconde bande autour de la première. La bande **intérieure** (*inner*)
# enregistre le programme. La bande **extérieure** (*outer*) enregistre le programme *et* la lecture de la bande
# intérieure.
#
# Avant d'exécuter les deux cellules : `x * x` est une carte. Combien de cartes de plus la bande extérieure aura-t-elle
# quand la bande intérieure aura été jouée, et quel nombre vaudra `bend` ? Cliquez ensuite sur **Avancer**, et continuez
# avec la touche →.

# %% lang="en" tags=["folded"]
says = {
    "record card 1": "One product, and two tapes hear it: a card on each strip.",
    "seed": "The inner tape is played. The outer tape goes on recording.",
    "record card 3": "The play computes a part, adjoint times x. This is a product like any other: a new card on the outer strip.",
    "record card 5": "The parts are added: one more card. What it makes is the slope, 6.",
    "seed 2": "Now the outer tape is played. It begins at the slope, and asks: how does the slope depend on x?",
    "end": "The slope of the slope is 2. Where x grows a little, the slope grows twice as much.",
}

# %% lang="fr" tags=["folded"]
says = {
    "record card 1": "Un seul produit, et deux bandes l'entendent : une carte sur chacune.",
    "seed": "La bande intérieure est jouée. La bande extérieure continue d'enregistrer.",
    "record card 3": "La lecture calcule une part, adjoint multiplié par x. C'est un produit comme un autre : une nouvelle carte sur "
                     "la bande extérieure.",
    "record card 5": "Les parts s'additionnent : encore une carte. Elle produit la pente, 6.",
    "seed 2": "Maintenant, la bande extérieure est jouée. Elle part de la pente, et demande : comment la pente dépend-elle de x ?",
    "end": "La pente de la pente est 2. Si x augmente un peu, la pente augmente deux fois plus vite.",
}

# %% tags=["answer"]
# %%tape --say says
x = tf.Variable(3.0)

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x
    slope = inner.gradient(y, x)

bend = outer.gradient(slope, x)

# %% [markdown]
# **Take hold of a number.** Go to the end (the End key). Drag the number in the box `x` from 3 to 4, then from 5 to 6,
# and watch one number: `slope`. Does it grow by the same both times?
#
# The slope of a slope is also called the **second derivative**. It says how strongly the curve bends; so we call it
# `bend` here. Now with one `x` more:
# %% [markdown] lang="fr"
# **Prenez un nombre en main.** Allez à la fin (la touche Fin). Faites glisser le nombre dans la boîte `x` de
# 3 à 4, puis de 5 à 6, et regardez un seul nombre : `slope`. Augmente-t-il de la même quantité les deux fois ?
#
# La pente d'une pente s'appelle aussi la **dérivée seconde**. Elle dit à quel point la courbe est incurvée ; nous la
# nommons ici la courbure (`bend`). Et maintenant avec un `x` de plus :

# %% predict="10.bend"

# %% [markdown]
# ## 2. What is on the outer tape?
#
# The picture above has shown it for one product: the play makes cards, too. Now a chain of sines.
# %% [markdown] lang="fr"
# ## 2. Qu'y a-t-il sur la bande extérieure ?
#
# L'image ci-dessus l'a montré pour un produit : la lecture fait des cartes, elle aussi. Et maintenant une chaîne de sinus.

# %% predict="10.cards"

# %% [markdown]
# Look at such a program. The strip of `outer` goes on where that of `inner` ends. Find the first card that was made by
# the play.
# %% [markdown] lang="fr"
# Regardez un tel programme. La bande de `outer` continue là où celle de `inner` finit. Trouvez la première carte que la
# lecture a faite.

# %% tags=["answer"]
# %%tape
x = tf.Variable(1.0)

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.sin(tf.sin(x))
    slope = inner.gradient(y, x)

bend = outer.gradient(slope, x)

# %% [markdown]
# **Change it.** Write a `y` of your own in the cell above, such as `tf.exp(x) * x`. Say first how many cards the play
# will make, and of which operations; then run it.
#
# So it matters *where* the inner tape is played. This program has its lines in the right order, and yet it finds
# nothing.
# %% [markdown] lang="fr"
# **Changez-le.** Écrivez dans la cellule ci-dessus un `y` à vous, par exemple `tf.exp(x) * x`. Dites d'abord combien de
# cartes la lecture fera, et de quelles opérations ; puis exécutez.
#
# L'*endroit* où la bande intérieure est jouée compte donc. Ce programme a ses lignes dans le bon ordre, et pourtant il
# ne trouve rien.

# %% exercise="10.outside"

# %% [markdown]
# ## 3. Newton's method
#
# In lesson 07 a point walked down a valley. The slope said which way. How far, that was guessed: the rate. Here is such a
# valley; the function `cosh` draws it. Click on **Step** a few times, then drag the rate. Watch the steps near the bottom: can one
# rate be right at the steep side and at the flat bottom?
# %% [markdown] lang="fr"
# ## 3. La méthode de Newton
#
# Dans la leçon 07, un point descendait dans une vallée. La pente disait de quel côté. Jusqu'où, on le devinait : le taux.
# Voici une telle vallée ; la fonction `cosh` la dessine. Cliquez quelques fois sur **Avancer**, puis faites glisser le taux.
# Regardez les pas près du fond : un même taux peut-il convenir au côté raide et au fond plat ?

# %%
valley(lambda w: tf.math.cosh(w - 1.0), start=-3.0, rate=0.1, steps=12)

# %% [markdown]
# The bend knows how far. At the bottom the slope is 0. If the slope is 6 now, and becomes smaller by 2 for each 1 that
# we go, then it is 0 after 6 / 2 = 3. So **Newton's method** makes the step
#
# `slope / bend`
#
# and needs no rate.
# %% [markdown] lang="fr"
# La courbure sait jusqu'où aller. Au fond, la pente vaut 0. Si la pente vaut 6 maintenant, et diminue de 2 chaque fois
# que nous avançons de 1, alors elle vaut 0 après 6 / 2 = 3. La **méthode de Newton** fait donc le pas
#
# `slope / bend`
#
# et n'a pas besoin de taux.

# %% predict="10.step"

# %% [markdown]
# In a parabola the bend is the same everywhere, so one step is enough. Elsewhere the bend changes on the way, and one
# makes several steps.
# %% [markdown] lang="fr"
# Dans une parabole, la courbure est partout la même : un pas suffit. Ailleurs, la courbure change en chemin, et l'on fait
# plusieurs pas.

# %% exercise="10.newton"

# %% [markdown]
# Both walks in one picture: how far from the bottom is `w` after each step? The axis counts in powers of ten. Before you
# run it: how many steps does each need until it is nearer than 0.01? (What is nearer than 0.0000001 is drawn there: 0 has
# no place on such an axis.)
# %% [markdown] lang="fr"
# Les deux marches dans une image : à quelle distance du fond se trouve `w` après chaque pas ? L'axe compte en puissances
# de dix. Avant d'exécuter : combien de pas faut-il à chacune pour être à moins de 0,01 ? (Ce qui est à moins de 0,0000001
# est dessiné là : 0 n'a pas de place sur un tel axe.)

# %% tags=["answer"]
def walk(newton):
    w, distances = tf.Variable(0.0), []
    for step in range(20):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                loss = tf.math.cosh(w - 1.0)
            slope = inner.gradient(loss, w)
        bend = outer.gradient(slope, w)
        distances.append(abs(float(w) - 1.0))
        w.assign_sub(slope / bend if newton else 0.3 * slope)
    return [max(distance, 1e-7) for distance in distances]


# %% tags=["answer"] lang="en"
lines({"rate 0.3": walk(False), "Newton": walk(True)}, x="step", y="|w - 1|", log="y")

# %% tags=["answer"] lang="fr"
lines({"taux 0,3": walk(False), "Newton": walk(True)}, x="pas", y="|w - 1|", log="y")

# %% [markdown]
# Newton's method looks for a place where the slope is 0. That need not be a bottom. This loss has two bottoms, at -1 and
# at 1, and a top between them, at 0. The method begins at 0.3. Where will it arrive? Say it, then run the cell, and look
# at the column of `bend`.
# %% [markdown] lang="fr"
# La méthode de Newton cherche un endroit où la pente vaut 0. Ce n'est pas forcément un fond. Cette perte a deux fonds, en -1
# et en 1, et entre eux un sommet, en 0. La méthode part de 0,3. Où arrivera-t-elle ? Dites-le, puis exécutez la cellule, et
# regardez la colonne de `bend`.

# %% tags=["answer"]
w = tf.Variable(0.3)

for step in range(5):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = (w * w - 1.0) ** 2
        slope = inner.gradient(loss, w)
    bend = outer.gradient(slope, w)
    print(f"step {step}   w {w.numpy():7.4f}   slope {slope.numpy():7.4f}   bend {bend.numpy():7.4f}")
    w.assign_sub(slope / bend)

# %% [markdown]
# **Change it.** Let `w` begin at 0.7, and then at 0.5. Which sign has `bend` at step 0? And where does `w` arrive?
#
# Where the bend is negative, Newton's step sets out *uphill*. A short step comes near the top. A long one may land far
# beyond it.
# %% [markdown] lang="fr"
# **Changez-le.** Faites partir `w` de 0.7, puis de 0.5. Quel signe a `bend` au pas 0 ? Et où arrive `w` ?
#
# Là où la courbure est négative, le pas de Newton part *en montant*. Un pas court arrive près du sommet. Un pas long peut
# le dépasser de loin.

# %% [markdown]
# ## 4. A loss with a slope in it
#
# A loss may itself contain a slope. Then the training step needs a slope of a slope. In the last exercise the
# inner tape is asked about the *input*, and the outer tape about the *weights*. The whole body is yours. One thing to know:
# a tape watches variables by itself; a tensor it watches only after `tape.watch(x)`.
# %% [markdown] lang="fr"
# ## 4. Une perte qui contient une pente
#
# Une perte peut elle-même contenir une pente. Le pas d'entraînement a alors besoin d'une pente de pente. Dans le dernier
# exercice, la bande intérieure est interrogée sur l'*entrée*, et la bande extérieure sur les *poids*. C'est à vous
# d'écrire tout le corps de la fonction. Une chose à savoir : une bande suit d'elle-même les variables ; un tenseur, seulement après `tape.watch(x)`.

# %% exercise="10.penalty"

# %% [markdown]
# ## What you know now
#
# * The play of a tape computes, so an outer tape can record it, if it happens inside of the outer block.
# * **The slope of a slope is how fast the slope itself changes: the bend of the curve.**
# * Newton's method divides by it, and needs no rate. It looks for a slope of 0, which may also be a top.
# * A loss may contain slopes: a gradient penalty.
#
# Next: [Jacobians](11_jacobians.ipynb). What if the answer is not one number? What follows here is for whoever wants more.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * La lecture d'une bande calcule ; une bande extérieure peut donc l'enregistrer, si elle a lieu dans le bloc extérieur.
# * **La pente d'une pente dit à quelle vitesse la pente elle-même change : la courbure de la courbe.**
# * La méthode de Newton divise par elle, et n'a pas besoin de taux. Elle cherche une pente de 0, qui peut aussi être un sommet.
# * Une perte peut contenir des pentes : une pénalité de gradient.
#
# Ensuite : [Jacobiennes](11_jacobians.ipynb). Et si la réponse n'est pas un seul nombre ? Ce qui suit ici est pour qui veut en
# savoir plus.

# %% [markdown]
# ## Extras
#
# ### Many weights
#
# With `n` weights there are `n` slopes, and each of them changes with each weight: `n * n` numbers, a matrix that is
# called the **Hessian**. For a million weights these are a million million numbers, too many for your computer's
# memory. But mostly one wants only this: if the weights move along a vector `v`, how do the slopes change? That is the
# Hessian times `v`, only `n` numbers.
#
# There is a way without the matrix. Make **one number** of the slopes: each slope times its number of `v`, added up.
# The gradient of that number is what we look for.
# %% [markdown] lang="fr"
# ## Pour aller plus loin
#
# ### Beaucoup de poids
#
# Avec `n` poids, il y a `n` pentes, et chacune change avec chaque poids : `n * n` nombres, une matrice que l'on appelle la
# **hessienne**. Pour un million de poids, ce sont un million de millions de nombres, trop pour la mémoire de votre
# ordinateur. Mais le plus souvent on ne veut que ceci : si les poids bougent le long d'un vecteur `v`, comment les pentes
# changent-elles ? C'est la hessienne multipliée par `v`, seulement `n` nombres.
#
# On peut se passer de la matrice. Réduisez les pentes à **un seul nombre** : chaque pente multipliée par son nombre de `v`,
# le tout additionné. Le gradient de ce nombre est ce que nous cherchons.

# %% exercise="10.hessian-vector"

# %% [markdown]
# # Lesson 08: Layers and models
#
# *About 40 minutes. You know how a training step works: lesson 07.*
#
# In a small program each weight has a line of its own: `w = tf.Variable(...)`. A real model has thousands of
# weights, and nobody writes thousands of lines.
#
# > Where do the weights live?
#
# First run this cell. Then answer a question about the last lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 08 : couches et modèles
#
# *Environ 40 minutes. Vous savez ce qu'est un pas d'entraînement : leçon 07.*
#
# Dans un petit programme, chaque poids a sa ligne : `w = tf.Variable(...)`. Un vrai modèle a des milliers de
# poids, et personne n'écrit des milliers de lignes.
#
# > Où les poids habitent-ils ?
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur la leçon précédente. Ses nombres sont
# nouveaux à chaque fois.

# %%
import numpy as np

import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, lines, play

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="08.recall"

# %% [markdown]
# ## 1. A layer keeps its weights
#
# A **layer** is an object. You call it like a function, and it computes something. What is new: it *keeps* the
# variables that it needs.
#
# A `Dense` layer multiplies its input by a matrix, the **kernel**, and adds a **bias**. Both are variables.
# `Dense(2)` has two **units**: two numbers come out for each row.
#
# Before you run this cell: what does the layer keep before its first call, and which shapes after it?
# %% [markdown] lang="fr"
# ## 1. Une couche garde ses poids
#
# Une **couche** est un objet. On l'appelle comme une fonction, et elle calcule quelque chose. Ce qui est
# nouveau : elle *garde* les variables dont elle a besoin.
#
# Une couche `Dense` multiplie son entrée par une matrice, le **noyau** (*kernel*), et ajoute un **biais**
# (*bias*). Les deux sont des variables. `Dense(2)` a deux **unités** : deux nombres sortent pour chaque ligne.
#
# Avant d'exécuter cette cellule : que garde la couche avant son premier appel, et quelles formes après ?

# %% tags=["answer"]
layer = tf.keras.layers.Dense(2)
print([(v.name, tuple(v.shape)) for v in layer.variables])

y = layer(tf.constant([[1.0, 2.0, 3.0]]))
print([(v.name, tuple(v.shape)) for v in layer.variables])

# %% [markdown]
# A layer makes its variables when it is called for the first time. Only then does it know how many columns its
# input has, here 3.
#
# A **model** is a layer made of layers. `Sequential` calls them one after the other, and `model.variables` lists
# the variables of all of them; `model.trainable_variables` lists those that are to be trained, here all.
# `activation="relu"` puts a relu at the end of a layer: numbers below 0 become 0. A relu has no variables.
# %% [markdown] lang="fr"
# Une couche crée ses variables quand on l'appelle pour la première fois. Alors seulement, elle sait combien de
# colonnes a son entrée : ici 3.
#
# Un **modèle** est une couche faite de couches. `Sequential` les appelle l'une après l'autre, et
# `model.variables` énumère les variables de toutes ; `model.trainable_variables`, celles qui sont à entraîner, ici
# toutes. `activation="relu"` met un relu à la fin d'une couche : les nombres au-dessous de 0 deviennent 0. Un relu n'a
# pas de variables.

# %% predict="08.variables"

# %% [markdown]
# ## 2. Look inside
#
# Here is a model of two layers. We give it small weights, so that you can follow every number. (A new layer
# draws its kernel at random.)
#
# In the picture each layer is one box: its cards are **folded**. At the relu, 3 and -2 will arrive. On the way back
# two adjoints will arrive there, 2 and 3. Before you run it: which of them get through? Then run the two cells, click
# on **Step**, and go on with the → key.
# %% [markdown] lang="fr"
# ## 2. Regarder dedans
#
# Voici un modèle de deux couches. Nous lui donnons de petits poids, pour que vous puissiez suivre chaque nombre.
# (Une couche neuve tire son noyau au hasard.)
#
# Dans l'image, chaque couche est une boîte : ses cartes sont **pliées**. Au relu arriveront 3 et -2. Au retour, deux
# adjoints y arriveront : 2 et 3. Avant d'exécuter : lesquels passent ? Exécutez ensuite les deux cellules, cliquez
# sur **Avancer**, et continuez avec la touche →.

# %% lang="en" tags=["folded"]
says = {
    "record card 1": "The first card lies in the box Dense1. Click on the box: it opens. Inside you find the product of x and the "
                     "kernel. A click on Whole tape, above the picture, closes the box again.",
    "record card 3": "The relu: 3 stays, and -2 becomes 0. The second unit of this layer is off.",
    "record card 5": "Two boxes, one for each layer. Beside them: the variables that they keep.",
    "seed": "Now the way back. It goes through the boxes as if they were not there: the tape knows cards, no layers.",
    "visit card 3": "2 gets through the relu. 3 does not: the second unit was off.",
    "end": "One play, and each of the four variables has its gradient. What is 0 in them belongs to the unit that was off.",
}

# %% lang="fr" tags=["folded"]
says = {
    "record card 1": "La première carte se trouve dans la boîte Dense1. Cliquez sur la boîte : elle s'ouvre. Dedans, vous trouvez le "
                     "produit de x et du noyau. Un clic sur Toute la bande, au-dessus de l'image, la referme.",
    "record card 3": "Le relu : 3 reste, et -2 devient 0. La seconde unité de cette couche est éteinte.",
    "record card 5": "Deux boîtes, une pour chaque couche. À côté : les variables qu'elles gardent.",
    "seed": "Maintenant, le retour. Il traverse les boîtes comme si elles n'étaient pas là : la bande connaît des cartes, pas des "
            "couches.",
    "visit card 3": "2 franchit le relu. 3 ne passe pas : la seconde unité était éteinte.",
    "end": "Une seule lecture, et chacune des quatre variables a son gradient. Ce qui y est 0 appartient à l'unité éteinte.",
}

# %% tags=["way-back-asked"]
model = tf.keras.Sequential([
    tf.keras.layers.Dense(2, activation="relu"),
    tf.keras.layers.Dense(1)])
x = tf.constant([[1.0, 2.0]])
model(x)
model.set_weights([[[1.0, 2.0], [1.0, -2.0]], [0.0, 0.0], [[2.0], [3.0]], [0.5]])

with tf.GradientTape() as tape:
    y = model(x)

play(tape, y, model.trainable_variables, folded=True, say=says)

# %% [markdown]
# **Take hold of a number.** Go to the end (the End key) and click on `Dense1.bias`. It holds two numbers, one for
# each unit. Choose the second, `Dense1.bias[1]`, in the small list above the curve. Its slope is 0. Now drag
# the slider under the curve slowly to the right, and watch the curve: where does `y` begin to move, and how
# steep is it from there on?
#
# The slope 0 was right, but only near the recorded number. The unit woke up when its sum rose above 0. From then
# on the slope is the weight of this unit in `Dense2.kernel`.
# %% [markdown] lang="fr"
# **Prenez un nombre en main.** Allez à la fin (la touche Fin) et cliquez sur `Dense1.bias`. Il contient deux
# nombres, un pour chaque unité. Choisissez le second, `Dense1.bias[1]`, dans la petite liste au-dessus de la
# courbe. Sa pente est 0. Faites maintenant glisser lentement le curseur sous la courbe vers la droite, et regardez la
# courbe : où `y` commence-t-il à bouger, et quelle est la pente à partir de là ?
#
# La pente 0 était juste, mais seulement près du nombre enregistré. L'unité s'est réveillée quand sa somme a
# dépassé 0. Dès lors, la pente est le poids de cette unité dans `Dense2.kernel`.

# %% [markdown]
# ## 3. The same way back, by hand
#
# The picture went back for one row of input. Now you do it yourself, for many rows at once: product, relu, product.
# Write down what the tape does, card by card. (The rules of `@` are those of lesson 04: each adjoint has the shape of
# its value.)
# %% [markdown] lang="fr"
# ## 3. Le même retour, à la main
#
# L'image a fait le retour pour une seule ligne d'entrée. Maintenant, faites-le vous-même, pour plusieurs lignes à la
# fois : produit, relu, produit. Écrivez ce que fait la bande, carte par carte. (Les règles de `@` sont celles de la
# leçon 04 : chaque adjoint a la forme de sa valeur.)

# %% exercise="08.back"

# %% [markdown]
# Is the tape of the same opinion? Here both go back through the model of section 2. The second unit is off for both
# rows. Before you run it: where in `dW1` and `db1` will there be zeros?
# %% [markdown] lang="fr"
# La bande est-elle du même avis ? Ici, les deux font le retour à travers le modèle de la section 2. La seconde
# unité est éteinte pour les deux lignes. Avant d'exécuter : où y aura-t-il des zéros dans `dW1` et `db1` ?

# %% tags=["answer"]
W1, b1, W2, b2 = model.variables
x, t = tf.constant([[1.0, 2.0], [0.0, 3.0]]), tf.constant([[1.0], [0.0]])

with tf.GradientTape() as tape:
    loss = tf.reduce_sum((model(x) - t) ** 2)
gradients = tape.gradient(loss, [b2, W1, b1])

adjoints = way_back(*(v.numpy() for v in (x, t, W1, b1, W2, b2)))
by_hand = dict(zip(["db2", "dh", "dz", "dW1", "db1"], adjoints))
for name, gradient in zip(["db2", "dW1", "db1"], gradients):
    print(name, np.array(by_hand[name]).tolist(), gradient.numpy().tolist())

# %% [markdown]
# On the left stands your way back, on the right the tape's.
#
# ## 4. A layer of your own
#
# A layer is a class with two parts. `build` runs once, at the first call, and makes the variables. `call` runs at
# every call, and computes. Here is a whole one. It gives each column a factor that can be learned. Before you run it:
# which slope does each of the three factors get?
# %% [markdown] lang="fr"
# À gauche se trouve votre retour, à droite celui de la bande.
#
# ## 4. Votre propre couche
#
# Une couche est une classe en deux parties. `build` s'exécute une fois, au premier appel, et crée les variables.
# `call` s'exécute à chaque appel, et calcule. En voici une entière. Elle donne à chaque colonne un facteur qui
# s'apprend. Avant de l'exécuter : quelle pente chacun des trois facteurs reçoit-il ?

# %% tags=["way-back-asked"]
class Scale(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.factor = self.add_weight(name="factor", shape=(input_shape[-1],), initializer="ones")

    def call(self, x):
        y = x * self.factor
        return y


scale, x = Scale(), tf.constant([[1.0, 2.0, 3.0]])

with tf.GradientTape() as tape:
    y = scale(x)

play(tape, y, scale.variables, start="end")

# %% [markdown]
# The variable is an attribute, `self.factor`, and so the layer finds it by itself.
#
# **Change it.** Give your `Scale` a second variable, `self.shift`, which begins with zeros, and let `call` add it. Say
# first what will be new in the picture, and which slopes the shift will get. Then write the layer that you know.
# %% [markdown] lang="fr"
# La variable est un attribut, `self.factor`, et la couche la trouve donc toute seule.
#
# **Changez-le.** Donnez à votre `Scale` une seconde variable, `self.shift`, qui commence par des zéros et que `call`
# ajoute. Dites d'abord ce qui sera nouveau dans l'image, et quelles pentes elle recevra. Écrivez ensuite la couche
# que vous connaissez.

# %% exercise="08.dense"

# %% [markdown]
# ## 5. A network that reads digits
#
# Now a model with 11610 weights. Two layers keep them all, as above. Here is what it will read: digits that the
# program draws, each one bent and smudged in its own way.
# %% [markdown] lang="fr"
# ## 5. Un réseau qui lit des chiffres
#
# Maintenant un modèle de 11610 poids. Deux couches les gardent tous, comme plus haut. Voici ce qu'il lira : des chiffres
# que dessine le programme, chacun courbé et brouillé à sa manière.

# %%
images, labels = tf.data.digits(1000, size=14)
test_images, test_labels = tf.data.digits(300, size=14, seed=1)

for row in range(14):
    print("  ".join("".join(" .:*#@"[v // 43] for v in images[k][row]) for k in range(5)))
print(labels[:5])

# %% [markdown]
# A **convolution** is a layer for images. It has filters: small squares of weights. Each filter slides over the
# image, and at every place its weights are multiplied with the pixels under it, and added up. Then the bias of the
# filter is added. A network with convolutions is called a **CNN** (*convolutional neural network*).
# %% [markdown] lang="fr"
# Une **convolution** est une couche pour les images. Elle a des filtres : de petits carrés de poids. Chaque filtre
# glisse sur l'image, et à chaque endroit ses poids sont multipliés par les pixels qu'il couvre, puis additionnés. On ajoute
# ensuite le biais du filtre. Un réseau à convolutions s'appelle un **CNN** (*convolutional neural network*).

# %% predict="08.filters"

# %% [markdown]
# For an image, the model will give ten numbers, one for each digit: they are called **logits**. The largest is its
# answer. **Softmax** turns them into probabilities `p`: `exp` of each logit, divided by the sum of all. The loss is
# `-log` of the probability that the right digit got; it is called **cross-entropy**. It is near 0 where that is near 1.
#
# **One-hot** is the right answer, written in the same way: 1 at the right digit, 0 at all others. Here are three logits;
# the right one is at place 1. Before you run the cell: which of the slopes will be below 0? Then compare the last two
# rows: at which place do they differ, and by how much?
# %% [markdown] lang="fr"
# Pour une image, le modèle donnera dix nombres, un par chiffre : on les appelle des **logits**. Le plus grand est sa
# réponse. Le **softmax** en fait des probabilités `p` : `exp` de chaque logit, divisé par la somme de tous. La perte est
# `-log` de la probabilité que le bon chiffre a reçue ; on l'appelle **entropie croisée** (*cross-entropy*). Elle est
# proche de 0 quand cette probabilité est proche de 1.
#
# Le codage **one-hot**, c'est la bonne réponse écrite de la même façon : 1 au bon chiffre, 0 à tous les autres. Voici trois
# logits ; le bon est à la place 1. Avant d'exécuter la cellule : lesquelles des pentes seront au-dessous de 0 ?
# Comparez ensuite les deux dernières lignes : à quelle place diffèrent-elles, et de combien ?

# %% tags=["answer"]
logits, right = tf.Variable([2.0, 1.0, 0.0]), 1

with tf.GradientTape() as tape:
    p = tf.nn.softmax(logits)
    loss = -tf.math.log(p[right])
slopes = tape.gradient(loss, logits)

print("one-hot", tf.one_hot(right, 3).numpy())
print("p      ", p.numpy().round(2))
print("slopes ", slopes.numpy().round(2))

# %% predict="08.pull"

# %% [markdown]
# So the way back begins in every network that chooses one of several answers: **p minus one-hot**. In your `way_back` it
# would stand in the place of `2 * (y - t)`, and nothing else would change. (Logits of 1000 need more care: lesson 12.)
# %% [markdown] lang="fr"
# Ainsi commence le retour de tout réseau qui choisit une réponse parmi plusieurs : **p moins one-hot**.
# Dans votre `way_back`, il prendrait la place de `2 * (y - t)`, et rien d'autre ne changerait. (Des logits de 1000 demandent plus de soin : leçon 12.)

# %% [markdown]
# Now train. `Flatten` lays what the filters found in one row; it has no variables. `SparseCategoricalCrossentropy` is the
# cross-entropy for labels that are numbers; `from_logits=True` tells it to take the softmax itself. `Dataset` deals out the
# images, shuffled, 50 at a time: a mini-batch, or *batch* for short.
#
# `prepared` makes numbers from 0 to 1, and adds an axis for colours (one). The loop makes the same four movements as in
# lesson 07. It takes a few seconds. Before you run it: how many of 100 digits that it has never seen will the model
# read, after 5 turns through all images?
# %% [markdown] lang="fr"
# À présent, l'entraînement. `Flatten` met ce que les filtres ont trouvé en une seule ligne ; il n'a pas de variables.
# `SparseCategoricalCrossentropy` est l'entropie croisée pour des étiquettes qui sont des nombres ; `from_logits=True`
# lui dit d'appliquer elle-même le softmax. `Dataset` distribue les images, mélangées, 50 à la fois : un mini-lot,
# ou *lot* (en anglais *batch*).
#
# `prepared` fait des nombres de 0 à 1, et ajoute un axe pour les couleurs (une seule). La boucle fait les quatre
# mouvements de la leçon 07. Cela prend quelques secondes. Avant de l'exécuter : combien de chiffres, sur 100 qu'il n'a
# jamais vus, le modèle lira-t-il après 5 tours de toutes les images ?

# %% tags=["answer"]
def prepared(images):
    return tf.constant(images[..., np.newaxis] / 255, tf.float32)


tf.random.set_seed(0)
cnn = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10)])
loss_function = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.2)

batches = tf.data.Dataset.from_tensor_slices((prepared(images), labels)).shuffle(1000, seed=0).batch(50)
losses = []
for turn in range(5):
    for batch, right in batches:
        with tf.GradientTape() as tape:
            loss = loss_function(right, cnn(batch))
        gradients = tape.gradient(loss, cnn.trainable_variables)
        optimizer.apply_gradients(zip(gradients, cnn.trainable_variables))
        losses.append(float(loss))
    answers = cnn(prepared(test_images)).numpy().argmax(axis=1)
    print(f"{100 * (answers == test_labels).mean():.0f} / 100")

# %% lang="en"
lines({"loss": losses}, x="batch", y="loss", log="y")

# %% lang="fr"
lines({"perte": losses}, x="lot", y="perte", log="y")

# %% [markdown]
# **Change it.** Does it still read well with 2 filters instead of 8? Without the convolution? Change the model
# above, and guess before you run.
#
# In the last exercise the whole training step is yours, and no model helps you.
# %% [markdown] lang="fr"
# **Changez-le.** Lit-il encore bien avec 2 filtres au lieu de 8 ? Sans la convolution ? Changez le modèle
# ci-dessus, et devinez avant d'exécuter.
#
# Dans le dernier exercice, vous écrivez tout le pas d'entraînement, et aucun modèle ne vous aide.

# %% exercise="08.cnn"

# %% [markdown]
# ## What you know now
#
# * A layer makes its variables at its first call, in `build`, and computes in `call`.
# * The tape knows cards, no layers. A layer gets gradients if a way leads from the loss back to it, else None.
# * Back through a product: the kernel gets input times adjoint, the input gets adjoint times kernel. Behind softmax and
#   cross-entropy it begins with p minus one-hot.
# * So the weights live **in the layers, as attributes**, and `model.trainable_variables` collects them.
#
# Next: [training health](09_training_health.ipynb). Tape or dashboard? What follows here is for whoever wants more.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Une couche crée ses variables à son premier appel, dans `build`, et calcule dans `call`.
# * La bande connaît des cartes, pas des couches. Une couche reçoit des gradients si un chemin revient de la perte
#   jusqu'à elle, sinon None.
# * Au retour, dans un produit : le noyau reçoit l'entrée multipliée par l'adjoint, l'entrée reçoit l'adjoint
#   multiplié par le noyau. Après un softmax et une entropie croisée, le retour commence par p moins one-hot.
# * Les poids habitent donc **dans les couches, comme attributs**, et `model.trainable_variables` les rassemble.
#
# Ensuite : [santé de l'entraînement](09_training_health.ipynb). La bande ou le tableau de bord ? Ce qui suit ici est pour qui
# veut en savoir plus.

# %% [markdown]
# ## Extras
#
# ### A layer with a wish
#
# A layer may also want something. It says so with `self.add_loss(...)`, and the model collects such wishes in
# `model.losses`. It does no more than that: who trains the model adds them to the loss.
# %% [markdown] lang="fr"
# ## Pour aller plus loin
#
# ### Une couche qui souhaite quelque chose
#
# Une couche peut aussi souhaiter quelque chose. Elle le dit par `self.add_loss(...)`, et le modèle rassemble ces
# souhaits dans `model.losses`. Il ne fait rien de plus : c'est à qui entraîne le modèle de les ajouter à la perte.

# %% exercise="08.own-loss"

# %% [markdown]
# ### Which gradient is None?
#
# `tape.gradient(loss, variables)` gives a list: one gradient for each variable, in the same order.
# %% [markdown] lang="fr"
# ### Quel gradient est None ?
#
# `tape.gradient(loss, variables)` donne une liste : un gradient pour chaque variable, dans le même ordre.

# %% predict="08.nones"

# %% [markdown]
# Look at such a program at the end of its play. The picture calls its layers Dense1, Dense2 and Dense3, in the order
# in which they ran. Start at `loss`, and follow the orange arrows back to the left. To which box do they not lead?
# %% [markdown] lang="fr"
# Regardez un tel programme à la fin de sa lecture. L'image appelle ses couches Dense1, Dense2 et Dense3, dans
# l'ordre où elles se sont exécutées. Partez de `loss`, et suivez les flèches orange vers la gauche. À quelle boîte
# ne mènent-elles pas ?

# %% tags=["answer"]
a, b, c = [tf.keras.layers.Dense(2) for _ in range(3)]

with tf.GradientTape() as tape:
    h = a(tf.ones([4, 3]))
    side = b(h)
    y = c(h)
    loss = tf.reduce_mean(y * y)

play(tape, loss, a.variables + b.variables + c.variables, folded=True, start="end")

# %% [markdown]
# **Change it.** Make the second layer count: write `y = c(h) + side` in the cell above, and run it again. Say first
# what will be different in the picture.
# %% [markdown] lang="fr"
# **Changez-le.** Faites compter la deuxième couche : écrivez `y = c(h) + side` dans la cellule ci-dessus, et
# exécutez-la de nouveau. Dites d'abord ce qui sera différent dans l'image.

# %% [markdown]
# ### Freeze
#
# Sometimes a part of a model shall stay as it is. It is **frozen**: `layer.trainable = False`. What changes is one
# list: `model.trainable_variables` leaves its variables out. So the tape is not asked for them, and no None comes back
# for them.
# %% [markdown] lang="fr"
# ### Geler
#
# Parfois, une partie d'un modèle doit rester comme elle est. On la **gèle** : `layer.trainable = False`. Une seule
# liste change : `model.trainable_variables` laisse ses variables de côté. La bande n'est donc pas interrogée sur
# elles, et aucun None ne revient à leur place.

# %% exercise="08.freeze"

# %% [markdown]
# ### The digits' tape
#
# The same tape trained the network, only with larger boxes. Watch it with one image: `Flatten` has a box of its own. Open
# that of the convolution: which three cards do you find inside? And which of the three boxes has no variables beside it?
# %% [markdown] lang="fr"
# ### La bande des chiffres
#
# C'est la même bande qui a entraîné le réseau, seulement avec de plus grandes boîtes. Regardez-la avec une image :
# `Flatten` a sa propre boîte. Ouvrez celle de la convolution : quelles trois cartes y trouvez-vous ? Et laquelle des trois
# boîtes n'a pas de variables à côté d'elle ?

# %% tags=["answer"]
image, label = prepared(images[:1]), tf.constant(labels[:1])

with tf.GradientTape() as tape:
    loss = loss_function(label, cnn(image))

play(tape, loss, cnn.trainable_variables, folded=True, start="end")

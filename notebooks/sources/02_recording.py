# %% [markdown]
# # Lesson 02: Recording
#
# *About 40 minutes. Before it: [lesson 01](01_why_a_tape.ipynb).*
#
# A tape remembers the steps of a program. But a program is more than `+` and `*`: it has loops and `if`, it gives
# names, it calls NumPy. **What is on the tape, and what is not?**
#
# First run the next cell. Then answer a question on the lesson before. Its numbers are new each time the cell is run.
# %% [markdown] lang="fr"
# # Leçon 02 : enregistrer
#
# *Environ 40 minutes. Avant elle : la [leçon 01](01_why_a_tape.ipynb).*
#
# Une bande se rappelle les pas d'un programme. Mais un programme est plus que des `+` et des `*` : il a des boucles
# et des `if`, il donne des noms, il appelle NumPy. **Qu'y a-t-il sur la bande, et qu'est-ce qui n'y est pas ?**
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur la leçon précédente. Ses nombres
# changent chaque fois que la cellule est exécutée.
# %% [markdown] lang="es"
# # Lección 02: grabar
#
# *Unos 40 minutos. Antes: la [lección 01](01_why_a_tape.ipynb).*
#
# Una cinta recuerda los pasos de un programa. Pero un programa es más que `+` y `*`: tiene bucles e `if`, da nombres,
# llama a NumPy. **¿Qué está en la cinta, y qué no?**
#
# Ejecuta primero las dos celdas siguientes. Después responde a una pregunta sobre la lección anterior. Sus números son
# nuevos cada vez que se ejecuta la celda.

# %%
import minitape as tf
import numpy as np
from minitape.exercises import exercise
from minitape_widgets import ask

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% lang="es"
from minitape.sentences import set_language

set_language("es")

# %% predict="02.recall"

# %% [markdown]
# ## 1. A loop
#
# You know that each operation becomes a card. How is it with a line that runs several times?
# %% [markdown] lang="fr"
# ## 1. Une boucle
#
# Vous savez que chaque opération devient une carte. Qu'en est-il d'une ligne qui s'exécute plusieurs fois ?
# %% [markdown] lang="es"
# ## 1. Un bucle
#
# Ya sabes que cada operación se convierte en una tarjeta. ¿Qué pasa con una línea que se ejecuta varias veces?

# %% predict="02.count"

# %% [markdown]
# Now watch such a loop being recorded. Step through the *recording* slowly, and keep an eye on the code: which line
# is marked?
# %% [markdown] lang="fr"
# Regardez maintenant l'*enregistrement* d'une telle boucle. Avancez lentement, et gardez un œil sur le code : quelle
# ligne est marquée ?
# %% [markdown] lang="es"
# Ahora mira cómo se graba un bucle así. Avanza despacio por la *grabación*, y no pierdas de vista el código: ¿qué línea
# está marcada?

# %% lang="en" tags=["folded"]
says = {
    "record card 1": "The line in the loop runs for the first time, and leaves a card.",
    "record card 2": "The same line again: a new card. The name y now means another value. The picture calls them y₁ and y₂.",
    "play": "The loop is over. Each turn has left a card. There is no card for the loop itself.",
    "seed": "The tape is played card by card. It does not know that there was a loop, and it need not know.",
    "sum x": "x was used in each turn, so each turn sends its parts. They are added, as always.",
    "end": "What is on the tape is what ran, in the order in which it ran.",
}

# %% lang="fr" tags=["folded"]
says = {
    "record card 1": "La ligne de la boucle s'exécute pour la première fois, et laisse une carte.",
    "record card 2": "La même ligne encore : une nouvelle carte. Le nom y désigne maintenant une autre valeur. L'image les appelle y₁ et y₂.",
    "play": "La boucle est finie. Chaque tour a laissé une carte. Il n'y en a pas pour la boucle elle-même.",
    "seed": "La bande est jouée carte par carte. Elle ne sait pas qu'il y avait une boucle, et n'a pas besoin de le savoir.",
    "sum x": "x a servi à chaque tour ; chaque tour envoie donc ses parts. Elles s'additionnent, comme toujours.",
    "end": "Ce qui est sur la bande, c'est ce qui s'est exécuté, dans l'ordre où cela s'est exécuté.",
}

# %% lang="es" tags=["folded"]
says = {
    "record card 1": "La línea del bucle se ejecuta por primera vez, y deja una tarjeta.",
    "record card 2": "La misma línea otra vez: una tarjeta nueva. Ahora el nombre y es el de otro valor. La imagen los llama y₁ e y₂.",
    "play": "El bucle terminó. Cada vuelta dejó una tarjeta. Para el bucle mismo no hay ninguna.",
    "seed": "La cinta se reproduce tarjeta por tarjeta. No sabe que hubo un bucle, ni necesita saberlo.",
    "sum x": "x se usó en cada vuelta, así que cada vuelta envía sus partes. Se suman, como siempre.",
    "end": "Lo que está en la cinta es lo que se ejecutó, en el orden en que se ejecutó.",
}

# %%
# %%tape --link knows-value-adjoint-local-inspector --say says
x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = x
    for turn in range(3):
        y = y * x

slope = tape.gradient(y, x)

# %% [markdown]
# **Change it.** Put `y * x` into a function of your own, `def grow(y, x):`, and call it in the loop:
# `y = grow(y, x)`. Say first: will there be more cards, fewer, or as many?
#
# The boxes and arrows in the player show which value was made of which. Such a picture is called a **computational
# graph**. It has no loop in it: it grows while the program runs.
#
# ## 2. An `if`
#
# A program can take one of two ways, called branches. Which of them does the tape know?
# %% [markdown] lang="fr"
# **Changez-la.** Mettez `y * x` dans une fonction à vous, `def grow(y, x):`, et appelez-la dans la boucle :
# `y = grow(y, x)`. Dites d'abord : y aura-t-il plus de cartes, moins, ou autant ?
#
# Les boîtes et les flèches du lecteur montrent quelle valeur est faite de quelles autres. Une telle image s'appelle un
# **graphe de calcul**. Il n'y a pas de boucle dedans : il grandit pendant que le programme s'exécute.
#
# ## 2. Un `if`
#
# Un programme peut prendre l'un de deux chemins, appelés branches. Lequel des deux la bande connaît-elle ?
# %% [markdown] lang="es"
# **Cámbialo.** Pon `y * x` en una función tuya, `def grow(y, x):`, y llámala en el bucle: `y = grow(y, x)`. Di primero:
# ¿habrá más tarjetas, menos, o las mismas?
#
# Las cajas y las flechas del reproductor muestran qué valor se hizo de cuáles. Una imagen así se llama **grafo de
# cálculo**. En él no hay ningún bucle: crece mientras el programa se ejecuta.
#
# ## 2. Un `if`
#
# Un programa puede tomar uno de dos caminos, que se llaman ramas. ¿Cuál de ellas conoce la cinta?

# %% predict="02.branch"

# %% [markdown]
# Here is an `if` on the tape. This time there are two things beside the strip of cards: the **margin**, where the
# player notes what was seen but not recorded, and lines of the code that did not run. Step to the end. Then take
# hold of `x`, as the player says.
# %% [markdown] lang="fr"
# Voici un `if` sur la bande. Cette fois, il y a deux choses à côté des cartes : la **marge**, où le lecteur note ce
# qui a été vu mais pas enregistré, et des lignes du code qui n'ont pas été exécutées. Avancez jusqu'à la fin. Prenez
# ensuite `x` en main, comme le lecteur le dit.
# %% [markdown] lang="es"
# Aquí hay un `if` en la cinta. Esta vez hay dos cosas junto a la tira de tarjetas: el **margen**, donde el reproductor
# anota lo que se vio pero no se grabó, y líneas del código que no se ejecutaron. Avanza hasta el final. Después toma
# `x` con la mano, como dice el reproductor.

# %% lang="en" tags=["folded"]
says = {
    "record card 1": "x > 2 compares. That is an operation too: it takes x, gives True or False, and has a card, Greater.",
    "note": "Python's if wants a plain yes or no, and asks for it with bool(). That answer leaves the tape. The player notes it in the margin.",
    "record card 2": "The answer decides: one of the two lines runs, and leaves a card. "
                     "The other one does not run. It is pale in the code.",
    "end": "The picture has kept the cards. Drag the number of x to the other side of 2. There, the program would take the other way. What do the cards do?",
}

# %% lang="fr" tags=["folded"]
says = {
    "record card 1": "x > 2 compare. C'est aussi une opération : elle prend x, donne True ou False, et a une carte, Greater.",
    "note": "Le if de Python veut un simple oui ou non, et le demande avec bool(). Cette réponse quitte la bande. Le lecteur le note dans la marge.",
    "record card 2": "La réponse décide : une des deux lignes s'exécute, et laisse une carte. "
                     "L'autre ne s'exécute pas. Elle est pâle dans le code.",
    "end": "L'image a gardé les cartes. Faites glisser le nombre de x de l'autre côté de 2. Là, le programme prendrait l'autre chemin. Que font les cartes ?",
}

# %% lang="es" tags=["folded"]
says = {
    "record card 1": "x > 2 compara. Eso también es una operación: toma x, da True o False, y tiene una tarjeta, Greater.",
    "note": "El if de Python quiere un simple sí o no, y lo pide con bool(). Esa respuesta sale de la cinta. El reproductor lo anota en el margen.",
    "record card 2": "La respuesta decide: una de las dos líneas se ejecuta, y deja una tarjeta. "
                     "La otra no se ejecuta. En el código se ve pálida.",
    "end": "La imagen ha guardado las tarjetas. Arrastra el número de x al otro lado del 2. Ahí, el programa tomaría el otro camino. ¿Qué hacen las tarjetas?",
}

# %%
# %%tape --link knows-value-adjoint-local-inspector --say says
x = tf.Variable(3.0)

with tf.GradientTape() as tape:
    if x > 2:
        y = x * x
    else:
        y = 5 * x

slope = tape.gradient(y, x)

# %% [markdown]
# **Change it.** In the picture you have moved `x` to the other side. Now do it in the program: write
# `x = tf.Variable(1.0)` into the cell, and run it again. Which cards are there now, and what is the slope?
#
# The two are not the same thing. The player does not run your program again: it plays the *cards* again, and there
# was no card for the other way. A tape is the record of one run, not the program. A new run leaves a new tape.
#
# In a `while`, the numbers decide how many turns there are:

# %% [markdown] lang="fr"
# **Changez-la.** Dans l'image, vous avez fait passer `x` de l'autre côté. Faites-le maintenant dans le programme :
# écrivez `x = tf.Variable(1.0)` dans la cellule, et exécutez-la de nouveau. Quelles cartes y a-t-il maintenant, et
# quelle est la pente ?
#
# Les deux ne sont pas la même chose. Le lecteur n'exécute pas votre programme de nouveau : il rejoue les *cartes*,
# et il n'y avait pas de carte pour l'autre chemin. Une bande est le compte rendu d'une exécution, pas le programme.
# Une nouvelle exécution laisse une nouvelle bande.
#
# Dans un `while`, ce sont les nombres qui décident du nombre de tours :
# %% [markdown] lang="es"
# **Cámbialo.** En la imagen has llevado `x` al otro lado. Ahora hazlo en el programa: escribe `x = tf.Variable(1.0)` en la
# celda, y ejecútala otra vez. ¿Qué tarjetas hay ahora, y cuál es la pendiente?
#
# No son lo mismo. El reproductor no vuelve a ejecutar tu programa: vuelve a reproducir las *tarjetas*, y para el otro
# camino no había tarjeta. Una cinta es el registro de una ejecución, no el programa. Una ejecución nueva deja una cinta
# nueva.
#
# En un `while`, son los números los que deciden cuántas vueltas hay:

# %% predict="02.until"

# %% [markdown]
# So in every run the slope is `y / x`, as large as the turns of this run have made it. A tape finds it, since it has only to
# play what ran.
#
# Such a tape, written anew in each run, is what **PyTorch** keeps as well. There `requires_grad=True` says what is watched,
# and `y.backward()` plays the cards backwards. The names that you learn here are TensorFlow's.
#
# ## 3. What falls to the margin
#
# Not every operation that runs is recorded. Two things are needed for a card:
#
# 1. the operation runs **inside of the `with` block**;
# 2. something **watched** takes part in it.
#
# A `tf.Variable` is watched by itself, and so is what is computed from it in the block. A `tf.constant`, a number that is not
# to change, is not watched.
# %% [markdown] lang="fr"
# À chaque exécution, la pente est donc `y / x` : ce sont les tours de cette exécution qui la font. Une bande la
# trouve, puisqu'elle n'a qu'à rejouer ce qui s'est exécuté.
#
# Une telle bande, écrite de nouveau à chaque exécution, c'est aussi ce que garde **PyTorch**. Là, `requires_grad=True` dit ce
# qui est suivi, et `y.backward()` joue les cartes à rebours. Les noms que vous apprenez ici sont ceux de TensorFlow.
#
# ## 3. Ce qui va dans la marge
#
# Toutes les opérations exécutées ne sont pas enregistrées. Pour une carte, il faut deux choses :
#
# 1. l'opération s'exécute **à l'intérieur du bloc `with`** ;
# 2. une valeur **suivie** par la bande y prend part.
#
# Une `tf.Variable` est suivie d'elle-même, ainsi que ce qu'on en calcule dans le bloc. Une
# `tf.constant`, un nombre qui ne doit pas changer, ne l'est pas.
# %% [markdown] lang="es"
# Así que en cada ejecución la pendiente es `y / x`, tan grande como la hicieron las vueltas de esa ejecución.
# Una cinta la encuentra, porque solo tiene que reproducir lo que se ejecutó.
#
# Una cinta así, escrita de nuevo en cada ejecución, es también lo que guarda **PyTorch**. Ahí, `requires_grad=True` dice qué
# se observa, e `y.backward()` reproduce las tarjetas hacia atrás. Los nombres que aprendes aquí son los de TensorFlow.
#
# ## 3. Lo que se queda en el margen
#
# No todas las operaciones que se ejecutan se graban. Para que haya tarjeta hacen falta dos cosas:
#
# 1. que la operación se ejecute **dentro del bloque `with`**;
# 2. que participe en ella algo **observado**.
#
# Una `tf.Variable` la cinta la observa por sí sola, y también lo que se calcula a partir de ella en el bloque. Una
# `tf.constant`, un número que no ha de cambiar, no.

# %% predict="02.watched"

# %% [markdown]
# Now a smaller program of this kind. While you step, keep an eye on the margin, at the bottom of the player.
# %% [markdown] lang="fr"
# Voici un programme plus petit de ce genre. En avançant, gardez un œil sur la marge, en bas du lecteur.
# %% [markdown] lang="es"
# Ahora un programa más pequeño de este tipo. Mientras avanzas, no pierdas de vista el margen, al pie del reproductor.

# %% lang="en" tags=["folded"]
says = {
    "record card 1": "x is watched, so x * x is recorded, and what it gives is watched too.",
    "skip": "rate * rate runs as well, but nothing watched takes part. No card: only a note in the margin. "
            "For the tape, b is a fixed number that came from nowhere.",
}

# %% lang="fr" tags=["folded"]
says = {
    "record card 1": "x est suivi : x * x est donc enregistré, et ce que cela donne est suivi aussi.",
    "skip": "rate * rate s'exécute aussi, mais rien de suivi n'y prend part. Pas de carte : seulement une note dans la marge. "
            "Pour la bande, b est un nombre fixe, venu de nulle part.",
}

# %% lang="es" tags=["folded"]
says = {
    "record card 1": "La cinta observa x, así que graba x * x, y desde ahora observa también lo que da.",
    "skip": "rate * rate también se ejecuta, pero no participa nada observado. No hay tarjeta: solo una nota en el margen. "
            "Para la cinta, b es un número fijo que no viene de ninguna parte.",
}

# %%
# %%tape --say says
x = tf.Variable(4.0)
rate = tf.constant(3.0)

with tf.GradientTape() as tape:
    a = x * x
    b = rate * rate
    y = a * b

slope = tape.gradient(y, x)

# %% [markdown]
# **Change it**, one thing at a time, and each time say first how many cards there will be. (Where words of the
# lesson no longer fit, the cell leaves them out.)
#
# * Write `tape.watch(rate)` as the first line of the block: from there on the constant is watched.
# * Take that line away again, and let NumPy compute: `b = np.sqrt(a)`. What is noted in the margin, and where does
#   the result come back? (`y` is now `x * x * x`, so the slope should be 48. What does the tape say?)
#
# ## 4. The tape first, then the program
#
# Now the other way round: you get a tape, and write the program that leaves it. Any program will do that leaves
# exactly these cards. (The order of two factors, or of two summands, does not matter.) Under each verdict there is a
# button: it plays the tape that *your* program has left.
# %% [markdown] lang="fr"
# **Changez-la**, une chose à la fois, et dites chaque fois d'abord combien de cartes il y aura. (Quand un commentaire
# de la leçon ne convient plus, la cellule l'omet.)
#
# * Écrivez `tape.watch(rate)` comme première ligne du bloc : à partir de là, la constante est suivie.
# * Retirez cette ligne, et laissez NumPy calculer : `b = np.sqrt(a)`. Qu'est-ce qui est noté dans la marge, et où
#   le résultat revient-il ? (`y` est maintenant `x * x * x`, la pente devrait donc être 48. Que dit la bande ?)
#
# ## 4. La bande d'abord, puis le programme
#
# Et maintenant, dans l'autre sens : on vous donne une bande, et vous écrivez le programme qui la laisse. Tout
# programme convient s'il laisse exactement ces cartes. (L'ordre de deux facteurs, ou de deux termes, n'a pas
# d'importance.) Sous chaque verdict, il y a un bouton : il joue la bande que *votre* programme a laissée.
# %% [markdown] lang="es"
# **Cámbialo**, una cosa cada vez, y di siempre primero cuántas tarjetas habrá. (Donde las palabras de la lección ya no
# encajan, la celda las omite.)
#
# * Escribe `tape.watch(rate)` como primera línea del bloque: desde ahí, la cinta observa la constante.
# * Quita otra vez esa línea, y deja que calcule NumPy: `b = np.sqrt(a)`. ¿Qué se anota en el margen, y por dónde vuelve a
#   entrar el resultado? (`y` es ahora `x * x * x`, así que la pendiente debería ser 48. ¿Qué dice la cinta?)
#
# ## 4. Primero la cinta, después el programa
#
# Ahora al revés: te damos una cinta, y escribes el programa que la deja. Sirve cualquier programa que deje exactamente
# esas tarjetas. (El orden de dos factores, o de dos sumandos, no importa.) Debajo de cada veredicto hay un botón:
# reproduce la cinta que ha dejado *tu* programa.

# %% exercise="02.straight"

# %% exercise="02.turns"

# %% exercise="02.parcel"

# %% [markdown]
# ## 5. A card that is not there
#
# Where no way leads back, the slope is `None`, Python's word for nothing, and the tape warns you. Where one way is
# missing and another is left, it does not: a number comes back. It is the wrong number.
# %% [markdown] lang="fr"
# ## 5. Une carte qui n'est pas là
#
# Quand il n'y a aucun chemin de retour, la pente est `None`, le mot de Python pour rien, et la bande vous avertit.
# Quand un chemin manque et qu'un autre reste, elle ne dit rien : un nombre revient, mais ce n'est pas le bon.
# %% [markdown] lang="es"
# ## 5. Una tarjeta que no está
#
# Cuando ningún camino lleva de vuelta, la pendiente es `None`, la palabra de Python para nada, y la cinta te avisa. Cuando
# falta un camino y queda otro, no avisa: vuelve un número. Es el número equivocado.

# %% exercise="02.bill"

# %% [markdown]
# ## What you know now
#
# * **On the tape** is each operation that ran inside of the block and in which something watched took part, each
#   time it ran.
# * Loops, `if`, functions and names make no cards: the tape knows which steps ran, not why. (A comparison such as `x > 2`
#   computes, and has one.)
# * **Not on the tape** is what ran before the block, with nothing watched, or in NumPy. For the tape, its result is
#   a fixed number.
# * A tape is the record of one run. With other numbers, the same program may leave another tape.
#
# So on the tape is what ran in the block with something watched, once for each time it ran, and nothing else.
#
# Next: [Playing it backwards](03_playing_backwards.ipynb). Why backwards, and why are parts added?
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * **Sur la bande** se trouve chaque opération exécutée dans le bloc à laquelle une valeur suivie a pris part, chaque
#   fois qu'elle s'est exécutée.
# * Les boucles, les `if`, les fonctions et les noms ne font pas de cartes : la bande sait quels pas ont été faits,
#   pas pourquoi. (Une comparaison comme `x > 2` calcule, et en a une.)
# * **N'est pas sur la bande** ce qui s'est exécuté avant le bloc, sans rien de suivi, ou dans NumPy. Pour la bande,
#   son résultat est un nombre fixe.
# * Une bande est le compte rendu d'une exécution. Avec d'autres nombres, le même programme peut laisser une autre
#   bande.
#
# Sur la bande se trouve donc ce qui s'est exécuté dans le bloc à partir de quelque chose de suivi, une fois par
# exécution, et rien d'autre.
#
# Ensuite : [Jouer à rebours](03_playing_backwards.ipynb). Pourquoi à rebours, et pourquoi les parts
# s'additionnent-elles ?
# %% [markdown] lang="es"
# ## Lo que ya sabes
#
# * **En la cinta** está cada operación que se ejecutó dentro del bloque y en la que participó algo observado, cada vez
#   que se ejecutó.
# * Los bucles, `if`, las funciones y los nombres no dejan tarjetas: la cinta sabe qué pasos se ejecutaron, no por qué.
#   (Una comparación como `x > 2` calcula, y tiene una.)
# * **No está en la cinta** lo que se ejecutó antes del bloque, sin nada observado, o en NumPy. Para la cinta, su resultado
#   es un número fijo.
# * Una cinta es el registro de una ejecución. Con otros números, el mismo programa puede dejar otra cinta.
#
# Así que en la cinta está lo que se ejecutó en el bloque con algo observado, una vez por cada ejecución, y nada más.
#
# Sigue: [Reproducir hacia atrás](03_playing_backwards.ipynb). ¿Por qué hacia atrás, y por qué se suman las partes?

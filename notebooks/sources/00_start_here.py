# %% [markdown]
# # Start here: play a tape backwards
#
# *About 25 minutes. You need to know what a slope is, and how to run a cell: Shift+Enter.*
#
# When a program learns, it asks one question again and again:
#
# > If I change this number a little, how much does the result change?
#
# The answer is called a **gradient**. A **gradient tape** finds it without a formula. It **records** each
# operation while the program runs, one card per operation. Then it **plays the cards backwards**, and each
# card passes on its part of the answer.
#
# Here you watch both, with the real numbers of the program. Then you do it yourself. First run the next cell: it brings
# what the lesson needs. The cell after it asks; its numbers are new each time.
# %% [markdown] lang="fr"
# # Commencez ici : jouer une bande à rebours
#
# *Environ 25 minutes. Il faut savoir ce qu'est une pente, et comment exécuter une cellule : Maj+Entrée.*
#
# Quand un programme apprend, il pose sans cesse la même question :
#
# > Si je change un peu ce nombre, de combien le résultat change-t-il ?
#
# La réponse s'appelle un **gradient**. Une **bande de gradient** la trouve sans formule. Elle **enregistre**
# chaque opération pendant que le programme s'exécute, une carte par opération. Puis elle **joue les cartes à
# rebours**, et chaque carte transmet sa part de la réponse.
#
# Ici, vous regardez les deux mouvements, avec les vrais nombres du programme. Ensuite, vous le faites vous-même. Exécutez
# d'abord les deux cellules suivantes : elles apportent ce qu'il faut à la leçon. Celle d'après vous interroge ; ses nombres
# changent à chaque fois.
# %% [markdown] lang="es"
# # Empieza aquí: reproduce una cinta hacia atrás
#
# *Unos 25 minutos. Hace falta saber qué es una pendiente, y cómo se ejecuta una celda: Mayús+Intro.*
#
# Cuando un programa aprende, se hace una y otra vez la misma pregunta:
#
# > Si cambio un poco este número, ¿cuánto cambia el resultado?
#
# La respuesta se llama **gradiente**. Una **cinta de gradientes** lo encuentra sin ninguna fórmula. **Graba** cada
# operación mientras el programa se ejecuta, una tarjeta por operación. Después **reproduce las tarjetas hacia
# atrás**, y cada tarjeta transmite su parte de la respuesta.
#
# Aquí ves las dos cosas, con los números reales del programa. Después lo haces tú. Ejecuta primero las dos celdas
# siguientes: traen lo que necesita la lección. La que viene después pregunta; sus números son nuevos cada vez.

# %%
import random

import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, play

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% lang="es"
from minitape.sentences import set_language

set_language("es")

# %% predict="00.first"

# %% [markdown]
# ## 1. Watch
#
# `tf.Variable` is a number that may be changed, and that the tape watches. The tape records what runs inside of the
# `with` block, one card per operation. Predict before you watch:
# %% [markdown] lang="fr"
# ## 1. Regarder
#
# `tf.Variable` est un nombre que l'on peut changer, et que la bande suit. La bande enregistre ce qui s'exécute à
# l'intérieur du bloc `with`, une carte par opération. Prédisez avant de regarder :
# %% [markdown] lang="es"
# ## 1. Mira
#
# `tf.Variable` es un número que se puede cambiar, y que la cinta observa. La cinta graba lo que se ejecuta dentro del
# bloque `with`, una tarjeta por operación. Predice antes de mirar:

# %% predict="00.cards"

# %% [markdown]
# Now watch a tape with three cards: `y = x * x + 3 * x` at `x = 2`.
#
# Run the two cells. The first is folded: it holds what the picture will say. The first line of the second, `%%tape`,
# asks for the picture, and says how much of it to show; the rest is ordinary Python. Under it appears a *player*.
#
# Click on **Step**; from then on the → key goes one act forward, and ← goes back. Nothing moves unless you ask. The
# sentences in the player say what to look for, one thing at a time. Go on to the end.
# %% [markdown] lang="fr"
# Regardez maintenant une bande de trois cartes : `y = x * x + 3 * x` en `x = 2`.
#
# Exécutez les deux cellules. La première est repliée : elle contient ce que l'image dira. La première ligne de la
# seconde, `%%tape`, demande l'image, et dit ce qu'il faut en montrer ; le reste est du Python ordinaire. Dessous
# apparaît un *lecteur*.
#
# Cliquez sur **Avancer** ; ensuite, la touche → avance d'un acte, et ← revient en arrière. Rien ne bouge si vous ne
# le demandez pas. Les phrases du lecteur disent ce qu'il faut regarder, une chose à la fois. Allez jusqu'à la fin.
# %% [markdown] lang="es"
# Ahora mira una cinta de tres tarjetas: `y = x * x + 3 * x` en `x = 2`.
#
# Ejecuta las dos celdas. La primera está plegada: contiene lo que dirá la imagen. La primera línea de la segunda,
# `%%tape`, pide la imagen, y dice cuánto hay que mostrar de ella; el resto es Python corriente. Debajo aparece un
# *reproductor*.
#
# Haz clic en **Avanzar**; a partir de ahí, la tecla → avanza un acto, y ← retrocede. Nada se mueve si tú no lo pides.
# Las frases del reproductor dicen en qué fijarse, una cosa cada vez. Sigue hasta el final.

# %% lang="en" tags=["folded"]
says = {
    "record card 1": "Look at the strip of cards: each operation that runs becomes one card.",
    "record card 3": "Three operations, three cards. The tape does not know the formula, only three small steps. "
                     "Now guess: if x grows by a little, how many times as much does y grow?",
    "seed": "Now the way back. Each value gets a second number, its adjoint: where this value grows by a little, "
            "y grows by that many times as much. For y itself it is 1, the seed. The bar in ȳ means: the adjoint of y.",
    "visit card 3": "A card sends a part to each of its inputs: the number that arrived, times the slope of this one step. "
                    "A sum has the slope 1, so it passes the number on as it is.",
    "visit card 2": "ū₂ is the adjoint of what card 2 made. A product has the other factor as its slope: "
                    "if x grows by 1, then 3 * x grows by 3.",
    "part x": "x stands in the program three times. This part is for the third of them, the x of 3 * x.",
    "sum x": "A value that is used several times is called a fan-out. The parts that meet there are added.",
    "end": "Where x grows by a little, y grows by this many times as much. That is the gradient. "
           "The tape has done its work, and forgets it. This picture does not.",
}

# %% lang="fr" tags=["folded"]
says = {
    "record card 1": "Regardez la bande de cartes : chaque opération qui s'exécute devient une carte.",
    "record card 3": "Trois opérations, trois cartes. La bande ne connaît pas la formule, seulement trois petits pas. "
                     "Devinez maintenant : si x augmente un peu, combien de fois plus vite y augmente-t-il ?",
    "seed": "Maintenant, le retour. Chaque valeur reçoit un second nombre, son adjoint : un petit changement de cette valeur, "
            "multiplié par lui, donne celui de y. Pour y lui-même, c'est 1, la graine. La barre de ȳ veut dire : l'adjoint de y.",
    "visit card 3": "Une carte envoie une part à chacune de ses entrées : le nombre qui est arrivé, multiplié par la pente de ce "
                    "seul pas. Une somme a la pente 1 : elle transmet donc le nombre tel quel.",
    "visit card 2": "ū₂ est l'adjoint de ce que la carte 2 a fait. Un produit a pour pente l'autre facteur : "
                    "si x augmente de 1, alors 3 * x augmente de 3.",
    "part x": "x figure trois fois dans le programme. Cette part est pour la troisième, le x de 3 * x.",
    "sum x": "Une valeur qui sert plusieurs fois s'appelle un embranchement. Les parts qui s'y rencontrent s'additionnent.",
    "end": "Un petit changement de x, multiplié par ce nombre, donne celui de y. C'est le gradient. "
           "La bande a fait son travail, et l'oublie. Cette image, non.",
}

# %% lang="es" tags=["folded"]
says = {
    "record card 1": "Mira la tira de tarjetas: cada operación que se ejecuta se convierte en una tarjeta.",
    "record card 3": "Tres operaciones, tres tarjetas. La cinta no conoce la fórmula, solo tres pasos pequeños. "
                     "Ahora adivina: si x crece un poco, ¿por cuánto hay que multiplicar ese cambio para tener el de y?",
    "seed": "Ahora, la vuelta. Cada valor recibe un segundo número, su adjunto: un cambio pequeño de este valor, "
            "multiplicado por él, da el de y. Para el propio y es 1, la semilla. La raya de ȳ quiere decir: el adjunto de y.",
    "visit card 3": "Una tarjeta envía una parte a cada una de sus entradas: el número que llegó, por la pendiente de este "
                    "único paso. Una suma tiene la pendiente 1, así que transmite el número tal cual.",
    "visit card 2": "ū₂ es el adjunto de lo que produjo la tarjeta 2. La pendiente de un producto es el otro factor: "
                    "si x crece 1, entonces 3 * x crece 3.",
    "part x": "x está tres veces en el programa. Esta parte es para la tercera, la x de 3 * x.",
    "sum x": "Un valor que se usa varias veces se llama bifurcación. Las partes que se encuentran ahí se suman.",
    "end": "Un cambio pequeño de x, multiplicado por este número, da el de y. Eso es el gradiente. "
           "La cinta ha hecho su trabajo, y lo olvida. Esta imagen, no.",
}

# %%
# %%tape --link knows-value-adjoint --say says
x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = x * x + 3 * x

slope = tape.gradient(y, x)

# %% [markdown]
# You can check it, for once: `x * x + 3 * x` has the slope `2 * x + 3`, and at 2 that is 7. The tape never saw
# this formula.
#
# So the **adjoint** of a value says how many times as much the result changes, when this value changes a little. The
# adjoint of `x` is 7. Books write dy/dx for it, and call it the *derivative* of `y` with respect to `x`. (Such words, with
# their signs, stand in the [glossary](glossary.ipynb).)
#
# ## 2. Take hold of a number
#
# What does "7" mean? Say it of other numbers first; they are new each time.
# %% [markdown] lang="fr"
# Pour une fois, vous pouvez vérifier : `x * x + 3 * x` a pour pente `2 * x + 3`, et en 2 cela fait 7. La bande
# n'a jamais vu cette formule.
#
# L'**adjoint** d'une valeur est donc le nombre par lequel multiplier un petit changement de cette valeur pour avoir celui du
# résultat. L'adjoint de `x` vaut 7. Les livres l'écrivent dy/dx, et l'appellent la *dérivée* de `y` par rapport à `x`. (Ces
# mots, avec leurs signes, sont dans le [glossaire](glossary.ipynb).)
#
# ## 2. Prendre un nombre en main
#
# Que veut dire « 7 » ? Dites-le d'abord pour d'autres nombres ; ils changent à chaque fois.
# %% [markdown] lang="es"
# Por una vez, lo puedes comprobar: `x * x + 3 * x` tiene la pendiente `2 * x + 3`, y en 2 eso es 7. La cinta nunca vio
# esa fórmula.
#
# Así que el **adjunto** de un valor es el número por el que hay que multiplicar un cambio pequeño de ese valor para
# tener el del resultado. El adjunto de `x` es 7. Los libros lo escriben dy/dx, y lo llaman la *derivada* de `y`
# respecto a `x`. (Esas palabras, con sus signos, están en el [glosario](../glossary.ipynb), en inglés.)
#
# ## 2. Toma un número con la mano
#
# ¿Qué quiere decir «7»? Dilo primero con otros números; cada vez son nuevos.

# %% predict="00.nudge"

# %% [markdown]
# Now try it, in the picture above. Go to the end (the End key), and click on `x` in the graph.
# The *Inspector* appears under the code, with a curve. Press **+** under it, and watch two numbers: by how much `y`
# really changes, and what the adjoint promised. They are nearly the same. (`float32` is how the computer keeps a number.)
#
# Now press **+** several times more. Say first: will the promise stay as good? The slope speaks of *small* changes:
# look at the curve, and see where it leaves the straight line.
#
# Last, take hold of `x` itself: its number can be dragged sideways in its box, and the whole tape is computed again, there
# and back. Will the adjoint of `x` stay what it is? Decide, then drag. An adjoint belongs to the place where one
# stands. **Recorded numbers again** brings back those of the program.
# %% [markdown] lang="fr"
# Essayez maintenant, dans l'image ci-dessus. Allez à la fin (la touche Fin), et cliquez sur `x`
# dans le graphe. Sous le code apparaît l'*Inspecteur*, avec une courbe. Appuyez sur **+** dessous, et regardez deux
# nombres : de combien `y` change vraiment, et ce que l'adjoint avait promis. Ils sont presque égaux. (`float32` est la façon
# dont l'ordinateur garde un nombre.)
#
# Appuyez encore plusieurs fois sur **+**. Dites d'abord : la promesse restera-t-elle aussi bonne ? La pente parle de
# *petits* changements : regardez la courbe, et voyez où elle quitte la droite.
#
# Enfin, prenez `x` lui-même en main : on peut faire glisser le nombre dans sa boîte, et toute la bande est recalculée, à
# l'aller et au retour. L'adjoint de `x` restera-t-il ce qu'il est ? Décidez, puis faites glisser. Un adjoint vaut à
# l'endroit où l'on se trouve. **Revenir aux nombres enregistrés** les rétablit.
# %% [markdown] lang="es"
# Ahora pruébalo en la imagen de arriba. Ve al final (la tecla Fin), y haz clic en `x` en el grafo.
# Debajo del código aparece el *Inspector*, con una curva. Pulsa **+** debajo de ella, y mira dos números: cuánto
# cambia `y` de verdad, y lo que prometía el adjunto. Son casi iguales. (`float32` es la forma en que la máquina guarda un
# número.)
#
# Ahora pulsa **+** varias veces más. Di antes: ¿seguirá siendo igual de buena la promesa? La pendiente habla de cambios
# *pequeños*: mira la curva, y busca dónde se aparta de la recta.
#
# Por último, toma el propio `x` con la mano: el número de su caja se puede arrastrar hacia un lado, y se vuelve a
# calcular toda la cinta, a la ida y a la vuelta. ¿Seguirá siendo el mismo el adjunto de `x`? Decide, y después arrastra. Un
# adjunto vale en el lugar donde uno está. **Volver a los números grabados** trae de vuelta los del programa.

# %% [markdown]
# ## 3. Predict
#
# Now say what happens next. In this player `x` is another number each time you run the cell. It stops before
# some acts and asks you. Type your answer and press Enter. A wrong answer is no problem: you are told which
# idea is missing.
# %% [markdown] lang="fr"
# ## 3. Prédire
#
# À vous de dire ce qui va se passer. Dans ce lecteur, `x` est un autre nombre chaque fois que vous exécutez la
# cellule. Il s'arrête avant certains actes et vous interroge. Tapez votre réponse et appuyez sur Entrée. Une
# réponse fausse n'est pas un problème : on vous dit quelle idée manque.
# %% [markdown] lang="es"
# ## 3. Predice
#
# Ahora di tú lo que va a pasar. En este reproductor, `x` es otro número cada vez que ejecutas la celda. Se detiene
# antes de algunos actos y te pregunta. Escribe tu respuesta y pulsa Intro. Una respuesta equivocada no es un
# problema: te dice qué idea falta.

# %% tags=["answer"]
x = tf.Variable(random.choice([4.0, 5.0, 6.0, 7.0]))

with tf.GradientTape() as tape:
    y = x * x + 3 * x

play(tape, y, x, predict=True, link="knows-value-adjoint")

# %% [markdown]
# ## 4. Change it
#
# Two numbers now, `w1` and `w2`. The tape gives both slopes in *one* play. Before you run the cell: which of the
# two moves `z` more, if both are nudged by the same small amount? Decide, run, and step to the end.
#
# Then change the code as you like, and run it again:
#
# * What happens to the slope of `w2` if you double `w1`?
# * Replace `w1**2` by `w1 * w1`. The slopes stay the same. Which cards change?
# %% [markdown] lang="fr"
# ## 4. Changer
#
# Deux nombres maintenant, `w1` et `w2`. La bande donne les deux pentes en *un seul* passage. Avant d'exécuter la
# cellule : lequel des deux fait bouger `z` davantage, si on les pousse du même petit montant ? Décidez, exécutez,
# et avancez jusqu'à la fin.
#
# Changez ensuite le code comme il vous plaît, et exécutez-le de nouveau :
#
# * Que devient la pente de `w2` si vous doublez `w1` ?
# * Remplacez `w1**2` par `w1 * w1`. Les pentes restent les mêmes. Quelles cartes changent ?
# %% [markdown] lang="es"
# ## 4. Cámbialo
#
# Ahora dos números, `w1` y `w2`. La cinta da las dos pendientes en *una sola* reproducción. Antes de ejecutar la celda:
# ¿cuál de los dos mueve más a `z`, si a los dos se les da el mismo empujón pequeño? Decide, ejecuta, y avanza hasta el
# final.
#
# Después cambia el código como quieras, y ejecútalo otra vez:
#
# * ¿Qué le pasa a la pendiente de `w2` si duplicas `w1`?
# * Sustituye `w1**2` por `w1 * w1`. Las pendientes siguen iguales. ¿Qué tarjetas cambian?

# %% tags=["way-back-asked"]
# %%tape --link knows-value-adjoint
w1, w2 = tf.Variable(5.0), tf.Variable(3.0)

with tf.GradientTape() as tape:
    z = 3 * w1**2 + 2 * w1 * w2

gradients = tape.gradient(z, [w1, w2])

# %% [markdown]
# The slope for one input, while the others stay where they are, is called a **partial derivative**. Books write it with a
# round ∂: here the two are ∂z/∂w₁ and ∂z/∂w₂. All of them together are the gradient of `z`, written ∇z.
#
# ## 5. Be the tape
#
# You have seen all the rules that you need. Now play two tapes backwards yourself. The first is nearly done.
# %% [markdown] lang="fr"
# La pente pour une entrée, pendant que les autres restent où elles sont, s'appelle une **dérivée partielle**. Les livres
# l'écrivent avec un ∂ rond : ici, les deux sont ∂z/∂w₁ et ∂z/∂w₂. Toutes ensemble, elles forment le gradient de `z`,
# noté ∇z.
#
# ## 5. Être la bande
#
# Vous avez vu toutes les règles qu'il vous faut. Jouez maintenant deux bandes à rebours vous-même. La première
# est presque faite.
# %% [markdown] lang="es"
# La pendiente para una entrada, mientras las demás se quedan donde están, se llama **derivada parcial**. Los libros la
# escriben con una ∂ redonda: aquí son ∂z/∂w₁ y ∂z/∂w₂. Todas juntas son el gradiente de `z`, que se escribe ∇z.
#
# ## 5. Sé la cinta
#
# Ya has visto todas las reglas que necesitas. Ahora reproduce tú dos cintas hacia atrás. La primera está casi hecha.

# %% exercise="00.chain"

# %% exercise="00.fan-out"

# %% [markdown]
# Last, a program without a tape. The same rules hold in it.
# %% [markdown] lang="fr"
# Pour finir, un programme sans bande. Les mêmes règles y valent.
# %% [markdown] lang="es"
# Por último, un programa sin cinta. Valen las mismas reglas.

# %% predict="00.garden"

# %% [markdown]
# ## What you know now
#
# * A tape records one card per operation, in the order in which they run.
# * It is played from the last card to the first. Each card sends parts to its inputs: **adjoint times local
#   derivative**, the slope of this one step. Where parts meet, they are **added**.
# * So the question has its answer: if you change `x` a little, the result changes by about **the adjoint of `x`
#   times your change**.
#
# Next: [Why a tape?](01_why_a_tape.ipynb) How much work does the tape save?
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * Une bande enregistre une carte par opération, dans l'ordre où elles s'exécutent.
# * On la joue de la dernière carte à la première. Chaque carte envoie des parts à ses entrées : **l'adjoint
#   multiplié par la dérivée locale**, la pente de ce seul pas. Là où des parts se rencontrent, elles
#   **s'additionnent**.
# * La question a donc sa réponse : si vous changez un peu `x`, le résultat change d'environ **l'adjoint de `x`
#   multiplié par votre changement**.
#
# Ensuite : [Pourquoi une bande ?](01_why_a_tape.ipynb) Combien de travail la bande épargne-t-elle ?
# %% [markdown] lang="es"
# ## Lo que ya sabes
#
# * Una cinta graba una tarjeta por operación, en el orden en que se ejecutan.
# * Se reproduce de la última tarjeta a la primera. Cada tarjeta envía partes a sus entradas: **el adjunto por la
#   derivada local**, la pendiente de este único paso. Donde se encuentran varias partes, **se suman**.
# * Así que la pregunta tiene su respuesta: si cambias un poco `x`, el resultado cambia, más o menos, en **el adjunto de
#   `x` por tu cambio**.
#
# Sigue: [¿Por qué una cinta?](01_why_a_tape.ipynb) ¿Cuánto trabajo ahorra la cinta?

# %% [markdown]
# # Lesson 03: Playing it backwards
#
# *About 40 minutes. You need to know what a tape and its cards are: lessons 00 to 02.*
#
# A tape is recorded forwards. **Why is it played backwards?** At the end of this lesson you mend a program of seven lines in
# which the answer stands.
#
# First run the next cell.
# %% [markdown] lang="fr"
# # Leçon 03 : jouer à rebours
#
# *Environ 40 minutes. Il faut savoir ce que sont une bande et ses cartes : leçons 00 à 02.*
#
# Une bande s'enregistre vers l'avant. **Pourquoi se joue-t-elle à rebours ?** À la fin de cette leçon, vous réparez un
# programme de sept lignes qui contient la réponse.
#
# Exécutez d'abord les deux cellules suivantes.
# %% [markdown] lang="es"
# # Lección 03: reproducir hacia atrás
#
# *Unos 40 minutos. Hace falta saber qué son una cinta y sus tarjetas: lecciones 00 a 02.*
#
# Una cinta se graba hacia delante. **¿Por qué se reproduce hacia atrás?** Al final de esta lección reparas un programa de
# siete líneas en el que está la respuesta.
#
# Ejecuta primero las dos celdas siguientes.

# %%
import minitape as tf
import numpy as np
from minitape.exercises import exercise
from minitape_widgets import ask, compare, play

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% lang="es"
from minitape.sentences import set_language

set_language("es")

# %% [markdown]
# First a question about the lesson before: what is on a tape? The numbers are new every time you run the cell.
# %% [markdown] lang="fr"
# D'abord une question sur la leçon précédente : qu'y a-t-il sur une bande ? Les nombres changent à chaque exécution de la
# cellule.
# %% [markdown] lang="es"
# Primero una pregunta sobre la lección anterior: ¿qué hay en una cinta? Los números son nuevos cada vez que ejecutas la
# celda.

# %% predict="03.cards"

# %% [markdown]
# ## 1. A value that is used twice
#
# In the next program `p` is used twice: once to make `q`, once to make `r`. Both come together again in `y`. Drawn on paper,
# that is a diamond: from `p` one way leads by `q` to `y`, another one by `r`.
#
# Remember: the **adjoint** of a value says how much the result changes when this value changes. Find the one of `p` by
# thinking. If `p` grows by a very small bit, how much does `q` grow? How much does `r`? And so `y`?
# %% [markdown] lang="fr"
# ## 1. Une valeur qui sert deux fois
#
# Dans le programme suivant, `p` sert deux fois : une fois pour faire `q`, une fois pour faire `r`. Les deux se rejoignent
# dans `y`. Dessiné sur papier, c'est un losange : de `p`, un chemin mène à `y` par `q`, un autre par `r`.
#
# Rappel : l'**adjoint** d'une valeur dit de combien le résultat change quand cette valeur change. Trouvez celui de `p` en
# réfléchissant. Si `p` augmente d'un tout petit peu, de combien `q` augmente-t-il ? Et `r` ? Et donc `y` ?
# %% [markdown] lang="es"
# ## 1. Un valor que se usa dos veces
#
# En el programa siguiente, `p` se usa dos veces: una para hacer `q`, otra para hacer `r`. Los dos se juntan de nuevo en `y`.
# Dibujado en papel es un rombo: de `p` a `y`, un camino va por `q`, y otro por `r`.
#
# Recuerda: el **adjunto** de un valor dice cuánto cambia el resultado cuando cambia ese valor. Encuentra el de `p`
# pensando. Si `p` crece muy poquito, ¿cuánto crece `q`? ¿Y `r`? ¿Y entonces `y`?

# %% predict="03.fan"

# %% [markdown]
# Now watch a tape find such a number. In the player below, the tape has been recorded already: four cards. Click on **Step**,
# then go on with the → key. Watch one place only: the box `p`.
#
# (`order=[4, 3, 2, 1]` says in which order the cards are played: card 4 first. Any tape does it like that by itself. Here it
# is written down because you will change it soon.
# The player counts the uses of a value: "the second p" is the one in `r = 5 * p`.)
# %% [markdown] lang="fr"
# Regardez maintenant une bande trouver un tel nombre. Dans le lecteur ci-dessous, la bande est déjà enregistrée : quatre
# cartes. Cliquez sur **Avancer**, puis continuez avec la touche →. Ne regardez qu'un endroit : la boîte `p`.
#
# (`order=[4, 3, 2, 1]` dit dans quel ordre on joue les cartes : la carte 4 d'abord. Toute bande le fait ainsi d'elle-même.
# C'est écrit ici parce que vous allez bientôt le changer. Le lecteur compte les emplois d'une valeur : « le deuxième p » est
# celui de `r = 5 * p`.)
# %% [markdown] lang="es"
# Ahora mira cómo encuentra una cinta un número así. En el reproductor de abajo, la cinta ya está grabada: cuatro tarjetas.
# Haz clic en **Avanzar**, y sigue con la tecla →. Mira un solo lugar: la caja `p`.
#
# (`order=[4, 3, 2, 1]` dice en qué orden se reproducen las tarjetas: primero la tarjeta 4. Cualquier cinta lo hace así por
# sí sola. Aquí está escrito porque pronto lo vas a cambiar. El reproductor cuenta los usos de un valor: «el segundo uso de p»
# es el de `r = 5 * p`.)

# %%
x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    p = 3 * x
    q = tf.square(p)
    r = 5 * p
    y = q + r

# %% lang="en" tags=["folded"]
says = {
    "part p": "One part has come to p. It waits: p was used twice, so another one is on its way.",
    "sum p": "What p does to y, it does by two ways at once. So the parts are added.",
    "visit card 1": "Now the card that made p has its turn, not before: its adjoint is complete.",
}

# %% lang="fr" tags=["folded"]
says = {
    "part p": "Une part est arrivée à p. Elle attend : p a servi deux fois, une autre est donc en chemin.",
    "sum p": "Ce que p fait à y, il le fait par deux chemins à la fois. Les parts s'additionnent donc.",
    "visit card 1": "C'est maintenant le tour de la carte qui a produit p, et pas avant : son adjoint est complet.",
}

# %% lang="es" tags=["folded"]
says = {
    "part p": "A p le ha llegado una parte. Espera: p se usó dos veces, así que hay otra en camino.",
    "sum p": "Lo que p le hace a y, lo hace por dos caminos a la vez. Por eso las partes se suman.",
    "visit card 1": "Ahora le toca a la tarjeta que produjo p, y no antes: su adjunto está completo.",
}

# %% tags=["way-back-asked"]
play(tape, y, x, order=[4, 3, 2, 1], start="play", say=says)

# %% [markdown]
# **Take hold of a number.** Go back with the ← key until both parts wait above the box `p`: +5 and +12. Now drag the 2.0 in
# the box `x` to the right, or click on it and press +. Watch the two parts: **one of them changes, one stays. Which one
# stays, and why?** Decide before you read on.
#
# The part that comes by `r` stays: `r = 5 * p` is a straight line, its slope is 5 everywhere. `q` is a square, and the slope
# of a square grows.
# %% [markdown] lang="fr"
# **Prenez un nombre en main.** Revenez avec la touche ← jusqu'à ce que les deux parts attendent au-dessus de la boîte `p` :
# +5 et +12. Faites maintenant glisser le 2.0 de la boîte `x` vers la droite, ou cliquez dessus et appuyez sur +. Regardez les deux
# parts : **l'une change, l'autre reste. Laquelle reste, et pourquoi ?** Décidez avant de lire la suite.
#
# La part qui vient par `r` reste : `r = 5 * p` est une droite, sa pente est partout 5. `q` est un carré, et la pente d'un
# carré augmente.
# %% [markdown] lang="es"
# **Toma un número con la mano.** Retrocede con la tecla ← hasta que las dos partes esperen encima de la caja `p`: +5 y +12.
# Ahora arrastra a la derecha el 2.0 de la caja `x`, o haz clic en él y pulsa +. Mira las dos partes: **una cambia, la otra se
# queda. ¿Cuál se queda, y por qué?** Decide antes de seguir leyendo.
#
# La parte que viene por `r` se queda: `r = 5 * p` es una recta, y su pendiente es 5 en todas partes. `q` es un cuadrado, y la
# pendiente de un cuadrado crece.

# %% [markdown]
# ## 2. The wrong order
#
# Must it be card 4, 3, 2, 1? Suppose that somebody is impatient: after card 4 they play the card of `q`, and as soon as
# its part has come to `p`, the card of `p`. Only then comes the card of `r`. What comes out?
# %% [markdown] lang="fr"
# ## 2. Le mauvais ordre
#
# Faut-il que ce soit 4, 3, 2, 1 ? Supposons quelqu'un d'impatient : après la carte 4, il joue la carte de `q` et,
# dès que sa part est arrivée à `p`, la carte de `p`. Celle de `r` ne vient qu'ensuite. Qu'obtient-on ?
# %% [markdown] lang="es"
# ## 2. El orden equivocado
#
# ¿Tiene que ser tarjeta 4, 3, 2, 1? Supón que alguien es impaciente: después de la tarjeta 4 reproduce la de `q` y, en cuanto
# la parte de esa ha llegado a `p`, la tarjeta de `p`. Solo después viene la de `r`. ¿Qué sale?

# %% predict="03.early"

# %% [markdown]
# Now see it happen. On the left, marked as broken, is the wrong order; on the right, the right one. One bar moves both. Step,
# and watch the box `p` on the left until a part comes too late.
# %% [markdown] lang="fr"
# Regardez-le se produire. À gauche, marqué « cassé », le mauvais ordre ; à droite, le bon. Une seule barre mène les deux.
# Avancez, et regardez la boîte `p` à gauche jusqu'à ce qu'une part arrive trop tard.
# %% [markdown] lang="es"
# Ahora mira cómo pasa. A la izquierda, marcado como roto, está el orden equivocado; a la derecha, el correcto. Una sola barra
# mueve los dos. Avanza, y mira la caja `p` de la izquierda hasta que una parte llegue demasiado tarde.

# %% tags=["answer"]
wrong = play(tape, y, x, order=[4, 2, 1, 3])
right = play(tape, y, x, order=[4, 3, 2, 1])
compare(broken=wrong, fixed=right, start="play")

# %% [markdown]
# So there is one rule for the order: **a card may be played when all cards that use its result have been played.** Only then
# have all parts arrived.
#
# Nobody has to search for such an order. A card can only use what was made before it. So all cards that use `p` stand *after*
# the card of `p` on the tape. Who reads the tape from its end meets all of them first. That is why a tape is played
# backwards.
#
# To find slopes from the result back to the inputs is called **reverse mode**, and in programs that learn,
# **backpropagation**.
#
# ## 3. Change it
#
# Here is the tape once more, with its program. Change the cell and run it; the End key goes to the end of the play.
#
# * Put in the wrong order once more, `[4, 2, 1, 3]`. Go to the end and click on the box `x`. The inspector draws `y` over
#   `x`, and a dashed line with the slope that the play has found. With the right slope, the line runs along the curve at the
#   dot. Does this one?
# * The four cards can be put in 24 orders. Two of them give the right slope, 51. One is `[4, 3, 2, 1]`. Find the other.
# * Last, a program of your own: one that uses `p` three times. How many parts will wait at `p`? Leave `order=...` out, and
#   count them in the picture.
# %% [markdown] lang="fr"
# Il y a donc une seule règle pour l'ordre : **une carte peut être jouée quand toutes les cartes qui emploient son résultat
# l'ont été.** Alors seulement, toutes les parts sont arrivées.
#
# Personne n'a besoin de chercher un tel ordre. Une carte ne peut employer que ce qui a été fait avant elle. Toutes les cartes
# qui emploient `p` se trouvent donc *après* la carte de `p` sur la bande. Qui lit la bande depuis la fin les rencontre toutes
# d'abord. Voilà pourquoi une bande se joue à rebours.
#
# Trouver les pentes du résultat vers les entrées s'appelle le **mode inverse** (*reverse mode*), et dans les programmes qui
# apprennent, la **rétropropagation** (*backpropagation*).
#
# ## 3. Changez-le
#
# Voici la bande encore une fois, avec son programme. Changez la cellule et exécutez-la ; la touche Fin mène à la fin de la
# lecture.
#
# * Mettez encore une fois le mauvais ordre, `[4, 2, 1, 3]`. Allez à la fin et cliquez sur la boîte `x`. L'inspecteur dessine
#   `y` en fonction de `x`, et une droite en pointillé qui a la pente que la lecture a trouvée. Avec la pente juste, la droite longe
#   la courbe au point. Et celle-ci ?
# * On peut ranger les quatre cartes dans 24 ordres. Deux d'entre eux donnent la pente juste, 51. L'un est `[4, 3, 2, 1]`.
#   Trouvez l'autre.
# * Enfin, un programme à vous, qui emploie `p` trois fois. Combien de parts attendront à `p` ? Enlevez `order=...`, et
#   comptez-les dans l'image.
# %% [markdown] lang="es"
# Así que hay una sola regla para el orden: **una tarjeta se puede reproducir cuando se han reproducido todas las que usan su
# resultado.** Solo entonces han llegado todas las partes.
#
# Nadie tiene que buscar un orden así. Una tarjeta solo puede usar lo que se hizo antes que ella. Por eso todas las tarjetas
# que usan `p` están *después* de la tarjeta de `p` en la cinta. Quien lee la cinta desde el final se encuentra primero con
# todas ellas. Por eso una cinta se reproduce hacia atrás.
#
# Encontrar las pendientes desde el resultado de vuelta a las entradas se llama **modo inverso** (*reverse mode*), y en los
# programas que aprenden, **retropropagación** (*backpropagation*).
#
# ## 3. Cámbialo
#
# Aquí está la cinta otra vez, con su programa. Cambia la celda y ejecútala; la tecla Fin va al final de la reproducción.
#
# * Pon otra vez el orden equivocado, `[4, 2, 1, 3]`. Ve al final y haz clic en la caja `x`. El inspector dibuja `y` según `x`,
#   y una línea discontinua con la pendiente que encontró la reproducción. Con la pendiente correcta, la línea sigue la curva
#   en el punto. ¿Y esta?
# * Las cuatro tarjetas se pueden poner en 24 órdenes. Dos de ellos dan la pendiente correcta, 51. Uno es `[4, 3, 2, 1]`.
#   Encuentra el otro.
# * Por último, un programa tuyo, que use `p` tres veces. ¿Cuántas partes esperarán en `p`? Quita `order=...`, y cuéntalas en
#   la imagen.

# %% tags=["answer"]
x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    p = 3 * x
    q = tf.square(p)
    r = 5 * p
    y = q + r

play(tape, y, x, order=[4, 3, 2, 1], start="play")

# %% [markdown]
# So far each way back began with 1, the seed. What if it begins with another number?
# %% [markdown] lang="fr"
# Jusqu'ici, chaque retour commençait par 1, la graine. Et s'il commence par un autre nombre ?
# %% [markdown] lang="es"
# Hasta ahora, cada vuelta empezó con 1, la semilla. ¿Y si empieza con otro número?

# %% predict="03.seed"

# %% [markdown]
# ## 4. Your turn
#
# The first exercise is half done for you; the last one looks quite different.
# %% [markdown] lang="fr"
# ## 4. À vous
#
# Le premier exercice est à moitié fait ; le dernier a une tout autre allure.
# %% [markdown] lang="es"
# ## 4. Te toca a ti
#
# El primer ejercicio está medio hecho; el último se ve muy distinto.

# %% exercise="03.blanks"

# %% exercise="03.order"

# %% [markdown]
# The cards so far were sums, products and squares. Each kind of card has a rule of its own; the way in which the parts are
# added is always the same. So a new kind of card needs a new rule, and nothing else.
#
# Such a rule takes the adjoint of a card's output, and gives the parts for its inputs. Books call it a **vector-Jacobian
# product**, or VJP. Why, is seen where a card has many inputs and outputs at once: in [lesson 11](11_jacobians.ipynb).
# %% [markdown] lang="fr"
# Jusqu'ici, les cartes étaient des sommes, des produits et des carrés. Chaque sorte de carte a sa propre règle ; la façon
# d'additionner les parts est toujours la même. Une nouvelle sorte de carte demande donc une nouvelle règle, et rien d'autre.
#
# Une telle règle prend l'adjoint de la sortie d'une carte, et donne les parts de ses entrées. Les livres l'appellent un **produit
# vecteur-jacobienne** (*vector-Jacobian product*, VJP). On voit pourquoi quand une carte a beaucoup d'entrées et de sorties à la
# fois : dans la [leçon 11](11_jacobians.ipynb).
# %% [markdown] lang="es"
# Hasta ahora, las tarjetas eran sumas, productos y cuadrados. Cada tipo de tarjeta tiene su propia regla; la manera de sumar
# las partes es siempre la misma. Así que un tipo nuevo de tarjeta necesita una regla nueva, y nada más.
#
# Una regla así toma el adjunto de la salida de una tarjeta, y da las partes de sus entradas. Los libros la llaman **producto
# vector-jacobiana** (*vector-Jacobian product*, VJP). El porqué se ve donde una tarjeta tiene muchas entradas y salidas a la
# vez: en la [lección 11](../11_jacobians.ipynb), en inglés.

# %% exercise="03.sin"

# %% exercise="03.bug"

# %% [markdown]
# How could such a bug live long? Once more, the player as it was before you mended it:
# %% [markdown] lang="fr"
# Comment une telle erreur peut-elle vivre longtemps ? Encore une fois, le lecteur tel qu'il était avant votre réparation :
# %% [markdown] lang="es"
# ¿Cómo puede sobrevivir mucho tiempo un error así? Otra vez, el reproductor como estaba antes de que lo repararas:

# %% predict="03.hidden"

# %% [markdown]
# ## What you know now
#
# * **Why is a tape played backwards?** Because from the last card to the first, all cards that use a result are played before
#   the card that made it.
# * Then all its parts have come. A value that is used several times acts by several ways at once, so the parts are **added**.
# * Along one way, slopes are multiplied: a part is the adjoint that arrives times the slope of this one step.
# * In a program these are two lines: `for output, inputs in reversed(cards)` and the one that you have mended.
#
# Next: [Shapes](04_shapes.ipynb). There the numbers become arrays, and a value may be used thousands of times without anybody
# having written it down. (If you are curious: `minitape/one_page.py` is a player like the one that you have mended, complete
# on one page.)
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * **Pourquoi une bande se joue-t-elle à rebours ?** Parce que de la dernière carte à la première, toutes les cartes qui
#   emploient un résultat sont jouées avant la carte qui l'a produit.
# * Alors toutes ses parts sont arrivées. Une valeur qui sert plusieurs fois agit par plusieurs chemins à la fois : les parts
#   **s'additionnent** donc.
# * Le long d'un chemin, les pentes se multiplient : une part est l'adjoint qui arrive, multiplié par la pente de ce seul pas.
# * Dans un programme, ce sont deux lignes : `for output, inputs in reversed(cards)` et celle que vous avez réparée.
#
# Ensuite : [Les formes](04_shapes.ipynb). Les nombres y deviennent des tableaux, et une valeur peut servir des milliers de fois
# sans que personne ne l'ait écrit. (Si vous êtes curieux : `minitape/one_page.py` est un lecteur comme celui que vous avez
# réparé, complet en une page.)
# %% [markdown] lang="es"
# ## Lo que ya sabes
#
# * **¿Por qué una cinta se reproduce hacia atrás?** Porque, de la última tarjeta a la primera, todas las tarjetas que usan un
#   resultado se reproducen antes que la que lo produjo.
# * Entonces han llegado todas sus partes. Un valor que se usa varias veces actúa por varios caminos a la vez; por eso las partes
#   **se suman**.
# * A lo largo de un camino, las pendientes se multiplican: una parte es el adjunto que llega por la pendiente de este único paso.
# * En un programa, son dos líneas: `for output, inputs in reversed(cards)` y la que has reparado.
#
# Sigue: [Formas](../04_shapes.ipynb), en inglés. Ahí los números se convierten en arrays, y un valor se puede usar miles de veces
# sin que nadie lo haya escrito. (Si tienes curiosidad: `minitape/one_page.py` es un reproductor como el que has reparado,
# completo en una página.)

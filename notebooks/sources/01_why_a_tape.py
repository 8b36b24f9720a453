# %% [markdown]
# # Lesson 01: Why a tape?
#
# *About 35 minutes, and 10 for the extra at the end. Before it: [lesson 00](00_start_here.ipynb).*
#
# A program takes numbers, its **inputs**, and computes a result. The slope for an input says how much the result
# changes when this input changes a little. With the slopes one knows which way to turn each input to make the
# result better. That is how programs learn.
#
# You can find slopes with pencil and paper, by the rules of calculus. A program has no formula of itself: it can
# only be run. **How can a program know its own slopes?**
#
# First run the next cell. Then answer a question on what you know. Its numbers are new each time the cell is run.
# %% [markdown] lang="fr"
# # Leçon 01 : pourquoi une bande ?
#
# *Environ 35 minutes, et 10 pour le supplément à la fin. Avant elle : la [leçon 00](00_start_here.ipynb).*
#
# Un programme prend des nombres, ses **entrées**, et calcule un résultat. La pente pour une entrée dit de combien
# le résultat change quand cette entrée change un peu. Avec les pentes, on sait dans quel sens tourner chaque entrée
# pour améliorer le résultat. C'est ainsi que les programmes apprennent.
#
# Vous pouvez trouver des pentes avec un crayon et du papier, par les règles de dérivation. Un programme n'a pas de
# formule de lui-même : on ne peut que l'exécuter. **Comment un programme peut-il connaître ses propres pentes ?**
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur ce que vous savez. Ses nombres
# changent chaque fois que la cellule est exécutée.
# %% [markdown] lang="es"
# # Lección 01: ¿Por qué una cinta?
#
# *Unos 35 minutos, y 10 para el extra del final. Antes: la [lección 00](00_start_here.ipynb).*
#
# Un programa toma números, sus **entradas**, y calcula un resultado. La pendiente para una entrada dice cuánto cambia
# el resultado cuando esa entrada cambia un poco. Con las pendientes se sabe en qué sentido girar cada entrada para que
# el resultado mejore. Así aprenden los programas.
#
# Puedes encontrar pendientes con papel y lápiz, con las reglas de derivación. Un programa no tiene una fórmula de sí
# mismo: solo se lo puede ejecutar. **¿Cómo puede un programa conocer sus propias pendientes?**
#
# Ejecuta primero las dos celdas siguientes. Después responde a una pregunta sobre lo que ya sabes. Sus números son
# nuevos cada vez que se ejecuta la celda.

# %%
import time

import minitape as tf
import numpy as np
from minitape.exercises import exercise
from minitape_widgets import ask, bars, lines

# %load_ext minitape_widgets

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% lang="es"
from minitape.sentences import set_language

set_language("es")

# %% predict="01.recall"

# %% [markdown]
# ## 1. Try it
#
# One way needs no rule at all: run the program twice, and compare.
# %% [markdown] lang="fr"
# ## 1. Essayer
#
# Une façon ne demande aucune règle : exécuter le programme deux fois, et comparer.
# %% [markdown] lang="es"
# ## 1. Prueba
#
# Hay una manera que no necesita ninguna regla: ejecutar el programa dos veces, y comparar.

# %% predict="01.sign"

# %% [markdown]
# Now not only the direction, but the number. Take a step `h`, see how much the result changes, and divide by the
# step: that is the change for each unit of `x`. It is called a **finite difference**.
#
# It is seldom exact. To which side will it miss?
# %% [markdown] lang="fr"
# Maintenant, pas seulement le sens, mais le nombre. Faites un pas `h`, voyez de combien le résultat change, et
# divisez par le pas : c'est le changement par unité de `x`. On l'appelle une **différence finie**.
#
# Elle est rarement exacte. De quel côté se trompera-t-elle ?
# %% [markdown] lang="es"
# Ahora no solo el sentido, sino el número. Da un paso `h`, mira cuánto cambia el resultado, y divide entre el paso: ese
# es el cambio por cada unidad de `x`. Se llama **diferencia finita**.
#
# Rara vez es exacta. ¿Hacia qué lado fallará?

# %% predict="01.near"

# %% [markdown]
# At 3 the exact slope is 27. Run the cell: how near does it come? Then make `h` ten times smaller, 0.01. Say first how
# large `slope` will be now, about; then run it again.
# %% [markdown] lang="fr"
# En 3, la pente exacte est 27. Exécutez la cellule : à quel point s'en approche-t-elle ? Rendez ensuite `h` dix fois plus
# petit, 0.01. Dites d'abord combien vaudra `slope`, environ ; puis exécutez-la de nouveau.
# %% [markdown] lang="es"
# En 3, la pendiente exacta es 27. Ejecuta la celda: ¿cuánto se acerca? Después haz `h` diez veces más pequeño, 0.01. Di
# primero cuánto valdrá `slope`, más o menos; después ejecútala otra vez.

# %% tags=["answer"]
def f(x):
    return x * x * x

x = 3.0
h = 0.1
slope = (f(x + h) - f(x)) / h
slope

# %% [markdown]
# A smaller step came nearer, but not quite to 27. (How small should the step be?
# There is a best one. The extra at the end looks for it.)
#
# ## 2. What does it cost?
#
# So far there was one input. Real programs have many: each point of a picture is one.
# %% [markdown] lang="fr"
# Un pas plus petit s'est approché, mais pas tout à fait jusqu'à 27. (De
# quelle taille faut-il choisir le pas ? Il y en a un meilleur que les autres. Le supplément à la fin le cherche.)
#
# ## 2. Combien cela coûte-t-il ?
#
# Jusqu'ici, il y avait une seule entrée. Les vrais programmes en ont beaucoup : chaque point d'une image en est
# une.
# %% [markdown] lang="es"
# Un paso más pequeño se acercó más, pero no llegó del todo a 27. (¿Qué tan
# pequeño debe ser el paso? Hay uno mejor que los demás. El extra del final lo busca.)
#
# ## 2. ¿Cuánto cuesta?
#
# Hasta ahora había una sola entrada. Los programas de verdad tienen muchas: cada punto de una imagen es una.

# %% exercise="01.difference"

# %% predict="01.runs"

# %% [markdown]
# Now the same with a million inputs. `picture` has 1000 × 1000 points, and `distance` says how far it is from the
# picture that is wanted. Which of its points should become lighter, which darker? A slope for each point would say
# it. (`tf.reduce_sum` adds up all numbers of an array.)
#
# First a tape. It records one run of `distance`, and is played backwards once. `gradient` then has a slope for each
# of the million points. This is really done, and timed.
# %% [markdown] lang="fr"
# Maintenant la même chose avec un million d'entrées. `picture` a 1000 × 1000 points, et `distance` dit à quelle
# distance elle est de l'image voulue. Lesquels de ses points devraient devenir plus clairs, lesquels plus foncés ?
# Une pente par point le dirait. (`tf.reduce_sum` additionne tous les nombres d'un tableau.)
#
# D'abord une bande. Elle enregistre une exécution de `distance`, et on la joue une fois à rebours. `gradient` a alors
# une pente pour chacun de ce million de points. Tout cela est fait réellement, et chronométré.
# %% [markdown] lang="es"
# Ahora lo mismo con un millón de entradas. `picture` tiene 1000 × 1000 puntos, y `distance` dice a qué distancia está de
# la imagen que se quiere. ¿Cuáles de sus puntos deberían ser más claros, y cuáles más oscuros? Lo diría una pendiente
# por cada punto. (`tf.reduce_sum` suma todos los números de un array.)
#
# Primero, una cinta. Graba una ejecución de `distance`, y se reproduce hacia atrás una vez. `gradient` tiene entonces
# una pendiente por cada uno del millón de puntos. Esto se hace de verdad, y se cronometra.

# %%
picture, wanted = np.random.rand(1000, 1000), np.random.rand(1000, 1000)

def distance(picture):
    error = picture - wanted
    return tf.reduce_sum(error * error)

begin = time.perf_counter()
points = tf.Variable(picture)
with tf.GradientTape() as tape:
    y = distance(points)
gradient = tape.gradient(y, points)
one_tape = time.perf_counter() - begin

np.size(gradient)

# %% [markdown]
# Then finite differences, with the same `distance`. We do not wait for all of them: 20 runs are measured, one for
# each of the first 20 points, and multiplied. So the upper bar is an estimate.
#
# Decide before you run the two cells: will a million runs take a minute, an hour, a day? Mind the axis: each line of
# its grid is ten times the one before.
# %% [markdown] lang="fr"
# Ensuite les différences finies, avec la même `distance`. Nous ne les attendons pas toutes : 20 exécutions sont
# mesurées, une pour chacun des 20 premiers points, puis multipliées. La barre du haut est donc une estimation.
#
# Décidez avant d'exécuter les deux cellules : ce million d'exécutions prendra-t-il une minute, une heure, un jour ?
# Attention à l'axe : chaque ligne de sa grille vaut dix fois la précédente.
# %% [markdown] lang="es"
# Después, diferencias finitas, con la misma `distance`. No las esperamos todas: se miden 20 ejecuciones, una por cada
# uno de los primeros 20 puntos, y se multiplica. Así que la barra de arriba es una estimación.
#
# Decide antes de ejecutar las dos celdas: ¿un millón de ejecuciones tardarán un minuto, una hora, un día? Cuidado con
# el eje: cada línea de su cuadrícula es diez veces la anterior.

# %%
begin = time.perf_counter()
for k in range(20):
    moved = picture.copy()
    moved[0, k] += 0.001
    tried = (distance(moved) - y) / 0.001
one_run = (time.perf_counter() - begin) / 20

finite_differences = one_run * 1_000_001

# %% tags=["answer"] lang="en"
bars({"finite differences (estimated)": finite_differences, "one tape (measured)": one_tape},
     unit="seconds", log=True)

# %% tags=["answer"] lang="fr"
bars({"différences finies (estimées)": finite_differences, "une bande (mesurée)": one_tape},
     unit="secondes", log=True)

# %% tags=["answer"] lang="es"
bars({"diferencias finitas (estimadas)": finite_differences, "una cinta (medida)": one_tape},
     unit="segundos", log=True)

# %% [markdown]
# In other words: if the bar of the tape were one millimetre long on an ordinary axis, how many metres long would
# the other one be? The next cell says it. It also shows the last slope that was tried, beside the tape's: the two
# agree, but for the small error of the finite difference.
# %% [markdown] lang="fr"
# Autrement dit : si la barre de la bande avait un millimètre sur un axe ordinaire, combien de mètres l'autre
# aurait-elle ? La cellule suivante le dit. Elle montre aussi la dernière pente essayée, à côté de celle de la
# bande : les deux s'accordent, à la petite erreur de la différence finie près.
# %% [markdown] lang="es"
# Dicho de otra manera: si la barra de la cinta midiera un milímetro en un eje corriente, ¿cuántos metros mediría la
# otra? La celda siguiente lo dice. También muestra la última pendiente que se probó, al lado de la de la cinta: las dos
# coinciden, salvo el pequeño error de la diferencia finita.

# %% tags=["answer"] lang="en"
print(f"{finite_differences / 3600:.1f} hours instead of {one_tape:.2f} seconds")
print(f"{finite_differences / one_tape / 1000:.0f} metres")
print(f"tried: {float(tried):.4f}   the tape: {float(gradient[0, 19]):.4f}")

# %% tags=["answer"] lang="fr"
print(f"{finite_differences / 3600:.1f} heures au lieu de {one_tape:.2f} seconde")
print(f"{finite_differences / one_tape / 1000:.0f} mètres")
print(f"essayée : {float(tried):.4f}   la bande : {float(gradient[0, 19]):.4f}")

# %% tags=["answer"] lang="es"
print(f"{finite_differences / 3600:.1f} horas en vez de {one_tape:.2f} segundos")
print(f"{finite_differences / one_tape / 1000:.0f} metros")
print(f"probando: {float(tried):.4f}   la cinta: {float(gradient[0, 19]):.4f}")

# %% [markdown]
# ## 3. How can one play be enough?
#
# A finite difference looks at the program from outside. A tape looks inside: there the program is a chain of small
# steps, and the slope of each small step is known. Take this one:
#
# | step | its slope |
# |---|---|
# | `u = 3 * x` | if `x` grows by 1, `u` grows by 3 |
# | `v = u - 1` | if `u` grows by 1, `v` grows by 1 |
#
# So if `x` grows by 1, `u` grows by 3, and then `v` grows by 3 × 1. Each step is a link of a chain: it enlarges
# what the link before has enlarged. Now a chain with a third link, and numbers of your own:
# %% [markdown] lang="fr"
# ## 3. Comment un seul passage peut-il suffire ?
#
# Une différence finie regarde le programme de l'extérieur. Une bande regarde à l'intérieur : là, le programme est
# une chaîne de petits pas, et la pente de chaque petit pas est connue. Prenez celui-ci :
#
# | pas | sa pente |
# |---|---|
# | `u = 3 * x` | si `x` augmente de 1, `u` augmente de 3 |
# | `v = u - 1` | si `u` augmente de 1, `v` augmente de 1 |
#
# Donc si `x` augmente de 1, `u` augmente de 3, et `v` augmente alors de 3 × 1. Chaque pas est un maillon d'une
# chaîne : il agrandit ce que le maillon précédent a agrandi. Voici une chaîne avec un troisième maillon, et des
# nombres pour vous :
# %% [markdown] lang="es"
# ## 3. ¿Cómo puede bastar una sola reproducción?
#
# Una diferencia finita mira el programa desde fuera. Una cinta mira dentro: ahí, el programa es una cadena de pasos
# pequeños, y se conoce la pendiente de cada uno. Toma este:
#
# | paso | su pendiente |
# |---|---|
# | `u = 3 * x` | si `x` crece 1, `u` crece 3 |
# | `v = u - 1` | si `u` crece 1, `v` crece 1 |
#
# Así que si `x` crece 1, `u` crece 3, y entonces `v` crece 3 × 1. Cada paso es un eslabón de una cadena: agranda lo que
# agrandó el eslabón anterior. Ahora una cadena con un tercer eslabón, y con números tuyos:

# %% predict="01.chain"

# %% [markdown]
# Along a chain, slopes are multiplied: this is called the **chain rule**. Books write
#
# > dy/dx = dy/dv · dv/du · du/dx
#
# with a fraction for each link. Watch a tape do it: step to the end. The first cell holds what the player will say.
# %% [markdown] lang="fr"
# Le long d'une chaîne, les pentes se multiplient : c'est la **règle de la chaîne** (ou dérivation en chaîne). Les livres
# écrivent
#
# > dy/dx = dy/dv · dv/du · du/dx
#
# avec une fraction par maillon. Regardez une bande le faire : avancez jusqu'à la fin. La première cellule contient ce que le
# lecteur dira.
# %% [markdown] lang="es"
# A lo largo de una cadena, las pendientes se multiplican: esto se llama la **regla de la cadena**. Los libros escriben
#
# > dy/dx = dy/dv · dv/du · du/dx
#
# con una fracción por cada eslabón. Mira cómo lo hace una cinta: avanza hasta el final. La primera celda contiene lo que
# dirá el reproductor.

# %% lang="en" tags=["folded"]
says = {
    "play": "A card for each link, and a value on each. So far the tape has only written down.",
    "seed": "Now backwards, beginning with 1. Watch the number that travels: each link multiplies it once.",
    "part v": "The link v ** 2 has the slope 2 × v.",
    "part u": "The link u - 1 has the slope 1: the number passes as it is.",
    "part x": "The link 3 * x has the slope 3.",
    "end": "Read the orange numbers from the last card back to x: each link has multiplied once. The picture has kept the cards: "
           "drag the number of x sideways, and it plays them again. The slope of one link changes. Which one?",
}

# %% lang="fr" tags=["folded"]
says = {
    "play": "Une carte pour chaque maillon, et une valeur sur chacune. Jusqu'ici, la bande n'a fait que noter.",
    "seed": "Maintenant à rebours, en commençant par 1. Regardez le nombre qui voyage : chaque maillon le multiplie une fois.",
    "part v": "Le maillon v ** 2 a la pente 2 × v.",
    "part u": "Le maillon u - 1 a la pente 1 : le nombre passe tel quel.",
    "part x": "Le maillon 3 * x a la pente 3.",
    "end": "Lisez les nombres orange de la dernière carte jusqu'à x : chaque maillon a multiplié une fois. L'image a gardé les "
           "cartes : faites glisser le nombre de x, et elle les rejoue. La pente d'un maillon change. Lequel ?",
}

# %% lang="es" tags=["folded"]
says = {
    "play": "Una tarjeta por cada eslabón, y un valor en cada una. Hasta ahora, la cinta solo ha anotado.",
    "seed": "Ahora hacia atrás, empezando por 1. Fíjate en el número que viaja: cada eslabón lo multiplica una vez.",
    "part v": "El eslabón v ** 2 tiene la pendiente 2 × v.",
    "part u": "El eslabón u - 1 tiene la pendiente 1: el número pasa tal cual.",
    "part x": "El eslabón 3 * x tiene la pendiente 3.",
    "end": "Lee los números en naranja desde la última tarjeta hasta x: cada eslabón multiplicó una vez. La imagen ha guardado las "
           "tarjetas: arrastra hacia un lado el número de x, y las reproduce otra vez. Cambia la pendiente de un eslabón. ¿De cuál?",
}

# %%
# %%tape --link knows-value-adjoint-local-inspector --say says
x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    u = 3 * x
    v = u - 1
    y = v ** 2

slope = tape.gradient(y, x)

# %% predict="01.keeps"

# %% [markdown]
# That is why the slopes are found *after* the run: the values must be there. And it is why a tape is needed: it
# remembers which steps ran, in which order, and with which values.
#
# On the way back, each card is visited once, however many inputs there are. That is about as much work as the run
# itself. To find slopes like this, exactly and without a formula of the whole program, is called **automatic
# differentiation**.
#
# **Change it.** In the player's cell, add a fourth link, such as `z = 10 * y`, and ask for the gradient of `z`. Say
# the new slope before you run it.
#
# ## 4. The same, forwards
#
# The links can also be multiplied while the program runs. Then each value takes its slope along: a **pair** of a
# value and a slope. Below, the same chain with pairs. `x` begins with the slope 1, since `x` grows as much as `x`.
# Say first with which slope `y` will end.
# %% [markdown] lang="fr"
# Voilà pourquoi les pentes se trouvent *après* l'exécution : il faut que les valeurs soient là. Et voilà pourquoi
# il faut une bande : elle se rappelle quels pas ont été faits, dans quel ordre, et avec quelles valeurs.
#
# Au retour, chaque carte est visitée une seule fois, quel que soit le nombre d'entrées. C'est à peu près autant de
# travail que l'exécution elle-même. Trouver des pentes ainsi, exactement et sans formule du programme entier, s'appelle
# la **différentiation automatique**.
#
# **Changez-la.** Dans la cellule du lecteur, ajoutez un quatrième maillon, par exemple `z = 10 * y`, et demandez le
# gradient de `z`. Dites la nouvelle pente avant d'exécuter.
#
# ## 4. La même chose, vers l'avant
#
# On peut aussi multiplier les maillons pendant que le programme s'exécute. Chaque valeur emporte alors sa pente : une
# **paire**, une valeur et une pente. Voici la même chaîne avec des paires. `x` commence avec la pente 1, puisque `x`
# augmente autant que `x`. Dites d'abord avec quelle pente `y` finira.
# %% [markdown] lang="es"
# Por eso las pendientes se encuentran *después* de la ejecución: los valores tienen que estar ahí. Y por eso hace falta
# una cinta: recuerda qué pasos se ejecutaron, en qué orden y con qué valores.
#
# A la vuelta, cada tarjeta se visita una sola vez, por muchas entradas que haya. Es más o menos tanto trabajo como la
# ejecución misma. Encontrar así las pendientes, exactamente y sin una fórmula del programa entero, se llama
# **diferenciación automática**.
#
# **Cámbialo.** En la celda del reproductor, añade un cuarto eslabón, como `z = 10 * y`, y pide el gradiente de `z`. Di
# la nueva pendiente antes de ejecutarla.
#
# ## 4. Lo mismo, hacia delante
#
# Los eslabones también se pueden multiplicar mientras el programa se ejecuta. Entonces cada valor lleva consigo su
# pendiente: un **par** de un valor y una pendiente. Abajo, la misma cadena con pares. `x` empieza con la pendiente 1,
# porque `x` crece tanto como `x`. Di primero con qué pendiente acabará `y`.

# %% tags=["answer"]
def times(k, pair):
    value, slope = pair
    return k * value, k * slope

def minus(pair, k):
    value, slope = pair
    return value - k, slope

def square(pair):
    value, slope = pair
    return value ** 2, 2 * value * slope

u = times(3, (2.0, 1.0))
v = minus(u, 1)
y = square(v)
u, v, y

# %% [markdown]
# The last number is the slope that the tape found. This is called **forward mode**. It keeps nothing, so it needs no
# tape. Why then is there one? Think of a program with several inputs.
# %% [markdown] lang="fr"
# Le dernier nombre est la pente que la bande a trouvée. C'est ce qu'on appelle le **mode direct** (en anglais *forward mode*).
# Il ne garde rien, donc il n'a pas besoin de bande. Pourquoi alors en avoir une ? Pensez à un programme à plusieurs entrées.
# %% [markdown] lang="es"
# El último número es la pendiente que encontró la cinta. Esto se llama **modo directo** (en inglés, *forward mode*). No
# guarda nada, así que no necesita cinta. ¿Por qué hay una, entonces? Piensa en un programa con varias entradas.

# %% predict="01.forward"

# %% [markdown]
# Then be the tape once more, in a program that looks different:
# %% [markdown] lang="fr"
# Soyez ensuite la bande encore une fois, dans un programme qui a l'air différent :
# %% [markdown] lang="es"
# Después, sé la cinta una vez más, en un programa que parece distinto:

# %% exercise="01.balloon"

# %% [markdown]
# ## What you know now
#
# * A slope can be found by trying. It costs one more run for each input, and is hardly ever exact.
# * A program is made of small steps, and each has a simple slope. Along a chain, slopes are **multiplied**: the chain rule.
# * The slopes need values that are known only when the program runs: a **tape** keeps them, and the order of the
#   steps.
# * So this is how a program knows its own slopes: it writes down what it does, and is played backwards **once**,
#   for one input as for a million.
#
# Next: [Recording](02_recording.ipynb). What exactly is on the tape, and what is not?
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * On peut trouver une pente en essayant. Cela coûte une exécution de plus par entrée, et ce n'est presque jamais
#   exact.
# * Un programme est fait de petits pas, et chacun a une pente simple. Le long d'une chaîne, les pentes se
#   **multiplient** : la règle de la chaîne.
# * Les pentes demandent des valeurs connues seulement à l'exécution : une **bande** les garde, ainsi que l'ordre
#   des pas.
# * Voilà donc comment un programme connaît ses propres pentes : il note ce qu'il fait, et on le rejoue à rebours
#   **une seule fois**, pour une entrée comme pour un million.
#
# Ensuite : [Enregistrer](02_recording.ipynb). Qu'y a-t-il exactement sur la bande, et qu'est-ce qui n'y est pas ?
# %% [markdown] lang="es"
# ## Lo que ya sabes
#
# * Una pendiente se puede encontrar probando. Cuesta una ejecución más por cada entrada, y casi nunca es exacta.
# * Un programa está hecho de pasos pequeños, y cada uno tiene una pendiente sencilla. A lo largo de una cadena, las
#   pendientes se **multiplican**: la regla de la cadena.
# * Las pendientes necesitan valores que solo se conocen al ejecutar el programa: una **cinta** los guarda, y también el
#   orden de los pasos.
# * Así es como un programa conoce sus propias pendientes: anota lo que hace, y se reproduce hacia atrás **una sola vez**,
#   tanto para una entrada como para un millón.
#
# Sigue: [Grabar](02_recording.ipynb). ¿Qué está exactamente en la cinta, y qué no?

# %% [markdown]
# ## Extra: how small a step?
#
# In section 1, a smaller step came nearer. How far can one go?
# %% [markdown] lang="fr"
# ## Supplément : un pas, de quelle taille ?
#
# Dans la partie 1, un pas plus petit s'est approché. Jusqu'où peut-on aller ?
# %% [markdown] lang="es"
# ## Extra: ¿un paso de qué tamaño?
#
# En la sección 1, un paso más pequeño se acercó más. ¿Hasta dónde se puede llegar?

# %% predict="01.best"

# %% [markdown]
# Let us try fifteen steps, each ten times smaller than the one before, and draw the error of each. Both axes count
# in powers of ten: 10⁻³ is 0.001. Read the picture from right to left: the step becomes smaller. Look for the place
# where the line turns.
# %% [markdown] lang="fr"
# Essayons quinze pas, chacun dix fois plus petit que le précédent, et dessinons l'erreur de chacun. Les deux axes
# comptent en puissances de dix : 10⁻³ est 0,001. Lisez l'image de droite à gauche : le pas devient plus petit.
# Cherchez l'endroit où la ligne tourne.
# %% [markdown] lang="es"
# Probemos quince pasos, cada uno diez veces más pequeño que el anterior, y dibujemos el error de cada uno. Los dos ejes
# cuentan en potencias de diez: 10⁻³ es 0.001. Lee la imagen de derecha a izquierda: el paso se hace más pequeño. Busca
# el lugar donde la línea da la vuelta.

# %% tags=["answer"] lang="en"
steps = 10.0 ** -np.arange(1, 16)
one_side = np.abs((f(3.0 + steps) - f(3.0)) / steps - 27)

lines({"error": (steps, one_side)}, x="step h", y="error", log="xy")

# %% tags=["answer"] lang="fr"
steps = 10.0 ** -np.arange(1, 16)
one_side = np.abs((f(3.0 + steps) - f(3.0)) / steps - 27)

lines({"erreur": (steps, one_side)}, x="pas h", y="erreur", log="xy")

# %% tags=["answer"] lang="es"
steps = 10.0 ** -np.arange(1, 16)
one_side = np.abs((f(3.0 + steps) - f(3.0)) / steps - 27)

lines({"error": (steps, one_side)}, x="paso h", y="error", log="xy")

# %% [markdown]
# Two errors work against each other.
#
# * **On the right, the curve bends.** Between `x` and `x + h` the slope changes. A step ten times smaller makes
#   this error ten times smaller.
# * **On the left, the computer rounds.** It keeps about 16 digits of a number. With a tiny step, `f(x + h)` and
#   `f(x)` agree in nearly all of them. Their difference is what is left, and most of that is rounding.
#
# So somebody has to choose the step. One can do better than the first formula, though. Try it:
# %% [markdown] lang="fr"
# Deux erreurs s'opposent.
#
# * **À droite, la courbe s'incurve.** Entre `x` et `x + h`, la pente change. Un pas dix fois plus petit rend cette
#   erreur dix fois plus petite.
# * **À gauche, l'ordinateur arrondit.** Il garde environ 16 chiffres d'un nombre. Avec un pas minuscule, `f(x + h)`
#   et `f(x)` s'accordent sur presque tous. Leur différence est ce qui reste, et c'est surtout de l'arrondi.
#
# Quelqu'un doit donc choisir le pas. On peut cependant faire mieux que la première formule. Essayez :
# %% [markdown] lang="es"
# Dos errores trabajan uno contra otro.
#
# * **A la derecha, la curva se tuerce.** Entre `x` y `x + h` la pendiente cambia. Con un paso diez veces más pequeño, este
#   error se hace diez veces más pequeño.
# * **A la izquierda, la máquina redondea.** Guarda unas 16 cifras de un número. Con un paso diminuto, `f(x + h)` y
#   `f(x)` coinciden en casi todas. Su diferencia es lo que queda, y la mayor parte es redondeo.
#
# Así que alguien tiene que elegir el paso. Pero se puede hacer mejor que con la primera fórmula. Pruébalo:

# %% exercise="01.errors"

# %% [markdown]
# When it is correct, draw your own curve beside the first one: take both `#` away and run the cell. Where does each
# of the two turn?
# %% [markdown] lang="fr"
# Quand c'est juste, dessinez votre propre courbe à côté de la première : retirez les deux `#` et exécutez la cellule. Où
# chacune des deux tourne-t-elle ?
# %% [markdown] lang="es"
# Cuando esté bien, dibuja tu propia curva al lado de la primera: quita los dos `#` y ejecuta la celda. ¿Dónde da la
# vuelta cada una de las dos?

# %% lang="en"
# both = {"one side": (steps, one_side), "both sides": (steps, errors(3.0, steps))}
# lines(both, x="step h", y="error", log="xy")

# %% lang="fr"
# both = {"d'un côté": (steps, one_side), "des deux côtés": (steps, errors(3.0, steps))}
# lines(both, x="pas h", y="erreur", log="xy")

# %% lang="es"
# both = {"un lado": (steps, one_side), "los dos lados": (steps, errors(3.0, steps))}
# lines(both, x="paso h", y="error", log="xy")

# %% [markdown]
# # minitape: see where gradients come from
#
# [English](index.ipynb) · [Français](fr/index.ipynb) · [Español](es/index.ipynb)
#
# * **New here?** Begin with [lesson 00](00_start_here.ipynb). You need to know what a slope is, nothing more.
# * **My gradient is `None`.** For a program of your own, ask `tape.explain(target, source)`: it names the line.
#   [Lesson 06](06_why_none.ipynb) shows how a gradient gets lost; [the pitfall gallery](pitfalls.ipynb) has each way with the mended
#   program beside it. For PyTorch there is [an extra lesson](in_pytorch.ipynb), and [a gallery](torch_pitfalls.ipynb).
# * **What books call it.** [The glossary](glossary.ipynb) has the words and signs of the field, and the lesson of each.
# * **I teach.** [The teachers' page](teaching/README.md): plans, the projector, solutions.

# %% [markdown] lang="fr"
# # minitape : voir d'où viennent les gradients
#
# [English](../index.ipynb) · [Français](../fr/index.ipynb) · [Español](../es/index.ipynb)
#
# * **Vous débutez ?** Commencez par [la leçon 00](00_start_here.ipynb). Il faut savoir ce qu'est une pente, rien de plus.
# * **Mon gradient vaut `None`.** Pour un programme à vous, demandez `tape.explain(target, source)` : la ligne est nommée.
#   [La leçon 06](06_why_none.ipynb) montre comment un gradient se perd ; [la galerie des pièges](pitfalls.ipynb) montre chaque façon, avec
#   le programme réparé à côté. Pour PyTorch, il y a [une leçon en plus](in_pytorch.ipynb), et [une galerie](torch_pitfalls.ipynb).
# * **Comment les livres l'appellent.** [Le glossaire](glossary.ipynb) donne les mots et les signes du domaine, et la leçon de chacun.
# * **J'enseigne.** [La page des enseignants](../teaching/README.md) (en anglais) : plans, projecteur, solutions.
# %% [markdown] lang="es"
# # minitape: mira de dónde vienen los gradientes
#
# [English](../index.ipynb) · [Français](../fr/index.ipynb) · [Español](../es/index.ipynb)
#
# Las lecciones 00 a 03 están en español; lo demás está en inglés.
#
# * **¿Es tu primera vez?** Empieza por [la lección 00](00_start_here.ipynb). Hace falta saber qué es una pendiente, nada más.
# * **Mi gradiente es `None`.** Para un programa tuyo, pregunta `tape.explain(target, source)`: te nombra la línea.
#   [La lección 06](../06_why_none.ipynb) muestra cómo se pierde un gradiente; [la galería de trampas](../pitfalls.ipynb) muestra cada
#   manera, con el programa reparado al lado. Para PyTorch hay [una lección extra](../in_pytorch.ipynb), y [una galería](../torch_pitfalls.ipynb).
# * **Cómo lo llaman los libros.** [El glosario](../glossary.ipynb) tiene las palabras y los signos del campo, y la lección de cada uno.
# * **Doy clases.** [La página de quienes enseñan](../teaching/README.md): planes, proyector, soluciones.

# %% [markdown]
# The lessons build on each other; each runs by itself. A click on a title opens it. **Run the cell below** (click on it, then press
# Shift+Enter): the map then also shows what you have solved, and where to go on.

# %% [markdown] lang="fr"
# Les leçons se suivent ; chacune s'exécute seule. Un clic sur un titre l'ouvre. **Exécutez la cellule ci-dessous** (un clic, puis
# Maj+Entrée) : la carte montre alors aussi ce que vous avez résolu, et où continuer.
# %% [markdown] lang="es"
# Las lecciones se apoyan unas en otras; cada una se ejecuta por sí sola. Un clic en un título la abre. **Ejecuta la celda de abajo**
# (haz clic en ella, y pulsa Mayús+Intro): el mapa muestra entonces también lo que has resuelto, y por dónde seguir.

# %% lang="en"
from minitape.exercises import course, progress

course.show()

# %% lang="fr"
from minitape.exercises import course, progress
from minitape.sentences import set_language

set_language("fr")
course.show()

# %% lang="es"
from minitape.exercises import course, progress
from minitape.sentences import set_language

set_language("es")
course.show()

# %% [markdown]
# ## What you have done
#
# Your progress is one file in your home folder, on the machine on which this runs; nothing leaves it. On Binder that machine
# is gone soon after you close the page. Before you go, run `progress.export("mine.json")`, and download the file from the list on
# the left (right click, *Download*). When you come back, drop it into that list, and run `progress.merge("mine.json")`.
# To begin anew, there is `progress.erase()`.

# %% [markdown] lang="fr"
# ## Ce que vous avez fait
#
# Vos progrès sont un fichier dans votre dossier personnel, sur la machine où ceci s'exécute ; rien n'en sort. Sur Binder, cette
# machine disparaît peu après que vous avez fermé la page. Avant de partir, exécutez `progress.export("mine.json")`, et téléchargez le
# fichier depuis la liste à gauche (clic droit, *Download*). À votre retour, déposez-le dans cette liste, et exécutez
# `progress.merge("mine.json")`. Pour recommencer de zéro, il y a `progress.erase()`.
# %% [markdown] lang="es"
# ## Lo que has hecho
#
# Tu progreso es un archivo en tu carpeta personal, en la máquina donde se ejecuta esto; nada sale de ella. En Binder, esa máquina
# desaparece poco después de que cierres la página. Antes de irte, ejecuta `progress.export("mine.json")`, y descarga el archivo desde la
# lista de la izquierda (clic derecho, *Download*). Cuando vuelvas, suéltalo en esa lista, y ejecuta `progress.merge("mine.json")`.
# Para empezar de nuevo está `progress.erase()`.

# %% tags=["answer"]
progress.show()

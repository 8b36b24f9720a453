# %% [markdown]
# # Lesson 12: Custom gradients
#
# *About 40 minutes. You know what the rule of a card is (lesson 03), and what a slope of a slope is (lesson 10).*
#
# Each card of a tape asks the rule of its operation: what arrives, and what goes on to the inputs? Somebody wrote these rules.
#
# > May I write the slope myself?
#
# First run this cell. Then answer a question about the last lesson. Its numbers are new each time.
# %% [markdown] lang="fr"
# # Leçon 12 : gradients sur mesure
#
# *Environ 40 minutes. Vous savez ce qu'est la règle d'une carte (leçon 03), et ce qu'est la pente d'une pente (leçon 10).*
#
# Chaque carte d'une bande interroge la règle de son opération : qu'est-ce qui arrive, et qu'est-ce qui repart vers les entrées ?
# Quelqu'un a écrit ces règles.
#
# > Puis-je écrire la pente moi-même ?
#
# Exécutez d'abord les deux cellules suivantes. Répondez ensuite à une question sur la leçon précédente. Ses nombres sont nouveaux à
# chaque fois.

# %%
import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, compare, lines, play

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="12.recall"

# %% [markdown]
# ## 1. Right rules, a wrong answer
#
# Here is a function that networks use often: log(1 + exp(x)). It is called **softplus**. It is a relu with a round corner: nearly 0 on
# the left, nearly `x` itself on the right. Its slope goes from 0 to 1. Before you run the cell: does the curve pass through 0 at `x` = 0,
# as relu does, or above it?
# %% [markdown] lang="fr"
# ## 1. Des règles justes, une réponse fausse
#
# Voici une fonction dont les réseaux se servent souvent : log(1 + exp(x)). On l'appelle **softplus**. C'est un relu au coin arrondi :
# presque 0 à gauche, presque `x` lui-même à droite. Sa pente va de 0 à 1. Avant d'exécuter la cellule : en `x` = 0, la courbe
# passe-t-elle par 0, comme relu, ou au-dessus ?

# %% lang="en" tags=["folded"]
curves = ["softplus", "slope"]

# %% lang="fr" tags=["folded"]
curves = ["softplus", "pente"]

# %% tags=["answer"]
xs = tf.Variable(tf.linspace(-5.0, 5.0, 51))

with tf.GradientTape() as tape:
    ys = tf.math.log(1.0 + tf.exp(xs))

slopes = tape.gradient(ys, xs)
points = xs.numpy().tolist()
lines({name: (points, line.numpy().tolist()) for name, line in zip(curves, (ys, slopes))}, x="x")

# %% [markdown]
# Above it: log(2) is 0.69. All is well between -5 and 5. Now go further to the right.
# %% [markdown] lang="fr"
# Au-dessus : log(2) vaut 0,69. Entre -5 et 5, tout va bien. Allons plus loin à droite.

# %% predict="12.value"

# %% predict="12.slope"

# %% [markdown]
# **Take hold of a number.** Run the cell. The play stands at its end, and `x` is 2. Click on `x`, and in the Inspector raise it: 20,
# then 80, 88 and 89. Watch three things: the output of `exp`, then `y`, then the slope.
# %% [markdown] lang="fr"
# **Prenez un nombre en main.** Exécutez la cellule. La lecture est à sa fin, et `x` vaut 2. Cliquez sur `x`, et dans l'inspecteur
# augmentez-le : 20, puis 80, 88 et 89. Regardez trois choses : la sortie de `exp`, puis `y`, puis la pente.

# %%
x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = tf.math.log(1.0 + tf.exp(x))

play(tape, y, x, start="end")

# %% [markdown]
# No rule is wrong here. `log` divides by its input, and `exp` multiplies by its output, as they should. But one card kept inf, and
# `0 * inf` is not a number. Each rule knows only its own card. *You* know the whole function, so you can do better.
#
# ## 2. A card with a rule of your own
#
# On paper the slope is exp(x) / (1 + exp(x)). The same number can be written as 1 - 1 / (1 + exp(x)). There, an inf does no harm:
# 1 / inf is 0, and 1 - 0 is 1.
#
# `@tf.custom_gradient` stands above a function that returns **two** things: the value, and a **rule**. The rule is a function, too. It
# gets `g`, the adjoint of the value, and returns what goes back to the input: `g` times the slope. TensorFlow has it under the same name.
# %% [markdown] lang="fr"
# Aucune règle n'est fausse ici. `log` divise par son entrée, et `exp` multiplie par sa sortie, comme il se doit. Mais une carte a gardé
# inf, et `0 * inf` n'est pas un nombre. Chaque règle ne connaît que sa propre carte. *Vous*, vous connaissez la fonction entière : vous
# pouvez donc faire mieux.
#
# ## 2. Une carte avec votre propre règle
#
# Sur le papier, la pente est exp(x) / (1 + exp(x)). Le même nombre peut s'écrire 1 - 1 / (1 + exp(x)). Là, un inf ne fait pas de mal :
# 1 / inf vaut 0, et 1 - 0 vaut 1.
#
# `@tf.custom_gradient` se place au-dessus d'une fonction qui renvoie **deux** choses : la valeur, et une **règle**. La règle est une
# fonction, elle aussi. Elle reçoit `g`, l'adjoint de la valeur, et renvoie ce qui retourne à l'entrée : `g` fois la pente. TensorFlow
# l'a sous le même nom.

# %%
@tf.custom_gradient
def softplus(x):
    e = tf.exp(x)

    def rule(g):
        return g * (1.0 - 1.0 / (1.0 + e))

    return tf.math.log(1.0 + e), rule

# %% [markdown]
# Now both tapes side by side, for `x` = 100. They are recorded, and stand before their way back. Step, and count on each side: how many
# cards are visited on the way back?
# %% [markdown] lang="fr"
# Voici les deux bandes côte à côte, pour `x` = 100. Elles sont enregistrées, et attendent leur retour. Avancez, et comptez de chaque
# côté : combien de cartes sont visitées au retour ?

# %% lang="en" tags=["folded"]
says = {
    "play": "Three cards, and a fourth with a rule of its own, which stands for all of them.",
    "part x": "x is used twice: by exp, and by your card. Your rule wrote this, and the three cards of the inside are not asked.",
    "end": "The slope is 1. The value is still inf: a rule changes only the way back.",
}
names = ["as it is", "with your rule"]

# %% lang="fr" tags=["folded"]
says = {
    "play": "Trois cartes, et une quatrième avec sa propre règle, qui les remplace toutes.",
    "part x": "x sert deux fois : à exp, et à votre carte. C'est votre règle qui a écrit cela ; "
              "les trois cartes de l'intérieur ne sont pas interrogées.",
    "end": "La pente vaut 1. La valeur est toujours inf : une règle ne change que le retour.",
}
names = ["tel quel", "avec votre règle"]

# %% tags=["way-back-asked"]
x = tf.Variable(100.0)

with tf.GradientTape() as tape:
    y = tf.math.log(1.0 + tf.exp(x))
as_it_is = play(tape, y, x)

with tf.GradientTape() as tape:
    y = softplus(x)
with_rule = play(tape, y, x, say=says)

compare(as_it_is, with_rule, names=names, start="play")

# %% [markdown]
# NaN on the left, and 1 on the right. Now mend the value, too. The button below an answer shows *your* tape, here and below.
# %% [markdown] lang="fr"
# NaN à gauche, et 1 à droite. Réparez maintenant la valeur, elle aussi. Le bouton sous une réponse montre *votre* bande, ici et plus
# bas.

# %% exercise="12.softplus"

# %% [markdown]
# ## 3. The tape believes you
#
# What if the rule is not true?
# %% [markdown] lang="fr"
# ## 3. La bande vous croit
#
# Et si la règle n'est pas vraie ?

# %% predict="12.rule"

# %% [markdown]
# The tape cannot know, so you have to check. `tf.check_gradients` changes each input a little, looks at the result, and compares with
# the tape. Before you run the cell: which of the two functions will be refused?
# %% [markdown] lang="fr"
# La bande ne peut pas le savoir : à vous de vérifier. `tf.check_gradients` change un peu chaque entrée, regarde le résultat, et compare
# avec la bande. Avant d'exécuter : laquelle des deux fonctions sera refusée ?

# %% tags=["answer"]
@tf.custom_gradient
def square(x):
    def rule(g):
        return 3.0 * g

    return x * x, rule


at = 2.0
for function in (softplus, square):
    try:
        print(tf.check_gradients(function, at))
    except AssertionError as error:
        print(error)

# %% [markdown]
# **Change it.** Write `at = 1.5`, and run the cell once more. Has the rule become right? Try a third number.
#
# At 1.5 the true slope is 3, by chance. So check at several numbers; best at random ones. (In TensorFlow, `tf.test.compute_gradient` gives
# the two Jacobians to compare.)
#
# ## 4. When may I?
#
# Mostly, don't. The rules of the tape are right and well tested, and yours is one more place for a mistake. There are four good reasons:
#
# * **Numbers**: the formula is right, but its inf and NaN are in the way. Look first whether the library has it: `tf.math.softplus`.
# * **Steps**: rounding has slope 0 nearly everywhere, so nothing could learn through it.
# * **On purpose**: you *want* another slope on the way back.
# * **Missing**: a value comes from a program that the tape does not see.
#
# The second: a slope of 0 would teach nothing, so `tf.round` has no rule at all, and the tape answers None. One pretends on the way back
# that there was no rounding. This is called **straight-through**. It needs no rule of your own; two tools do it. `tf.stop_gradient(x)` has
# the value of `x`, and is a constant for the tape. `tf.grad_pass_through(f)` makes of `f` a function that acts only forwards.
# %% [markdown] lang="fr"
# **Changez-le.** Écrivez `at = 1.5`, et exécutez la cellule encore une fois. La règle est-elle devenue juste ? Essayez un troisième
# nombre.
#
# À 1,5 la vraie pente vaut 3, par hasard. Vérifiez donc à plusieurs nombres ; le mieux, à des nombres au hasard. (Dans TensorFlow,
# `tf.test.compute_gradient` donne les deux jacobiennes à comparer.)
#
# ## 4. Quand le faire ?
#
# Le plus souvent, ne le faites pas. Les règles de la bande sont justes et bien testées, et la vôtre est un endroit de plus pour une
# erreur. Il y a quatre bonnes raisons :
#
# * **Les nombres** : la formule est juste, mais ses inf et NaN gênent. Regardez d'abord si la bibliothèque l'a : `tf.math.softplus`.
# * **Les marches** : l'arrondi a la pente 0 presque partout ; à travers lui, rien ne pourrait s'apprendre.
# * **Exprès** : vous *voulez* une autre pente au retour.
# * **L'absence** : une valeur vient d'un programme que la bande ne voit pas.
#
# La deuxième : une pente de 0 n'apprendrait rien. `tf.round` n'a donc pas de règle du tout, et la bande répond None. On fait alors, au
# retour, comme s'il n'y avait pas d'arrondi. Cela s'appelle **straight-through** (tout droit). Il n'y faut pas de règle à soi ; deux
# outils le font. `tf.stop_gradient(x)` a la valeur de `x`, et c'est une constante pour la bande. `tf.grad_pass_through(f)` fait de `f`
# une fonction qui n'agit qu'à l'aller.

# %% exercise="12.through"

# %% [markdown]
# The third: a brake. Forwards it changes nothing. Backwards it lets at most 1 through: `tf.clip_by_value` **clips** what is larger. So
# one bad example cannot throw everything before it far off. (`tf.clip_by_norm` shortens a whole array, and keeps its direction.)
# Here 10 arrives at it. Before you run the cell and step: what will the slope along `x` be at the end, for `x` = 4?
# %% [markdown] lang="fr"
# La troisième : un frein. À l'aller, il ne change rien. Au retour, il laisse passer 1 au plus : `tf.clip_by_value` **écrête** ce qui
# dépasse. Ainsi, un seul mauvais exemple ne peut pas jeter très loin tout ce qui précède. (`tf.clip_by_norm` raccourcit un tableau entier,
# et garde sa direction.) Ici, 10 y arrive. Avant d'exécuter la cellule et d'avancer : que vaudra à la fin la pente le long de `x`,
# pour `x` = 4 ?

# %% lang="en" tags=["folded"]
says = {
    "part h": "This is what arrives at the brake: 10.",
    "end": "Without the brake it would be 80. What its rule returns goes on to every card before it.",
}

# %% lang="fr" tags=["folded"]
says = {
    "part h": "C'est ce qui arrive au frein : 10.",
    "end": "Sans le frein, ce serait 80. Ce que sa règle renvoie continue vers chaque carte d'avant.",
}

# %% tags=["way-back-asked"]
@tf.custom_gradient
def brake(x):
    def rule(g):
        return tf.clip_by_value(g, -1.0, 1.0)

    return x, rule


x = tf.Variable(4.0)

with tf.GradientTape() as tape:
    h = brake(x * x)
    y = 10.0 * h

play(tape, y, x, start="play", say=says)

# %% [markdown]
# The brake made 1 of 10, so it is 8 and not 80.
#
# **Change it.** Write -0.5 and 0.5 in the rule for -1 and 1. Which slope will stand at the end? Run the cell, and step. Then let the rule
# return `2.0 * g`: which one now?
#
# `tf.check_gradients` refuses `10.0 * brake(x * x)`, and straight-through as well. Here that is no mistake: the slope is not true *on
# purpose*. Say so in a comment, or the next reader will repair it. (Of `brake` alone the check sees nothing: what arrives is 1.)
#
# ## 5. What it hides
#
# Remember the tape of a tape. The outer tape records what the play of the inner one computes, so it records what *your rule* computes.
# Here are two rules for softplus. Their first slopes are the same. The second rule computes its slope outside of the library, in
# NumPy. Before you run it: will the second slopes be the same, too?
# %% [markdown] lang="fr"
# Le frein a fait 1 de 10 : c'est donc 8, et non 80.
#
# **Changez-le.** Dans la règle, écrivez -0.5 et 0.5 au lieu de -1 et 1. Quelle pente y aura-t-il à la fin ? Exécutez la cellule, et
# avancez. Faites ensuite renvoyer `2.0 * g` à la règle : laquelle, maintenant ?
#
# `tf.check_gradients` refuse `10.0 * brake(x * x)`, et straight-through aussi. Ici, ce n'est pas une erreur : la pente n'est pas vraie, et
# c'est *exprès*. Dites-le dans un commentaire, ou le prochain lecteur la réparera. (De `brake` seul, la vérification ne voit rien : ce qui
# arrive vaut 1.)
#
# ## 5. Ce que cela cache
#
# Souvenez-vous de la bande d'une bande. La bande extérieure enregistre ce que calcule la lecture de l'autre, donc ce que calcule *votre
# règle*. Voici deux règles pour softplus. Leurs premières pentes sont les mêmes. La seconde règle calcule sa pente hors de la
# bibliothèque, dans NumPy. Avant d'exécuter : les secondes pentes seront-elles les mêmes, elles aussi ?

# %% tags=["answer"]
@tf.custom_gradient
def outside(x):
    slope = tf.sigmoid(x).numpy()
    return tf.math.softplus(x), lambda g: g * slope


x = tf.Variable(1.0)
for function in (softplus, outside):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = function(x)
        slope = inner.gradient(y, x)
    print(function.__name__, float(slope), outer.gradient(slope, x))

# %% [markdown]
# The first slope is right, and the second one is lost: for the outer tape, a number from NumPy is a constant. A rule that is
# not true has a second slope that is not true either. So compute in a rule with the library's operations, and check.
#
# ## 6. Make one
#
# The last one looks different. A classifier gives a number to each class, its **score** (also called *logit*). How do five scores become
# one loss? `exp` makes each of them positive, and divided by their sum they are probabilities: this is called **softmax**. The loss is
# minus the logarithm of the true class's probability, the **cross-entropy** of lesson 08.
#
# Computed like that, it is softplus again: one score of 89, and `exp` is inf. And what could help is the same, too: give `exp` only
# numbers that are not above 0.
# %% [markdown] lang="fr"
# La première pente est juste, et la seconde est perdue : pour la bande extérieure, un nombre qui vient de NumPy est une constante. Une
# règle qui n'est pas vraie a aussi une seconde pente qui n'est pas vraie. Calculez donc, dans une règle, avec les opérations de la
# bibliothèque, et vérifiez.
#
# ## 6. En faire une
#
# Le dernier exercice a un tout autre aspect. Un classifieur donne un nombre à chaque classe, son **score** (on dit aussi *logit*).
# Comment cinq scores deviennent-ils une perte ? `exp` rend chacun positif et, divisés par leur somme, ce sont des
# probabilités : on appelle cela **softmax**. La perte est l'opposé du logarithme de la probabilité de la vraie classe,
# l'**entropie croisée** (*cross-entropy*) de la leçon 08.
#
# Calculée ainsi, c'est encore softplus : un score de 89, et `exp` vaut inf. Et ce qui peut aider est aussi la même chose : ne donner à
# `exp` que des nombres qui ne dépassent pas 0.

# %% exercise="12.cross_entropy"

# %% [markdown]
# ## What you know now
#
# * `@tf.custom_gradient` gives a function a rule of its own. Its card asks this rule; the cards of the inside are left out on the way back.
# * The tape believes the rule. `tf.check_gradients` compares it with finite differences.
# * Second slopes are the slopes of your rule.
# * May I write the slope myself? **Yes: for numbers that overflow, for steps, for what the tape cannot see, and on purpose. Else, don't.**
#
# Next: [memory and control](13_memory_and_control.ipynb). What does a tape cost?
#
# ## Extra: a layer whose rule is not true
#
# The third reason once more, for those who have ten minutes left: another slope *on purpose*, in a layer.
# %% [markdown] lang="fr"
# ## Ce que vous savez maintenant
#
# * `@tf.custom_gradient` donne à une fonction sa propre règle. Sa carte interroge cette règle ; au retour, les cartes de l'intérieur sont
#   laissées de côté.
# * La bande croit la règle. `tf.check_gradients` la compare avec des différences finies.
# * Les secondes pentes sont les pentes de votre règle.
# * Puis-je écrire la pente moi-même ? **Oui : pour des nombres qui débordent, pour des marches, pour ce que la bande ne voit pas, et
#   exprès. Sinon, non.**
#
# Ensuite : [mémoire et contrôle](13_memory_and_control.ipynb). Que coûte une bande ?
#
# ## En plus : une couche dont la règle n'est pas vraie
#
# Encore la troisième raison, pour qui a dix minutes de plus : une autre pente *exprès*, dans une couche.

# %% exercise="12.reverse"

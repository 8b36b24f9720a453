# %% [markdown]
# # Glossary
#
# *To look up. The lessons name a thing after you have met it; the last column leads there.*
#
# Books, and the pages of other libraries, write with these words and signs. In them, L is the number that a program should make
# small, its loss; w is a number that it may change.
#
# ## Slopes
#
# | Word | In books | What it is | Lesson |
# |:--|:--|:--|:--|
# | **derivative** | dy/dx, f′(x) | the slope: how many times as much `y` changes as `x`, for a small change | [00](00_start_here.ipynb) |
# | **adjoint** | x̄, dL/dx | the same for any value on the way: how many times as much the result changes | [00](00_start_here.ipynb) |
# | **partial derivative** | ∂z/∂w₁ | the slope for one input, while the others stay where they are | [00](00_start_here.ipynb) |
# | **gradient** | ∇z | all partial derivatives together | [00](00_start_here.ipynb) |
# | **local derivative** | ∂u/∂x | the slope of one step alone | [00](00_start_here.ipynb) |
# | **finite difference** | (f(x + h) − f(x)) / h | a slope found by trying; also called numerical differentiation | [01](01_why_a_tape.ipynb) |
# | **chain rule** | dy/dx = dy/du · du/dx | along a chain of steps, slopes are multiplied | [01](01_why_a_tape.ipynb) |
# | **automatic differentiation** | AD | slopes found step by step while a program runs, exactly, without a formula of the whole | [01](01_why_a_tape.ipynb) |
# | **forward mode** | (x, ẋ) | each value takes its slope along, as a pair; one run for each input | [01](01_why_a_tape.ipynb) |
#
# ## The tape
#
# | Word | In books | What it is | Lesson |
# |:--|:--|:--|:--|
# | **computational graph** | nodes and edges | the picture of which value was made of which | [02](02_recording.ipynb) |
# | **PyTorch** | `requires_grad`, `backward()`, `.grad` | another library with a tape: what is watched, what plays it, and where the slope then is | [02](02_recording.ipynb) |
# | **reverse mode** | x̄ += ȳ · ∂y/∂x | slopes from the result back to the inputs; one play for each result | [03](03_playing_backwards.ipynb) |
# | **backpropagation** | dL/dw | reverse mode, where a network learns | [03](03_playing_backwards.ipynb) |
# | **seed** | ȳ = 1 | the number with which the way back begins | [03](03_playing_backwards.ipynb) |
# | **vector-Jacobian product** | vᵀJ | what the rule of a card computes: adjoint in, parts out | [03](03_playing_backwards.ipynb) |
#
# ## Arrays
#
# | Word | In books | What it is | Lesson |
# |:--|:--|:--|:--|
# | **broadcasting** | (3, 1) + (4,) → (3, 4) | a small array is stretched to the shape of a larger one | [04](04_shapes.ipynb) |
# | **second derivative** | d²y/dx², f″(x) | the slope of the slope | [10](10_tape_of_a_tape.ipynb) |
# | **Hessian** | H, ∂²L/∂wᵢ∂wⱼ | the slopes of the slopes | [10](10_tape_of_a_tape.ipynb) |
# | **Jacobian** | J, ∂yᵢ/∂xⱼ | the slope of each result for each input, as a matrix | [11](11_jacobians.ipynb) |
#
# ## Learning
#
# | Word | In books | What it is | Lesson |
# |:--|:--|:--|:--|
# | **loss** | L | one number that says how wrong a program is | [07](07_training_loop.ipynb) |
# | **gradient descent** | w ← w − η · dL/dw | a step downhill: against the slope | [07](07_training_loop.ipynb) |
# | **learning rate** | η | how long that step is, for each unit of slope | [07](07_training_loop.ipynb) |
# | **mini-batch** | B | the few examples that one step looks at | [07](07_training_loop.ipynb) |
# | **parameters** | θ, W, b | the numbers of a model that learn: weights and biases | [08](08_layers_and_models.ipynb) |
# | **logits** | z | the numbers that a model gives, one for each possible answer, before they are probabilities | [08](08_layers_and_models.ipynb) |
# | **softmax** | pᵢ = exp zᵢ / Σ exp zⱼ | what makes probabilities of logits | [08](08_layers_and_models.ipynb) |
# | **one-hot** | (0, 1, 0) | the right answer, written like probabilities: 1 in its place, 0 elsewhere | [08](08_layers_and_models.ipynb) |
# | **cross-entropy** | −log pₜ, slope p − y | the loss of a model that gives each answer a probability, by softmax | [08](08_layers_and_models.ipynb) |
# | **vanishing gradient** | dL/dw → 0 | adjoints that shrink from layer to layer on the way back | [09](09_training_health.ipynb) |
#
# ## Other ways
#
# | Word | In books | What it is | Lesson |
# |:--|:--|:--|:--|
# | **custom gradient** | `custom_gradient` | an operation whose rule one writes oneself | [12](12_custom_gradients.ipynb) |
# | **checkpointing** | `recompute_grad` | values are not kept, but computed again on the way back | [13](13_memory_and_control.ipynb) |
# | **tracing** | `function` | a program is run once with placeholders, to know it before it computes | [15](15_other_engines.ipynb) |
# | **gradient accumulation** | g ← g + dL/dw | gradients of several pieces added up, before one step | [15](15_other_engines.ipynb) |
# %% [markdown] lang="fr"
# # Glossaire
#
# *Pour chercher un mot. Les leçons nomment une chose après que vous l'avez rencontrée ; la dernière colonne y mène.*
#
# Les livres, et les pages d'autres bibliothèques, écrivent avec ces mots et ces signes. L y est le nombre qu'un programme doit
# rendre petit, sa perte ; w est un nombre qu'il peut changer.
#
# ## Les pentes
#
# | Mot | Dans les livres | Ce que c'est | Leçon |
# |:--|:--|:--|:--|
# | **dérivée** | dy/dx, f′(x) | la pente : combien de fois plus vite que `x` change `y`, pour un petit changement | [00](00_start_here.ipynb) |
# | **adjoint** | x̄, dL/dx | la même chose pour n'importe quelle valeur en chemin : combien de fois plus vite que cette valeur change le résultat | [00](00_start_here.ipynb) |
# | **dérivée partielle** | ∂z/∂w₁ | la pente pour une entrée, pendant que les autres restent où elles sont | [00](00_start_here.ipynb) |
# | **gradient** | ∇z | toutes les dérivées partielles ensemble | [00](00_start_here.ipynb) |
# | **dérivée locale** | ∂u/∂x | la pente d'un seul pas | [00](00_start_here.ipynb) |
# | **différence finie** | (f(x + h) − f(x)) / h | une pente trouvée en essayant ; on dit aussi dérivation numérique | [01](01_why_a_tape.ipynb) |
# | **règle de la chaîne** | dy/dx = dy/du · du/dx | le long d'une chaîne de pas, les pentes se multiplient | [01](01_why_a_tape.ipynb) |
# | **différentiation automatique** | AD | des pentes trouvées pas à pas pendant qu'un programme s'exécute, exactement, sans formule du tout | [01](01_why_a_tape.ipynb) |
# | **mode direct** | (x, ẋ) | chaque valeur emporte sa pente, comme une paire ; une exécution par entrée | [01](01_why_a_tape.ipynb) |
#
# ## La bande
#
# | Mot | Dans les livres | Ce que c'est | Leçon |
# |:--|:--|:--|:--|
# | **graphe de calcul** | nœuds et arêtes | l'image qui montre quelle valeur est faite de quelles autres | [02](02_recording.ipynb) |
# | **PyTorch** | `requires_grad`, `backward()`, `.grad` | une autre bibliothèque qui a une bande : ce qui est suivi, ce qui la joue, et où se trouve alors la pente | [02](02_recording.ipynb) |
# | **mode inverse** | x̄ += ȳ · ∂y/∂x | les pentes du résultat vers les entrées ; un passage par résultat | [03](03_playing_backwards.ipynb) |
# | **rétropropagation** | dL/dw | le mode inverse, quand un réseau apprend | [03](03_playing_backwards.ipynb) |
# | **graine** | ȳ = 1 | le nombre par lequel commence le retour | [03](03_playing_backwards.ipynb) |
# | **produit vecteur-jacobienne** | vᵀJ | ce que calcule la règle d'une carte : un adjoint entre, des parts sortent | [03](03_playing_backwards.ipynb) |
#
# ## Les tableaux
#
# | Mot | Dans les livres | Ce que c'est | Leçon |
# |:--|:--|:--|:--|
# | **diffusion** | (3, 1) + (4,) → (3, 4) | un petit tableau est étiré à la forme d'un plus grand | [04](04_shapes.ipynb) |
# | **dérivée seconde** | d²y/dx², f″(x) | la pente de la pente | [10](10_tape_of_a_tape.ipynb) |
# | **hessienne** | H, ∂²L/∂wᵢ∂wⱼ | les pentes des pentes | [10](10_tape_of_a_tape.ipynb) |
# | **jacobienne** | J, ∂yᵢ/∂xⱼ | la pente de chaque résultat pour chaque entrée, en matrice | [11](11_jacobians.ipynb) |
#
# ## L'apprentissage
#
# | Mot | Dans les livres | Ce que c'est | Leçon |
# |:--|:--|:--|:--|
# | **perte** | L | un nombre qui dit à quel point un programme se trompe | [07](07_training_loop.ipynb) |
# | **descente de gradient** | w ← w − η · dL/dw | un pas vers le bas : contre la pente | [07](07_training_loop.ipynb) |
# | **taux d'apprentissage** | η | la longueur de ce pas, par unité de pente | [07](07_training_loop.ipynb) |
# | **mini-lot** | B | les quelques exemples qu'un pas regarde | [07](07_training_loop.ipynb) |
# | **paramètres** | θ, W, b | les nombres d'un modèle qui apprennent : poids et biais | [08](08_layers_and_models.ipynb) |
# | **logits** | z | les nombres qu'un modèle donne, un par réponse possible, avant d'être des probabilités | [08](08_layers_and_models.ipynb) |
# | **softmax** | pᵢ = exp zᵢ / Σ exp zⱼ | ce qui fait des probabilités à partir des logits | [08](08_layers_and_models.ipynb) |
# | **one-hot** | (0, 1, 0) | la bonne réponse, écrite comme des probabilités : 1 à sa place, 0 ailleurs | [08](08_layers_and_models.ipynb) |
# | **entropie croisée** | −log pₜ, pente p − y | la perte d'un modèle qui donne à chaque réponse une probabilité, par softmax | [08](08_layers_and_models.ipynb) |
# | **gradient évanescent** | dL/dw → 0 | des adjoints qui rétrécissent de couche en couche au retour | [09](09_training_health.ipynb) |
#
# ## D'autres façons
#
# | Mot | Dans les livres | Ce que c'est | Leçon |
# |:--|:--|:--|:--|
# | **gradient sur mesure** | `custom_gradient` | une opération dont on écrit soi-même la règle | [12](12_custom_gradients.ipynb) |
# | **points de reprise** | `recompute_grad` | les valeurs ne sont pas gardées, mais recalculées au retour | [13](13_memory_and_control.ipynb) |
# | **traçage** | `function` | un programme est exécuté une fois avec des places vides, pour le connaître avant qu'il calcule | [15](15_other_engines.ipynb) |
# | **accumulation de gradients** | g ← g + dL/dw | les gradients de plusieurs morceaux additionnés, avant un seul pas | [15](15_other_engines.ipynb) |

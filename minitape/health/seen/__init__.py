"""What is seen of a training, from one number to its whole course: figures only, no judgement.

sizes       an array of numbers, measured
anatomy     the layers on a tape, and where predictions meet labels
look        one step
history     all steps, kept small
tapes       the tapes of a few steps
first_bad   the first number that is not finite
naming      how the learner calls layers and weights
"""

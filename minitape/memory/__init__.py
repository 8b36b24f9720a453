"""What a tape costs: the bytes that it keeps, card by card, and which of them its rules need.

    print(costs(tape))  # after the block, before the gradient is asked for
    costs(tape).kept, costs(tape).needed  # in bytes
    # if the cards 2 to 7 stood in a function that `tf.recompute_grad` wraps
    costs(tape, recompute=(2, 7))

A tape keeps, for each card, the arrays of its inputs and outputs, whether or not a rule will ask
for them: so recording is quick. What the rules ask for is found by running each of them
(`minitape.storyboard.stage.formula`), not from a list.
"""

from minitape.api.missing import offer
from minitape.memory.costs import Cost, Costs, costs
from minitape.memory.held import Buffer, Held

__all__ = ["Buffer", "Cost", "Costs", "Held", "costs"]
offer(__name__)

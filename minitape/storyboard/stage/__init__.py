"""What a film recorded, as a graph: everything that stands before a play begins.

stage       goes through what was recorded and noted, in the order of time
nodes       the boxes, and what finds them
cards       the cards, and the edges that they make
names       what the learner's text calls a value
labels      what a node is called, told apart from others of its name
expressions formulas, and expressions for values without a name
formula     the formula of each rule, read off the rule
notes       which notes of a tape are shown, and what they say
layers      which card belongs to which layer of a model
calls       which card belongs to which call of a function
fold        groups of a long tape: calls, loops, lines
replay      the numbers that a page needs to play the tape itself
"""

"""A question about a gradient, and the evidence for its answer.

    facts   what the tape knows: who made which tensor, when and where
    flow    what the text knows: where a value goes in the learner's program
    calls   where the learner's functions are called, and with what
    graph   ways from value to value, with their broken places
    case    the question itself: target, source, and the call in which the learner asked
    words   how it is put into sentences

The reasons (`..reasons`) work on a case; the answer (`..answer`) looks for the cheapest repair.
"""

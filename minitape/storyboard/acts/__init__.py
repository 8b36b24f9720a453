"""What happens in a play, act by act.

frames      the acts of one play: seeds, visits, parts, sums, results
reasons     where the way to a None is cut
state       what is seen after so many acts
predict     questions before an act
"""

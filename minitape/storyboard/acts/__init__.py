"""What happens in a play, act by act.

frames      the acts of one play, from its seeds to its results
visits      the visits between: parts, sums, and where none can pass
local       the local derivative at a part
reasons     where the way to a None is cut
state       what is seen after so many acts
predict     questions before an act
"""

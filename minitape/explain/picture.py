"""What a picture is told of a gradient that is None: the explanation as plain data, with the way from the source to the target."""

from minitape.sentences import speaking
from minitape.storyboard.reasons import Reason


def reason(explained, language):
    """Return the `Reason` of an explanation, its sentences in a language; None where nothing is wrong.

    `explained()` gives the explanation: it may be slow, and its words must be chosen in that language.
    """
    with speaking(language):
        found = explained()
        if found.healthy:
            return None
        return Reason(found.category, found.message, found.fix, found.where, found.filename, found.span, found.way)

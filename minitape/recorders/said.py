"""What recorders add to an error of the program's."""


def said(error: BaseException) -> bool:
    """Return True where an error has a note of minitape's already."""
    return any("minitape: " in note for note in getattr(error, "__notes__", ()))

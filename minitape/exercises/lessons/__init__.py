"""The exercises of the course: one file per lesson, with its sentences in `messages/` under the
same name.
"""

"""Families of programs that differ only in an expression: kinks and ties, dtype rules, errors.

Each table turns rows of text into (id, code) pairs; the code stands in full in the recorded answers.
"""

TABLES = {}

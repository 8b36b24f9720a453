"""The cures: lines that can be pasted, in the learner's own names.

`cure` begins; its table says which ways a category has. What one line tells is a row of the
dialect's table, `minitape/dialects/cures.py`: `rows` tries them, `patterns` matches and fills in,
`conditions` has the words of the conditions. What takes more is a file each: `library` (what left
the library, with `expressions`), `stepped` (what is done with a step), `asked` (another question),
`rewritten` (a stretch of lines), `moved` (lines in another place). `fitting` knows where a tensor
can stand in the place of an array, and what the numbers of the run tell of a line before it is
offered; `writing` writes statements anew.

What has no such line (a source that is not used, a variable of another model) has none; then the
sentence alone says what to look at.

`python -m tests.explain.mending` pastes each cure of the corpora, and tells which mend.
"""

"""The cures: lines that can be pasted, in the learner's own names. Each is tried before it is
offered (`tried`), or only moves lines.

`cure` begins, and writes one expression anew. What takes more than that: `taken_back` (an
expression that left the library), `helper` (several lines of NumPy), `cut` (decimals lost in
Python), `by_degrees` (what is done with a step), `softly` (a count), `drawn` (a random choice),
`finite` (what is no number, or flat), `another_way` (another operation), `asked` (another
question), `rewritten` (a stretch of lines), `moved` (lines in another place). `fitting` knows where
a tensor can stand in the place of an array.

What has no such line (a source that is not used, a variable of another model) has none; then the
sentence alone says what to look at.
"""

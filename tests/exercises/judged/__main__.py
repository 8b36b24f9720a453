"""Try the answers of a lesson, and print what each is told, to be judged.

python -m tests.exercises.judged lesson_04              tries all, prints each with its sentence, notes `said`
python -m tests.exercises.judged lesson_04 04.bias      prints those of one exercise, and its question
"""

import os
import sys

from minitape.exercises import exercise
from tests.exercises.judged import HERE, SEED, rows_of, told, write

os.environ["MINITAPE_PROGRESS"] = ""
lesson, *only = sys.argv[1:]
file = HERE / f"{lesson}.json"
rows = rows_of(file)
for name in only:
    asked = exercise(name).fixed(SEED)
    print(asked.question(), asked.starter, sep="\n\n", end="\n\n")
for number, row in enumerate(rows):
    if only and row["exercise"] not in only:
        continue
    row["said"], sentence = told(row)
    verdict = {True: "met", False: "NOT MET"}.get(row.get("met"), "not judged")
    print(f"[{number}] {row['exercise']}: {row['slip']} ({verdict})")
    print("    " + row["answer"].strip().replace("\n", "\n    "))
    print(f"  -> {row['said']}\n     {sentence}\n")
write(file, rows)

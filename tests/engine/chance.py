"""Compare programs by chance with TensorFlow's recorded answers: `python -m tests.engine.chance answers.json`.

`tests/data/ask/chance.py` writes them and asks TensorFlow. What differs is printed, the same function beside the same; what is known
to differ, with its reason, stands in `KNOWN` and is only counted.
"""

import json
import re
import sys
from collections import Counter

from tests.engine.test_answers import verdict

KNOWN = {r"has no attribute '(ndtri|zeta|bessel_i0)'": "not among the names that programs around the tape use"}


def last_call(code, found):
    """Return the line of the program that a difference is about: that of the result, or the last one."""
    name = re.search(r" (t\d+|g|h)\b", found)
    lines = [line.strip() for line in code.splitlines() if line.strip().startswith(f"{name[1]} = " if name else "t")]
    return re.sub(r"\s+", " ", lines[-1]) if lines else code.splitlines()[-1]


def main(*files):
    counted, shown = Counter(), []
    for file in files:
        with open(file) as lines:
            for line in lines:
                answer = json.loads(line)
                counted["programs"] += 1
                found = verdict(answer)
                if not found:
                    continue
                why = next((why for pattern, why in KNOWN.items() if re.search(pattern, answer["code"] + "\n" + found[0], re.S)), None)
                counted[why or "differ"] += 1
                if why is None:
                    shown.append((last_call(answer["code"], found[0]), found[0][:300]))
    for call, found in sorted(shown, key=lambda pair: re.sub(r"^t\d+ = ", "", pair[0])):
        print(f"{call}\n    {found}")
    for what, n in counted.most_common():
        print(f"{n:7} {what}")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What the first page says of `x.grad` is None is what PyTorch and minitape say."""

import contextlib
import io
import re
from pathlib import Path

from .terminal import told

README = Path(__file__).resolve().parents[2] / "README.md"
PROGRAM, ANSWER = re.search(
    r"## `x\.grad` is None\n.*?```py\n(.*?)```.*?```text\n(.*?)```", README.read_text("utf-8"), re.S
).groups()
HEAD = "import torch\n\n"


def test_the_answer_on_the_page_is_the_answer(tmp_path):
    status, said = told(HEAD + PROGRAM, tmp_path)
    assert status == 1 and ANSWER in said, said


def test_it_is_none_and_with_the_cure_it_is_a_number():
    number = int(re.search(r"line (\d+)", ANSWER)[1])
    lines, cure = (HEAD + PROGRAM).splitlines(), re.search(r"\n\n    (.*)\n\n", ANSWER)[1]
    printed = []
    for line in (lines[number - 1], cure):
        lines[number - 1] = line
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec("\n".join(lines), {})
        printed.append(out.getvalue().strip())
    assert printed == ["None", "tensor(12.)"]

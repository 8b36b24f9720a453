"""Ask the real TensorFlow and record its answers as data for minitape's tests.

    CUDA_VISIBLE_DEVICES='' path/to/tf-venv/bin/python tests/data/ask              # everything
    CUDA_VISIBLE_DEVICES='' path/to/tf-venv/bin/python tests/data/ask signatures guide kinks   # only these

TensorFlow is needed here and nowhere else: neither minitape nor its tests import it. The tests read the recorded files,
`tests/data/tf_signatures.json` and `tests/data/tf_answers/<family>.json`. See `tests/data/README.md` for their form.
"""

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
if os.environ.get("PYTHONHASHSEED") != "0":          # some messages list a set: its order must not depend on chance
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "PYTHONHASHSEED": "0"})
sys.path.insert(0, str(Path(__file__).parent))

DATA = Path(__file__).parent.parent
PROGRAMS = Path(__file__).parent / "programs"


def rows(mapping):
    """A mapping as JSON, one sorted row a line: small and still pleasant to diff."""
    lines = [f"    {json.dumps(key)}: {json.dumps(mapping[key], sort_keys=True)}" for key in sorted(mapping)]
    return "{\n" + ",\n".join(lines) + "\n  }"


def write_signatures():
    import signatures
    answer = signatures.ask()
    head = {key: value for key, value in answer.items() if key not in ("names", "members")}
    lines = [f"  {json.dumps(key)}: {json.dumps(head[key], sort_keys=True)}" for key in sorted(head)]
    lines += [f'  "{key}": {rows(answer[key])}' for key in ("names", "members")]
    (DATA / "tf_signatures.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"signatures: {len(answer['names'])} names, {len(answer['members'])} members, absent: {answer['absent']}")


def write_answers(family):
    import recorder
    import tables
    file = PROGRAMS / f"{family}.txt"
    pairs = recorder.programs(file.read_text()) if file.exists() else []
    pairs += tables.TABLES.get(family, [])
    answers = [recorder.run(f"{family}/{name}", code) for name, code in pairs]
    answers.sort(key=lambda answer: answer["id"])
    lines = [json.dumps(answer, sort_keys=True, ensure_ascii=False) for answer in answers]
    (DATA / "tf_answers").mkdir(exist_ok=True)
    (DATA / "tf_answers" / f"{family}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{family}: {len(answers)} answers")
    return answers


def main(wanted):
    import tables
    if not wanted or "signatures" in wanted:
        write_signatures()
    families = sorted({file.stem for file in PROGRAMS.glob("*.txt")} | set(tables.TABLES))
    for family in families:
        if not wanted or family in wanted:
            write_answers(family)


if __name__ == "__main__":
    main(sys.argv[1:])

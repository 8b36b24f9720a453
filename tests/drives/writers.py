"""What writes a file for a learner, by name; and a drive on which each file call takes its time, or
is the last that its process makes.

    python -m tests.drives.writers NAME FILE      kills a process at every moment of its writing
"""

import os
import signal
import sys
import time
from itertools import count
from pathlib import Path

WRITES = os.O_WRONLY | os.O_RDWR
FILE_CALLS = ("open", "os.", "shutil.")


def player(suffix):
    import minitape as tf
    from minitape_widgets import play

    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    made = play(tape, y, x)
    return lambda file: made.save(file.with_suffix(suffix))


def health(suffix):
    from minitape_widgets import health_view
    from tests.widgets.trained import seen_of

    view = health_view(seen_of("dead_relu"))
    return lambda file: view.save(file.with_suffix(suffix))


def export():
    from minitape.exercises import progress

    progress.write("00.chain", "correct")
    return progress.export


WRITERS = {
    "player.html": lambda: player(".html"),
    "player.svg": lambda: player(".svg"),
    "player.json": lambda: player(".json"),
    "health.html": lambda: health(".html"),
    "health.svg": lambda: health(".svg"),
    "export.json": export,
}


def slow(seconds):
    """Lets each file call of this process take that long."""
    stat = os.stat

    def slow_stat(*given, **named):
        time.sleep(seconds)
        return stat(*given, **named)

    os.stat = slow_stat
    sys.addaudithook(lambda event, _: event.startswith(FILE_CALLS) and time.sleep(seconds))


def kill_at(moment):
    """Kills this process at a moment, which are counted from where it first opens a file to write:
    each call of a function, and each return from one that is written in C.
    """
    left = moment

    def profile(frame, event, _):
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def opened(event, given):
        if event == "open" and isinstance(given[2], int) and given[2] & WRITES:
            sys.setprofile(profile)

    sys.addaudithook(opened)


def killed_at(moment, write):
    """Runs it in a process of its own which is killed at that moment; whether it was."""
    process = os.fork()
    if not process:
        kill_at(moment)
        write()
        sys.setprofile(None)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) != 0


def torn(name, file):
    """(all moments, those after which the file is neither the old one nor the new one)."""
    write, old = WRITERS[name](), b'{"version": 2, "exercises": {"old": ["correct"]}}'
    file.write_bytes(old)
    write(file)
    new, found = file.read_bytes(), []
    for moment in count(1):
        file.write_bytes(old)
        if not killed_at(moment, lambda: write(file)):
            return moment, found
        if file.read_bytes() not in (old, new):
            found.append(moment)
        for half in file.parent.glob(".minitape-*"):
            half.unlink()


def lost(file):
    """(all moments, those after which an earlier outcome is lost) of a kernel that is killed while
    it keeps another one.
    """
    from minitape.exercises import progress

    found = []
    for moment in count(1):
        progress.write("early", "correct")
        killed = killed_at(moment, lambda: progress.write("late", "correct"))
        if "early" not in progress.progress() or not killed and "late" not in progress.progress():
            found.append(moment)
        for left in file.parent.iterdir():
            left.unlink()
        if not killed:
            return moment, found


if __name__ == "__main__":
    name, file = sys.argv[1], Path(sys.argv[2])
    print(*(lost(file) if name == "progress.json" else torn(name, file)))

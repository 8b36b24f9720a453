"""minitape in a notebook: the player that shows a tape being recorded and played backwards.

%load_ext minitape_widgets
%%tape                                  at the top of a cell: shows the player of its tapes
play(tape, target, sources)             plays a tape, and shows it
play_own(entries, steps)                a tape that you wrote yourself, and where it leaves the right way
play_program(f, x)                      the program of a tf.function with a tape inside, line by line beside the tape
compare(a, b)                           two plays side by side; compare(broken=a, fixed=b) marks them
ask(question, answer, wrong)            a question between the cells of a lesson; ask(exercise) asks a prediction
valley(loss, start)                     a point that walks down a loss, and the tape of its steps
health_view(model)                      the health of a training, while it runs
costs(tape)                             the bytes that a tape keeps, card by card
bars(numbers), lines(curves)            small charts
load("tape.json")                       a player that was saved
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = [
    "TRACE",
    "HealthView",
    "Pair",
    "Player",
    "Question",
    "ask",
    "bars",
    "compare",
    "costs",
    "health_view",
    "lines",
    "load",
    "load_ipython_extension",
    "play",
    "play_own",
    "play_program",
    "valley",
]

if TYPE_CHECKING:
    from minitape_widgets.charts import bars, lines
    from minitape_widgets.health import HealthView, health_view
    from minitape_widgets.memory import costs
    from minitape_widgets.own import play_own
    from minitape_widgets.player import TRACE, Pair, Player, compare, load, play
    from minitape_widgets.program import play_program
    from minitape_widgets.question import Question, ask
    from minitape_widgets.valleys import valley
else:

    def __getattr__(name: str) -> Any:
        """Loads the player when it is first asked for.

        nbconvert imports this package to find its exporter, also where the widgets' packages are
        not installed: an import that fails there would break nbconvert as a whole.
        """
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        homes = {
            "bars": "charts",
            "lines": "charts",
            "valley": "valleys",
            "costs": "memory",
            "play_own": "own",
            "play_program": "program",
            "Question": "question",
            "ask": "question",
            "HealthView": "health",
            "health_view": "health",
        }
        return getattr(import_module(f"{__name__}.{homes.get(name, 'player')}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: Any) -> None:
    """Registers `%%tape`; called by `%load_ext minitape_widgets`."""
    from minitape.storyboard.drawing.layout import warm_up
    from minitape_widgets import run_first
    from minitape_widgets.magic import TapeMagic, awaiting

    warm_up()
    shell.register_magics(TapeMagic)
    if awaiting not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(awaiting)
    run_first.load(shell)

"""What completion offers: the public names of each public module, and nothing else."""

import inspect
from importlib import import_module

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

import minitape as tf


def public_modules():
    """Return the public modules: those that can be reached from the two packages by the names that
    they offer.
    """
    waiting = [
        tf,
        *map(
            import_module,
            (
                "minitape.own_tape",
                "minitape.tensorflow",
                "minitape_widgets",
                "minitape_widgets.pitfalls",
            ),
        ),
    ]
    found = {}
    while waiting:
        module = waiting.pop()
        if module.__name__ not in found:
            found[module.__name__] = module
            things = [getattr(module, name) for name in dir(module)]
            waiting += [
                obj
                for obj in things
                if inspect.ismodule(obj) and obj.__name__.startswith("minitape")
            ]
    return found


MODULES = public_modules()


def test_there_are_many():
    assert {
        "minitape",
        "minitape.math",
        "minitape.keras.optimizers.schedules",
        "minitape.health",
        "minitape.exercises.progress",
        "minitape_widgets.pitfalls",
    } <= set(MODULES)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_dir_is_what_is_public(name):
    module = MODULES[name]
    more = {*tf._OWN, "__version__"} if module is tf else set()
    assert set(dir(module)) == {*module.__all__, *more}
    # those are aliases of Python's own types
    for offered in dir(module) if name != "minitape.typing" else ():
        obj = getattr(module, offered)
        home = (
            getattr(obj, "__name__", name)
            if inspect.ismodule(obj)
            else getattr(obj, "__module__", None) or name
        )
        assert home.startswith("minitape") or not callable(obj) and not inspect.ismodule(obj), (
            f"{name}.{offered} is {home}'s"
        )


@pytest.fixture
def completed():
    """A function that returns what a notebook's Tab offers after a text, for names given by a
    dictionary.
    """
    shell = InteractiveShell()

    def texts(text, names, jedi):
        shell.Completer.use_jedi = jedi
        shell.user_ns.update(names)
        with provisionalcompleter():
            return {
                found.text.rpartition(".")[2]
                for found in shell.Completer.completions(text, len(text))
            }

    yield texts
    shell.restore_sys_module_state()


@pytest.mark.parametrize("jedi", [False, True])
def test_completion_offers_the_same(completed, jedi):
    for name, module in MODULES.items():
        assert completed("it.", {"it": module}, jedi) == {
            n for n in dir(module) if not n.startswith("_")
        }, name


@pytest.mark.parametrize(
    ("name", "offers"),
    [
        ("minitape_widgets.pitfalls", {"all", "board", "show"}),
        ("minitape.tensorflow", {"explain", "watch"}),
    ],
)
def test_what_a_learner_chooses_from_is_short(completed, name, offers):
    assert completed("it.", {"it": MODULES[name]}, False) == offers

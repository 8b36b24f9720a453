"""The tapes that a click in the health view opens: which cards they lead to, what they weigh, what
is said of those left out.
"""

from time import sleep

import pytest

import minitape as tf
from minitape import health
from minitape_widgets import health_view
from minitape_widgets.packing import pack, unpack
from minitape_widgets.training import payload, tapes
from tests.widgets.trained import made, seen_of, train


def deep(steps=40, layers=50):
    """What was seen of a net with many layers."""
    tf.random.set_seed(1)
    x, y = tf.data.moons(32, seed=1)
    model = tf.keras.Sequential(
        [
            *(tf.keras.layers.Dense(16, activation="tanh") for _ in range(layers - 1)),
            tf.keras.layers.Dense(2),
        ]
    )
    optimizer = tf.keras.optimizers.SGD(0.01)
    with health.watch(model, every=3) as seen:
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x)))
            optimizer.apply_gradients(
                zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
            )
    return seen


def boards_of(given):
    return {one["step"]: unpack(one["trace"])["storyboard"] for one in given["tapes"]}


def test_each_tape_leads_to_the_card_of_a_layer(monkeypatch):
    monkeypatch.setattr(tapes, "SECONDS", 100.0)
    seen = seen_of("vanishing")
    given = health_view(seen).given
    boards = boards_of(given)
    assert list(boards) == seen.kept and given["note"] == ""
    for one in given["tapes"]:
        cards = boards[one["step"]]["cards"]
        assert [cards[k]["op"] for k in one["cards"]] == [layer["op"] for layer in given["layers"]]
    first, last = (
        next(n for n in boards[step]["nodes"] if n["target"])
        for step in (seen.kept[0], seen.kept[-1])
    )
    losses = [
        boards[step]["values"][node["value"]]["number"]
        for step, node in ((seen.kept[0], first), (seen.kept[-1], last))
    ]
    assert (
        losses[0] == pytest.approx(float(seen.tape(seen.kept[0]).target), rel=1e-3)
        and losses[0] != losses[1]
    )


@pytest.mark.parametrize(
    "name", ["exploding", "nan_from_log", "nan_from_division", "nan_from_overflow"]
)
def test_the_first_bad_number_leads_to_its_card_and_its_line(name):
    given = health_view(seen_of(name)).given
    bad = given["bad"]
    one = next(one for one in given["tapes"] if one["step"] == bad["step"])
    board = boards_of(given)[bad["step"]]
    card = board["cards"][one["bad"]]
    assert card["op"] == bad["op"]
    source, line = card["where"][:2]
    assert board["sources"][source]["text"].split("\n")[line - 1].strip() == bad["place"]["code"]


def test_a_page_with_the_tapes_of_a_long_training_stays_light(tmp_path, monkeypatch):
    monkeypatch.setattr(tapes, "SECONDS", 100.0)
    view = health_view(deep())
    sizes = [len(one["trace"]["deflate"]) for one in view.given["tapes"]]
    assert len(sizes) >= 3 and sum(sizes) <= tapes.LETTERS and max(sizes) <= tapes.LARGEST
    # 10,000 steps of 50 layers
    view.given = payload.payload(made()) | {"ended": True, "tapes": view.given["tapes"]}
    view.payload, view._made = pack(view.given), lambda: view.payload
    assert len(view.save(tmp_path / "x.html").read_bytes()) < 2_000_000
    boards = boards_of(view.given)
    assert all(board["replay"] is None and len(board["cards"]) > 100 for board in boards.values())


def test_what_others_compute_leaves_no_tape_out(monkeypatch):
    seen, made = train(health.watch(every=1)), {"trace": {"deflate": ""}}
    monkeypatch.setattr(tapes, "SECONDS", 0.1)
    monkeypatch.setattr(tapes, "made_of", lambda *_: (sleep(0.02), made)[1])
    assert len(tapes.tapes(seen, pack)["tapes"]) == len(seen.kept) == 12, "0.24 s on the wall"


def test_what_is_left_out_is_said(monkeypatch):
    monkeypatch.setattr(tapes, "SECONDS", 100.0)
    seen = train(health.watch(every=1))
    assert (
        health_view(seen).given["note"] == ""
        and len(health_view(seen).given["tapes"]) == len(seen.kept) == 12
    )
    one = len(health_view(seen).given["tapes"][0]["trace"]["deflate"])
    monkeypatch.setattr(tapes, "LETTERS", 3 * one + 200)
    given = health_view(seen).given
    assert [one["step"] for one in given["tapes"]][::2] == [0, 29] and given["note"].startswith(
        "3 of the 12 kept tapes can"
    )
    monkeypatch.setattr(tapes, "SECONDS", 0.0)
    assert len(health_view(seen).given["tapes"]) == 1, "one is made in any case"
    monkeypatch.setattr(tapes, "LARGEST", 100)
    given = health_view(seen).given
    assert given["tapes"] == [] and "too large for this page" in given["note"]
    monkeypatch.setattr("minitape.health.seen.tapes.LARGEST", 10)
    given = health_view(train(health.watch(every=1, language="fr"))).given
    assert given["tapes"] == [] and given["note"].startswith(
        "Aucune case n'ouvre de bande\u00a0: un pas contient 0 Mo"
    )


def test_storyboards_are_made_once_and_none_while_it_runs(monkeypatch):
    monkeypatch.setattr(tapes, "SECONDS", 100.0)
    asked = []
    build = tapes.storyboard.build
    monkeypatch.setattr(
        tapes.storyboard,
        "build",
        lambda *given, **settings: asked.append(1) or build(*given, **settings),
    )
    seen = health.watch(every=1)
    view = health_view(seen)

    def look(ended):
        view._made()
        assert ended or (asked == [] and "tapes" not in view.given)

    seen.viewers.insert(0, look)
    train(seen)
    assert (
        len(asked) == len(seen.kept) and view._made() is not None and len(asked) == len(seen.kept)
    )


def test_a_picture_that_fails_leaves_the_rest(monkeypatch):
    def broken(*given, **settings):
        raise KeyError("picture")

    monkeypatch.setattr(tapes.storyboard, "build", broken)
    view = health_view(train(health.watch(every=1)))
    assert view.given["tapes"] == [] and view.given["note"] and view.ended

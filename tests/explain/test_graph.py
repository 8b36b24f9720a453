"""The search for the cheapest repair: certain reasons before guesses, few repairs before many,
short ways before long ones.
"""

from minitape.explain.case.graph import START, Break, Edge, Graph, breaks

SURE, GUESS = Break("sure", None), Break("guess", None, certain=False)


def edge(source, target, why=None):
    return Edge(source, target, None, why)


def blamed(*edges, forbidden=()):
    path = Graph(edges).path(START, {"goal"}, forbidden)
    return None if path is None else [e.why.category for e in breaks(path)]


def test_a_certain_reason_is_blamed_before_a_guess():
    ways = edge(START, "goal", GUESS), edge(START, "a", SURE), edge("a", "goal")
    assert blamed(*ways) == blamed(*ways[::-1]) == ["sure"]


def test_one_guess_is_better_than_two_certain_repairs():
    ways = edge(START, "goal", GUESS), edge(START, "a", SURE), edge("a", "goal", SURE)
    assert blamed(*ways) == blamed(*ways[::-1]) == ["guess"]


def test_two_guesses_cost_more_than_three_certain_repairs():
    ways = [
        edge(START, 1, GUESS),
        edge(1, "goal", GUESS),
        edge(START, 2, SURE),
        edge(2, 3, SURE),
        edge(3, "goal", SURE),
    ]
    assert blamed(*ways) == blamed(*ways[::-1]) == ["sure"] * 3


def test_an_open_way_is_taken_however_long_and_the_shorter_of_two():
    long = [edge(START, 1), *(edge(k, k + 1) for k in range(1, 50)), edge(50, "goal")]
    assert blamed(edge(START, "goal", SURE), *long) == []
    short = [edge(START, 60), edge(60, "goal")]
    assert (
        len(Graph(long + short).path(START, {"goal"}))
        == len(Graph(short + long).path(START, {"goal"}))
        == 2
    )


def test_forbidden_edges_and_no_way_at_all():
    first, second = edge(START, "goal", SURE), edge(START, "goal", GUESS)
    assert blamed(first, second, forbidden={id(first)}) == ["guess"]
    assert blamed(first, forbidden={id(first)}) is None and blamed(edge("goal", START)) is None

"""A layered drawing of a graph in plain Python: values flow from left to right, nothing needs to be
installed.

The method is Sugiyama's, in its shortest form. Every node gets a column (the longest way to it). An
edge that jumps over columns gets a small stand-in node in each column it crosses. The order within
the columns is improved by sweeping to and fro, each node moving to the mean place of its
neighbours. Then heights are given, again by sweeps, and edges become smooth curves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Curve, Link, Links, Point, Size, Sizes

GAP_Y, STAND_IN = 22, 10  # pixels between nodes, and the height of a stand-in
SWEEPS = 6
# what a leaf's wish for a height weighs against that of a result: a chain of results stays straight
LEAF = 0.01


def layered(
    sizes: Sizes, edges: Links, margin: int = 12, gap: int = 84
) -> tuple[float, float, list[Point], list[Curve]]:
    """Returns (width, height, [(x, y) per node], [points per edge]) for nodes of `sizes` [(w, h)]
    and `edges` [(from, to)].

    `gap` is the room between two columns. Points are control points of cubic Bezier curves, 1 + 3k
    of them. Positions are centres. The graph must have no cycle.
    """
    if not sizes:
        return 2 * margin, 2 * margin, [], []
    column = _columns(len(sizes), edges)
    sizes, links, chains = _with_stand_ins(sizes, edges, column)
    columns = _order(len(sizes), links, column)
    y = _heights(columns, links, sizes)
    widths = [max(sizes[node][0] for node in nodes) for nodes in columns]
    lefts = [margin + sum(widths[:i]) + gap * i for i in range(len(columns))]
    middle = {node: lefts[i] + widths[i] / 2 for i, nodes in enumerate(columns) for node in nodes}
    top = min(y[node] - sizes[node][1] / 2 for node in range(len(sizes)))
    place = [(middle[node], y[node] - top + margin) for node in range(len(sizes))]
    bottom = max(place[node][1] + sizes[node][1] / 2 for node in range(len(sizes)))
    curves = [_curve(chain, place, sizes, lefts, widths, column) for chain in chains]
    count = len(sizes) - sum(len(chain) - 2 for chain in chains)
    return lefts[-1] + widths[-1] + margin, bottom + margin, place[:count], curves


def _columns(count: int, edges: Links) -> list[int]:
    """The longest way to each node; then what nothing is before (a leaf) moves right, next to its
    first use.
    """
    after: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for start, end in edges:
        after[start].append(end)
        waiting[end] += 1
    column, ready = [0] * count, [node for node in range(count) if not waiting[node]]
    leaves = list(ready)
    for node in ready:  # grows while it is read: a queue
        for following in after[node]:
            column[following] = max(column[following], column[node] + 1)
            waiting[following] -= 1
            if not waiting[following]:
                ready.append(following)
    for leaf in leaves:
        if after[leaf]:
            column[leaf] = min(column[following] for following in after[leaf]) - 1
    first = min(column)
    return [place - first for place in column]


def _with_stand_ins(
    sizes: Sizes, edges: Links, column: list[int]
) -> tuple[list[Size], list[Link], list[list[int]]]:
    sizes, chains = list(sizes), []
    links: list[Link] = []
    for start, end in edges:
        chain = [start]
        for place in range(column[start] + 1, column[end]):
            column.append(place)
            sizes.append((0, STAND_IN))
            chain.append(len(sizes) - 1)
        chain.append(end)
        links += zip(chain, chain[1:])
        chains.append(chain)
    return sizes, links, chains


def _order(count: int, links: Links, column: list[int]) -> list[list[int]]:
    columns: list[list[int]] = [[] for _ in range(max(column) + 1)]
    for node in range(count):
        columns[column[node]].append(node)
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for start, end in links:
        after[start].append(end)
        before[end].append(start)
    rank = {node: float(i) for nodes in columns for i, node in enumerate(nodes)}
    best, fewest = [list(nodes) for nodes in columns], None
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        neighbours = before if forward else after
        for nodes in columns if forward else reversed(columns):
            key = {
                node: sum(rank[other] for other in neighbours[node]) / len(neighbours[node])
                if neighbours[node]
                else rank[node]
                for node in nodes
            }
            nodes.sort(key=lambda node: (key[node], rank[node]))
            for place, node in enumerate(nodes):
                rank[node] = float(place)
        crossings = _crossings(columns, after, rank)
        if fewest is None or crossings < fewest:
            best, fewest = [list(nodes) for nodes in columns], crossings
        if not fewest:
            break
    return best


def _crossings(columns: list[list[int]], after: list[list[int]], rank: dict[int, float]) -> int:
    total = 0
    for nodes in columns:
        ends = [rank[end] for node in nodes for end in sorted(after[node], key=rank.__getitem__)]
        placed: list[float] = []
        for end in ends:  # inversions, by insertion: columns are short
            position = len(placed)
            while position and placed[position - 1] > end:
                position -= 1
            total += len(placed) - position
            placed.insert(position, end)
    return total


def _heights(columns: list[list[int]], links: Links, sizes: Sizes) -> dict[int, float]:
    neighbours: list[list[int]] = [[] for _ in sizes]
    weights = [LEAF] * len(sizes)
    for start, end in links:
        neighbours[start].append(end)
        neighbours[end].append(start)
        weights[end] = 1
    y: dict[int, float] = {}
    for nodes in columns:
        _stack(nodes, dict.fromkeys(nodes, 0.0), sizes, weights, y)
    for sweep in range(2 * SWEEPS):
        for nodes in columns if sweep % 2 == 0 else reversed(columns):
            wish = {
                node: sum(weights[other] * y[other] for other in neighbours[node])
                / sum(weights[other] for other in neighbours[node])
                if neighbours[node]
                else y[node]
                for node in nodes
            }
            _stack(nodes, wish, sizes, weights, y)
    return y


def _stack(
    nodes: list[int],
    wish: dict[int, float],
    sizes: Sizes,
    weights: list[float],
    y: dict[int, float],
) -> None:
    """Places the nodes of a column in order, none overlapping, each as near to its wish as its
    neighbours let it.

    Nodes that would overlap join into a block, which stands at the mean of what its members wish
    for.
    """
    blocks: list[Any] = []  # [weighted sum of wished tops, weight, height, node list]
    for node in nodes:
        weight = weights[node]
        block: Any = [weight * (wish[node] - sizes[node][1] / 2), weight, sizes[node][1], [node]]
        while (
            blocks and blocks[-1][0] / blocks[-1][1] + blocks[-1][2] + GAP_Y > block[0] / block[1]
        ):
            upper = blocks.pop()
            shift = upper[2] + GAP_Y
            block = [
                upper[0] + block[0] - shift * block[1],
                upper[1] + block[1],
                shift + block[2],
                upper[3] + block[3],
            ]
        blocks.append(block)
    for total, weight, _, inside in blocks:
        top = total / weight
        for node in inside:
            y[node] = top + sizes[node][1] / 2
            top += sizes[node][1] + GAP_Y


def _curve(
    chain: list[int],
    place: list[Point],
    sizes: Sizes,
    lefts: list[int],
    widths: list[int],
    column: list[int],
) -> Curve:
    start, end = chain[0], chain[-1]
    x, y = place[start][0] + sizes[start][0] / 2, place[start][1]
    stops: list[tuple[float, float, float]] = [
        (lefts[column[node]], lefts[column[node]] + widths[column[node]], place[node][1])
        for node in chain[1:-1]
    ]
    last = place[end][0] - sizes[end][0] / 2
    stops.append((last, last, place[end][1]))
    edge_of_column = lefts[column[start]] + widths[column[start]]
    points = [(x, y)]
    if edge_of_column - x > 1:  # leave a wide column straight, so that no neighbour is touched
        points += [
            (x + (edge_of_column - x) / 3, y),
            (x + 2 * (edge_of_column - x) / 3, y),
            (edge_of_column, y),
        ]
        x = edge_of_column
    for left, right, height in stops:
        if len(points) > 3 and all(abs(other - height) < 0.05 for _, other in points[-4:]):
            points[-3:] = []  # straight on: one longer piece instead of two
            x = points[-1][0]
        half = (left - x) / 2
        points += [(x + half, y), (left - half, height), (left, height)]
        x, y = left, height
        if right > left:
            points[-1] = (right, height)
            x = right
    return points

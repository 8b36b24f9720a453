"""Small charts that a lesson shows: SVG made in Python, which stands still, follows light and dark,
and needs no script.

    bars({"finite differences": 1_000_001, "one play": 2}, unit="runs of the program", log=True)
    lines({"error": (steps, errors)}, x="step size h", y="error", log="xy")
"""

from minitape_widgets.charts.bars import bars
from minitape_widgets.charts.chart import Chart
from minitape_widgets.charts.lines import lines

__all__ = ["Chart", "bars", "lines"]

"""The environment may pin the layout engine, so that compared outputs do not depend on what is
installed.
"""

import pytest

from minitape.storyboard.drawing.layout import lay_out


def test_the_environment_pins_an_engine(monkeypatch):
    monkeypatch.setenv("MINITAPE_LAYOUT", "layers")
    assert lay_out([([(40, 20), (40, 20)], [(0, 1)])])[0][0] == "layers"
    monkeypatch.setenv("MINITAPE_LAYOUT", "crayons")
    with pytest.raises(ValueError, match="crayons"):
        lay_out([([(40, 20)], [])])

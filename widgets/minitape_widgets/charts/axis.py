"""An axis of a chart: which numbers it spans, where each of them stands, and its ticks; and numbers
as a learner reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from minitape.sentences import language

LARGEST = 1e300  # what is larger leaves no room to compute with
POWERS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def number_text(value: float, digits: int = 4, decimals: int | None = None) -> str:
    """Returns a number in the spoken language: "1,000,001", "0.25", "4.2e7"; in French "1 000 001",
    "0,25", "4,2e7".

    Whole numbers are written out up to a million millions, all others to so many digits, or to so
    many decimals.
    """
    exponent = math.floor(math.log10(abs(value))) if value else 0
    if isinstance(value, int) and exponent < 12 or decimals is not None:
        text = f"{value:z,.{decimals or 0}f}"
    elif -5 < exponent < 7:
        text = f"{value:z,.{max(0, digits - 1 - exponent)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        mantissa, power = f"{float(value):.{digits - 1}e}".split("e")
        text = f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}"
    if language() == "fr":
        text = text.translate({ord(","): "\u202f", ord("."): ","})
    return text.replace("-", "−")


class Axis:
    """A straight line from one pixel to another that carries numbers, in even steps or (`log`) in
    even ratios.

    It spans `numbers`, of which there is at least one; where they are all the same, some room
    around them. `air` is what is added on both sides, as a share of the span.
    """

    def __init__(
        self,
        numbers: Iterable[float],
        start: float,
        end: float,
        log: bool = False,
        air: float = 0.0,
    ) -> None:
        self.start, self.end, self.log = start, end, log
        low, high = min(numbers := [self._even(number) for number in numbers]), max(numbers)
        if high - low <= 1e-12 * max(abs(low), abs(high)):
            room = 0.5 if log else abs(low) / 2 or 1.0
            low, high = low - room, high + room
        air *= high - low
        self.low, self.high = low - air, high + air

    def _even(self, number: float) -> float:
        return math.log10(number) if self.log else number

    def __call__(self, number: float) -> float:
        """Returns where a number stands, in tenths of a pixel."""
        share = (self._even(number) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """Returns (number, its text) of at most about so many ticks: powers of ten where the axis
        has two of them.
        """
        if self.log:
            powers = range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)
            if len(powers) > 1:
                powers = [power for power in powers if power % -(-len(powers) // most) == 0]
                plain = -4 < powers[0] and powers[-1] < 7
                return [
                    (10.0**n, number_text(10.0**n) if plain else "10" + str(n).translate(POWERS))
                    for n in powers
                ]
        low, high = (10**self.low, 10**self.high) if self.log else (self.low, self.high)
        rough = (high - low) / most
        power = math.floor(math.log10(rough))
        step = next(step for m in (1, 2, 5, 10) if (step := m * 10.0**power) >= rough * 0.999)
        result = [
            n * step
            for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        ]
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        largest = max(map(abs, result))
        if decimals < 6 and largest < 1e7:
            return [(number, number_text(number, decimals=decimals)) for number in result]
        digits = 1 + math.floor(math.log10(largest)) - math.floor(math.log10(step) + 1e-9)
        return [(number, number_text(number, digits) if number else "0") for number in result]

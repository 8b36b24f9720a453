"""The training-health view: layers from top to bottom, steps from left to right, the loss above, what stands out below.

    with health_view(model) as seen:        one line around a training loop, shown while it runs
    health_view(seen)                       a training that was watched

The files, from below: `grid` turns what was seen into few cells; `payload` adds the words; `still` draws it without a script; `view` is
the widget. What the page draws is in `static/health/`.
"""

from .view import HEALTH, PAGE, HealthView, health_view

__all__ = ["HEALTH", "PAGE", "HealthView", "health_view"]

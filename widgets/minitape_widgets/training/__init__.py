"""The picture of a training's health, without a page: `grid` turns what was seen into few cells,
`payload` adds what is said of them, `still` draws both where no script runs. The widget is
`../health.py`; what the page draws is in `static/health/`.
"""

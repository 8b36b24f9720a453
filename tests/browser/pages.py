"""What any page needs in a test: a quiet browser, eyes on its console, a closed network, and
axe-core's audit.
"""

import re
from importlib.resources import files

ARGUMENTS = [
    "--headless",
    "--no-sandbox",  # root in a container has none
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No other machine has an address. A route that refuses would have each request asked about, and the
    # browser's cache turned off: a fifth of what it takes to load JupyterLab.
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
OUTSIDE = re.compile(r"^(?!(http|ws)s?://(127\.0\.0\.1|localhost)[:/]|data:|blob:|file:|about:)")
# What JupyterLab, and Notebook 7 (the last two), say of themselves on a healthy day. anywidget
# gives a model two seconds: a busy machine needs longer, and a card that is left at once closes its
# player before; where the player does not come, the tests see that.
HEALTHY = re.compile(
    r"favicon|ResizeObserver loop|WebSocket connection to .* (failed|closed)|Failed to load "
    r"resource: .* 404"
    r"|\[anywidget\] Failed to initialize model|reading 'schema'|Command 'filebrowser:open-path' "
    r"not registered"
)
# draws the first slider of an array's along, in so many frames
SLIDE = """async (frames) => {
    const slider = document.querySelector(".minitape").player.root.querySelector(".held-slider");
    for (let k = 1; k <= frames; k++) {
        slider.value = Number(slider.min) + (k * (slider.max - slider.min)) / (frames + 1);
        slider.dispatchEvent(new Event("input"));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
}"""


def watch(page):
    """Gives the page `problems` (errors on its console) and `blocked` (addresses outside, which it
    has asked for in vain).
    """
    page.problems, page.blocked = [], []

    def ask(request):
        if OUTSIDE.search(request.url):
            page.blocked.append(request.url)

    def listen(message):
        if message.type == "error" and not HEALTHY.search(message.text):
            page.problems.append(message.text)

    page.on("request", ask)
    page.on("console", listen)
    page.on(
        "pageerror", lambda error: HEALTHY.search(str(error)) or page.problems.append(str(error))
    )
    return page


def becomes(page, expected, look, seconds=10):
    """Returns whether this is seen within the time, and looks no longer than it has to."""
    for _ in range(seconds * 10):
        if look() == expected:
            return True
        page.wait_for_timeout(100)
    return False


def audit(page, selector="body"):
    """Returns axe-core's violations inside of the selector, one text each: rule, what it means, and
    the elements.
    """
    assert page.locator(selector).count(), (
        f"nothing on the page matches {selector!r}, so there is nothing to audit"
    )
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    result = page.evaluate("selector => axe.run(selector, {resultTypes: ['violations']})", selector)
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}\n"
        + "\n".join(
            f"    {node['html'][:160]}\n        {node['failureSummary']}"
            for node in rule["nodes"][:5]
        )
        for rule in result["violations"]
    ]


def busy_of(page):
    """busy(): for how many seconds of the processor's the page has worked, whoever else wants it."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    return busy

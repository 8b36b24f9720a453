"""A class in a real JupyterHub: students open lessons by a link, run all cells, step and answer at
the same time; it is measured.

    python -m tests.classroom.trial [--students 12] [--lesson 03_playing_backwards]

One student sits at a real browser; the others work without one (hub.py). The others go on
restarting, running and answering until the one at the browser has run the lesson three times,
stepped through a player, and is weighed. About three minutes on two cores.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import psutil

from minitape.exercises.shelf import by_lesson
from tests.browser.lab import CURRENT, Notebook
from tests.browser.pages import ARGUMENTS, watch
from tests.classroom.hub import Hub, Student
from tests.conftest import find_browser
from tests.test_tree import FILES, ROOT

ROUNDS = 3
MEGA = 1e6
# JupyterLab's own words at a restart
RESTARTING = "debugger state", "Canceled future for create_subshell_request"


def repository(place):
    """Makes a repository of this checkout's notebooks, as a school's would be; returns its address."""
    there = place / "lessons"
    for file in FILES:
        if file.is_relative_to(ROOT / "notebooks"):
            (there / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            (there / file.relative_to(ROOT)).write_bytes(file.read_bytes())
    git = ["git", "-C", str(there), "-c", "user.name=trial", "-c", "user.email=trial@example.org"]
    for words in (
        ["init", "--quiet", "--initial-branch=main"],
        ["add", "--all"],
        ["commit", "--quiet", "--message=lessons"],
    ):
        subprocess.run([*git, *words], check=True)
    return there.as_uri()


async def work(student, lesson, address, done):
    """What a student without a browser does: three rounds at least, and until the others are done."""
    await student.start()
    await student.pull(address, "main", "lessons")
    await student.open(f"lessons/notebooks/{lesson}.ipynb")
    student.said, rounds = {}, 0
    while rounds < ROUNDS or not done.is_set():
        await student.run_all(restart=rounds > 0)
        for number, exercises in by_lesson():
            for found in exercises if lesson.startswith(f"{number}_") else []:
                student.said[found.id] = await student.answer(found.id, found.name)
        rounds += 1


# JupyterLab draws an output when it comes into view: a learner scrolls down the page, and so do we.
LOOK_THROUGH = f"""async () => {{
    const content = {CURRENT}.content;
    for (let k = 0; k < content.widgets.length; k++) {{
        await content.scrollToItem(k);
        await new Promise(resolve => setTimeout(resolve, 100));
    }} }}"""
SHOW = f"""async () => {{
    const content = {CURRENT}.content;
    const plays = ({{ model }}) => model.type === "code" && /^(%%tape|play\\()(?!.*predict)/m.test(model.sharedModel.source);
    const k = content.widgets.findIndex(plays);
    content.activeCellIndex = k;
    await content.scrollToItem(k);
    }}"""
STEP = """async (times) => {
    const inside = document.querySelector('.jp-Notebook .jp-mod-active .minitape').shadowRoot, caption = inside.querySelector('.caption');
    const frame = () => new Promise(requestAnimationFrame), took = [];
    for (let k = 0; k < times; k++) {
        const before = caption.textContent, begin = performance.now();
        inside.querySelector('button.step').click();
        while (caption.textContent === before && performance.now() < begin + 10000) { await frame(); }
        await frame();
        took.push(performance.now() - begin);
        await new Promise(resolve => setTimeout(resolve, 700));
    }
    return took; }"""


def at_the_browser(browser, hub, address, lesson, screenshots):
    """What the student at the browser does; returns seconds, and what the page weighs."""
    page = watch(browser.new_context(viewport={"width": 1366, "height": 768}).new_page())
    page.set_default_timeout(90_000)
    begin = time.perf_counter()
    page.goto(address)
    page.fill("#username_input", "browser")
    page.click("#login_submit")
    page.wait_for_url(f"**/lab/**/{lesson}.ipynb*")
    file = f"lessons/notebooks/{lesson}.ipynb"
    page.wait_for_function(
        "file => window.jupyterapp?.shell?.currentWidget?.context?.path === file", arg=file
    )
    place = SimpleNamespace(url=f"{hub.url}/user/browser", folder=hub.homes / "browser")
    notebook = Notebook(page, place, file, "lab", screenshots)
    notebook.wait_for_kernel(180)
    found = {"open by the link": [time.perf_counter() - begin]}
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        notebook.command("notebook:restart-run-all", wait=False)
        page.click(".jp-Dialog .jp-mod-accept")
        notebook.finish(300)
        found.setdefault("restart and run all, in the page", []).append(time.perf_counter() - begin)
        page.evaluate(LOOK_THROUGH)
    page.evaluate(SHOW)
    page.wait_for_selector(".jp-Notebook .jp-mod-active .minitape .caption")
    found["step"] = [took / 1000 for took in page.evaluate(STEP, 6)]
    notebook.screenshot("trial")
    weight = weigh(page)
    problems = [text for text in page.problems if not any(word in text for word in RESTARTING)]
    assert not problems, problems
    return found, weight


def weigh(page):
    """Returns what the page's process weighs, in bytes: its own memory, and with its share of what
    it has in common with others.
    """
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    page.wait_for_timeout(500)
    heap = session.send("Runtime.getHeapUsage")["usedSize"]
    pages = [
        process
        for process in psutil.process_iter()
        if "--type=renderer" in safely(process.cmdline, [])
        and psutil.Process() in safely(process.parents, [])
    ]
    own = max(pages, key=lambda process: process.memory_full_info().uss).memory_full_info()
    return {"page": own.uss, "page with its share": own.pss, "page, JavaScript alone": heap}


def safely(ask, otherwise):
    """What a process answers, or `otherwise` where it is gone."""
    try:
        return ask()
    except psutil.Error:
        return otherwise


def trial(place, students=12, lesson="03_playing_backwards"):
    """Holds the class; returns {"seconds": {what: [...]}, "bytes": {what: [...]}, "said": {student:
    {exercise: text}}, ...}.
    """
    from playwright.sync_api import sync_playwright

    from tests.classroom.test_links import links

    names = sorted(path.stem for path in (ROOT / "notebooks").glob("0*.ipynb"))
    with Hub(place) as hub, sync_playwright() as playwright:
        address = repository(place)
        others = [Student(hub, f"student{k:02d}") for k in range(1, students)]
        chosen = [names[k % len(names)] for k in range(len(others))]
        done, failed = threading.Event(), []

        async def lesson_time():
            await asyncio.gather(
                *(work(student, lesson, address, done) for student, lesson in zip(others, chosen))
            )

        def others_work():
            try:
                asyncio.run(lesson_time())
            except BaseException as error:
                failed.append(error)

        load = os.getloadavg()[0]
        thread = threading.Thread(target=others_work, daemon=True)
        thread.start()
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        try:
            seconds, weight = at_the_browser(
                browser, hub, links.link(hub.url, address, "main", lesson), lesson, place
            )
        finally:
            done.set()
            thread.join(600)
            browser.close()
        if failed:
            raise failed[0]
        bytes_of = {what: [size] for what, size in weight.items()}
        for _, kind, process in hub.processes():
            own = process.memory_full_info()
            for what, size in ((kind, own.uss), (f"{kind} with its share", own.pss)):
                bytes_of.setdefault(what, []).append(size)
        for student in others:
            for what, took in student.seconds.items():
                seconds.setdefault(what, []).extend(took)
        progress = {
            home.name: sorted(
                json.loads((home / ".minitape" / "progress.json").read_text(encoding="utf-8"))
            )
            for home in hub.homes.iterdir()
            if (home / ".minitape" / "progress.json").exists()
        }
        return {
            "seconds": seconds,
            "bytes": bytes_of,
            "said": {student.name: student.said for student in others},
            "progress": progress,
            "lessons": {student.name: lesson for student, lesson in zip(others, chosen)},
            "load": load,
        }


def table(found):
    """Returns the figures as a table in Markdown."""
    lines = ["| what | middle | most |", "|:--|--:|--:|"]
    for what, took in found["seconds"].items():
        lines.append(f"| {what} | {statistics.median(took):.2f} s | {max(took):.2f} s |")
    for what, sizes in found["bytes"].items():
        lines.append(
            f"| {what} | {statistics.median(sizes) / MEGA:.0f} MB | {max(sizes) / MEGA:.0f} MB |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--students", type=int, default=12)
    parser.add_argument("--lesson", default="03_playing_backwards")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = trial(Path(folder), options.students, options.lesson)
    print(
        f"{options.students} students, {os.cpu_count()} processors, load at the beginning "
        f"{figures['load']:.1f}\n"
    )
    print(table(figures))
    wrong = [
        (name, identity, said)
        for name, answers in figures["said"].items()
        for identity, said in answers.items()
        if "✓" not in said
    ]
    print("\nanswers that were not right:", wrong or "none")

"""JupyterLab for tests: a server on a free port with a folder of its own, and a notebook opened in
it.

Two things went wrong before they were written this way. JupyterLab shows "idle" before a kernel
exists, and cells run then are dropped: so we wait for the session's kernel itself. And a command's
promise must not be returned to the test: it holds widgets that refer to themselves; so the page
keeps the promise and the test asks whether it is done.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
    # every output is in the page, seen or not
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
}
EXTENSION = "share/jupyter/labextensions/minitape"
CURRENT = "window.jupyterapp?.shell?.currentWidget"
KERNEL = f"() => {CURRENT}?.context?.sessionContext?.session?.kernel?.status === 'idle'"

OUTPUTS = f"""(() => {{
    const cells = {CURRENT}.content.widgets.filter(cell => cell.model.type === "code");
    return cells.map(cell => cell.model.outputs).flatMap(o => Array.from({{length: o.length}}, (_, i) => o.get(i)));
}})()"""
DRAWN = (
    "() => document.querySelectorAll('.jp-Notebook .jp-OutputArea-child').length >= "
    f"{OUTPUTS}.length"
)
RAISED = (
    f"() => {OUTPUTS}.filter(o => o.type === 'error').map(o => o.toJSON().traceback.join('\\n'))"
)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A JupyterLab server that keeps its settings and log in `place` and serves `folder`; a context
    manager.

    `url` ends without a slash. Kernels find minitape in this checkout; another `python` finds its
    own. It is `extended` where the environment has minitape's extension: then the server gets this
    checkout's.
    """

    def __init__(self, place, folder=None, python=sys.executable):
        self.place, self.folder, self.log = place, folder or place / "files", place / "server.log"
        self.python = python
        self.url = f"http://127.0.0.1:{free_port()}"

    def __enter__(self):
        homes = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
        }
        environment = dict(
            os.environ, **{name: str(self.place / folder) for name, folder in homes.items()}
        )
        own = self.python != sys.executable
        environment["PYTHONPATH"] = (
            "" if own else os.pathsep.join([str(ROOT), str(ROOT / "widgets")])
        )
        environment["MINITAPE_PROGRESS"] = str(self.place / "progress.json")
        self.extended = not own and (Path(sys.prefix) / EXTENSION).exists()
        if self.extended:  # an installed one may be another checkout's, or an older one
            lay_extension(self.place / "share")
            shares = [environment.get("JUPYTER_PATH"), str(self.place / "share")]
            environment["JUPYTER_PATH"] = os.pathsep.join(filter(None, shares))
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, value in SETTINGS.items():
            file = self.place / "settings" / f"{name}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(value))
        command = [
            self.python,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
        ]
        command += [f"--port={self.url.rpartition(':')[2]}", "--ServerApp.port_retries=0"]
        command += [f"--ServerApp.root_dir={self.folder}", "--IdentityProvider.token="]
        command += ["--ServerApp.disable_check_xsrf=True", "--LabApp.expose_app_in_browser=True"]
        command += ["--JupyterNotebookApp.expose_app_in_browser=True"]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command, env=environment, stdout=log, stderr=log, cwd=self.place
            )
        self._wait()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def _wait(self, seconds=60):
        for _ in range(seconds * 10):
            try:
                return self.ask("GET", "/api")
            except OSError:
                assert self.process.poll() is None, (
                    f"JupyterLab ended at once:\n{self.log.read_text()[-3000:]}"
                )
                time.sleep(0.1)
        raise TimeoutError(
            f"JupyterLab did not answer in {seconds} s:\n{self.log.read_text()[-3000:]}"
        )

    def ask(self, method, path):
        with urllib.request.urlopen(
            urllib.request.Request(self.url + path, method=method), timeout=20
        ) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def stop_kernels(self):
        for session in self.ask("GET", "/api/sessions"):
            self.ask("DELETE", f"/api/sessions/{session['id']}")


def lay_extension(share):
    """Puts this checkout's extension for JupyterLab into a folder, as `pip install` lays it out."""
    place, package = share / "labextensions" / "minitape", ROOT / "widgets" / "minitape_widgets"
    shutil.copytree(package / "static", place / "static", dirs_exist_ok=True)
    shutil.copytree(
        ROOT / "minitape" / "storyboard" / "messages",
        place / "static" / "messages",
        dirs_exist_ok=True,
    )
    shutil.copytree(ROOT / "minitape" / "schemas", place / "static" / "forms", dirs_exist_ok=True)
    shutil.copy(package / "labextension" / "package.json", place)


def copy_of(folder, path, cells):
    """Puts a copy of the notebook (path from the checkout, or absolute), or one of these cells,
    into the folder.
    """
    stem = Path(path).stem if path else "test"
    name = f"{stem}_{len(list(folder.glob('*.ipynb')))}.ipynb"
    if path:
        shutil.copy(ROOT / path, folder / name)
        images = (ROOT / path).parent / "images"
        if images.exists():
            shutil.copytree(images, folder / "images", dirs_exist_ok=True)
    else:
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(text) for text in cells]
        )
        notebook.metadata.kernelspec = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        nbformat.write(notebook, folder / name)
    return name


class Notebook:
    """A notebook in the page, which is empty or shows a JupyterLab. Cells count from 0, markdown
    cells included.
    """

    def __init__(self, page, server, name, front, screenshots):
        self.page, self.server, self.name, self.folder = page, server, name, screenshots
        if page.url.startswith(server.url):
            page.problems.clear()
            page.blocked.clear()
            page.evaluate("() => { window.jupyterapp.shell.expandLeft(); }")
            self.command("docmanager:open", {"path": name})
        else:
            page.goto(
                f"{server.url}/lab/tree/{name}?reset"
                if front == "lab"
                else f"{server.url}/notebooks/{name}"
            )

    problems = property(lambda self: self.page.problems)
    blocked = property(lambda self: self.page.blocked)
    file = property(lambda self: self.server.folder / self.name)

    def wait_for_kernel(self, seconds=60):
        self.page.wait_for_function(KERNEL, timeout=seconds * 1000)

    def command(self, name, arguments=None, wait=True, seconds=120):
        """Runs a command of JupyterLab by its id and, unless wait is False, waits until it is done."""
        self.page.evaluate(
            """([name, given]) => {
                window.testing = {done: false, error: null};
                window.jupyterapp.commands.execute(name, given).then(
                    () => { window.testing.done = true; },
                    error => { window.testing.done = true; window.testing.error = String(error); });
            }""",
            [name, arguments or {}],
        )
        if wait:
            self.finish(seconds)

    def finish(self, seconds=120):
        """Waits until the command that was started last is done."""
        self.page.wait_for_function("() => window.testing.done", timeout=seconds * 1000)
        error = self.page.evaluate("() => window.testing.error")
        assert not error, error

    def run_all(self, errors_allowed=False, seconds=120):
        """Runs all cells and waits; raises AssertionError with the traceback if one raised."""
        self.command("notebook:run-all-cells", seconds=seconds)
        self._check(errors_allowed)

    def start_all(self):
        """Starts all cells and does not wait: finish() does."""
        self.command("notebook:run-all-cells", wait=False)

    def run(self, code, errors_allowed=False, seconds=120):
        """Appends a cell with this code, runs it, waits; returns the locator of its output area."""
        self.page.evaluate(
            f"""code => {{
                const content = {CURRENT}.content;
                content.model.sharedModel.addCell({{cell_type: "code", source: code}});
                content.activeCellIndex = content.widgets.length - 1;
                content.deselectAll();
            }}""",
            code,
        )
        self.command("notebook:run-cell", seconds=seconds)
        self._check(errors_allowed)
        return self.output(self.page.evaluate(f"() => {CURRENT}.content.activeCellIndex"))

    def cell(self, index):
        """The locator of a cell, scrolled into view."""
        cell = self.page.locator(".jp-Notebook .jp-Cell").nth(index)
        cell.scroll_into_view_if_needed()
        return cell

    def output(self, index):
        """The locator of a cell's output area: all that the cell printed and displayed."""
        return self.cell(index).locator(".jp-Cell-outputArea")

    def text(self, index=-1):
        """The text of a cell's outputs, without the prompt `[3]:`; by default of the last cell."""
        index = index if index >= 0 else self.page.locator(".jp-Notebook .jp-Cell").count() + index
        return "\n".join(self.cell(index).locator(".jp-OutputArea-output").all_inner_texts())

    def restart(self):
        """Restarts the kernel, without the dialog that asks whether one is sure."""
        self.page.evaluate(
            f"""() => {{
                window.testing = {{done: false, error: null}};
                {CURRENT}.context.sessionContext.session.kernel.restart().then(() => {{ window.testing.done = true; }});
            }}"""
        )
        self.finish()
        self.wait_for_kernel()

    def close(self):
        """Closes the notebook and does not ask whether it shall be saved; JupyterLab stays."""
        self.page.evaluate(f"() => {{ {CURRENT}.dispose(); }}")

    def save(self):
        self.command("docmanager:save")

    def theme(self, name):
        """Switches JupyterLab's theme to "light" or "dark" and waits until it is drawn."""
        light = "true" if name == "light" else "false"
        if self.page.get_attribute("body", "data-jp-theme-light") != light:
            self.command(
                "apputils:change-theme", {"theme": f"JupyterLab {name.title()}"}, wait=False
            )
            self.page.wait_for_selector(f'body[data-jp-theme-light="{light}"]', state="attached")
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")

    def screenshot(self, name, whole=False):
        """Saves a picture of the window and returns its path."""
        path = self.folder / f"{name}.png"
        self.page.screenshot(path=path, full_page=whole)
        return path

    def _check(self, errors_allowed):
        """Waits until all outputs are drawn; raises AssertionError if one of them is an error."""
        self.page.wait_for_function(DRAWN)
        self.page.wait_for_timeout(50)
        raised = [] if errors_allowed else self.page.evaluate(RAISED)
        assert not raised, "a cell raised:\n" + "\n".join(raised)

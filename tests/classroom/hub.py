"""A real JupyterHub with its proxy on this machine, and students who do in it what a browser would
do, without one.

Each student has a server and a home folder of their own, started by the hub; all run as the user
who started the trial, and nobody needs a password (`simple`, `dummy`). What a student does goes the
way of a browser: the hub's proxy, the server, a websocket.
"""

import asyncio
import contextlib
import json
import os
import secrets
import subprocess
import sys
import time
import uuid
from urllib.parse import quote, urlencode

import psutil
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from tests.browser.lab import free_port, lay_extension
from tests.classroom.conftest import environment, proxy

SETTINGS = """
c = get_config()
c.JupyterHub.bind_url = {url!r}
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub}"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.JupyterHub.db_url = "sqlite:///:memory:"
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r}
c.Spawner.cmd = [{python!r}, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--allow-root"]
c.Spawner.environment = {given!r}
c.Spawner.start_timeout = c.Spawner.http_timeout = 180
c.JupyterHub.concurrent_spawn_limit = 0
c.JupyterHub.services = [dict(name="trial", api_token={token!r})]
c.JupyterHub.load_roles = [dict(name="trial", services=["trial"], scopes=["admin:users", "admin:servers", "access:servers"])]
"""


class Hub:
    """A hub that keeps all its files in `place`; a context manager."""

    def __init__(self, place):
        self.place, self.log, self.homes = place, place / "hub.log", place / "homes"
        self.url, self.token = f"http://127.0.0.1:{free_port()}", secrets.token_hex(16)

    def __enter__(self):
        self.homes.mkdir(parents=True)
        lay_extension(self.place / "share")
        (self.place / "etc").mkdir()
        (self.place / "etc" / "jupyter_server_config.json").write_text(
            json.dumps({"LabApp": {"expose_app_in_browser": True}})
        )
        around = environment(self.place)
        given = {"PYTHONPATH": around["PYTHONPATH"]}
        for name, own in (("JUPYTER_PATH", "share"), ("JUPYTER_CONFIG_PATH", "etc")):
            given[name] = os.pathsep.join([str(self.place / own), around[name]])
        (self.place / "config.py").write_text(
            SETTINGS.format(
                url=self.url,
                hub=free_port(),
                api=free_port(),
                proxy=str(proxy()),
                homes=str(self.homes / "{username}"),
                python=sys.executable,
                given=given,
                token=self.token,
            )
        )
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "jupyterhub", "-f", "config.py"],
                cwd=self.place,
                env=around,
                stdout=log,
                stderr=log,
            )
        try:
            asyncio.run(self._wait())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """Stops the hub, which stops its proxy and all servers; what stays all the same is ended."""
        with contextlib.suppress(psutil.NoSuchProcess):
            family = psutil.Process(self.process.pid).children(recursive=True)
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(30)
            for process in [child for child in family if child.is_running()]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
        self.process.kill()

    async def _wait(self, seconds=90):
        for _ in range(seconds * 4):
            assert self.process.poll() is None, (
                f"JupyterHub ended at once:\n{self.log.read_text()[-4000:]}"
            )
            with contextlib.suppress(OSError, HTTPClientError):
                return await self.ask("GET", "/hub/api/")
            await asyncio.sleep(0.25)
        raise TimeoutError(
            f"JupyterHub did not answer in {seconds} s:\n{self.log.read_text()[-4000:]}"
        )

    async def ask(self, method, path, body=None, seconds=180):
        """Asks the hub, or a student's server behind it; returns what it answers as data, or as
        text.
        """
        answer = await AsyncHTTPClient(max_clients=100).fetch(
            HTTPRequest(
                self.url + path,
                method,
                {"Authorization": f"token {self.token}"},
                json.dumps(body or {}) if method == "POST" else None,
                connect_timeout=seconds,
                request_timeout=seconds,
            )
        )
        text = answer.body.decode()
        return (
            json.loads(text) if "json" in answer.headers.get("Content-Type", "") and text else text
        )

    def processes(self):
        """Yields (student, "server" or "kernel", process) of all that runs for students."""
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                words = process.cmdline()
                kind = (
                    "server"
                    if "jupyterhub.singleuser" in words
                    else "kernel"
                    if "ipykernel_launcher" in words
                    else None
                )
                if kind:
                    yield process.environ()["JUPYTERHUB_USER"], kind, process


class Student:
    """One who follows a link, opens a lesson, runs it and answers. `seconds`: what took how long."""

    def __init__(self, hub, name):
        self.hub, self.name, self.home = hub, name, f"/user/{name}"
        self.seconds = {}

    @contextlib.contextmanager
    def timed(self, what):
        """Notes how long a block took."""
        begin = time.perf_counter()
        yield
        self.seconds.setdefault(what, []).append(time.perf_counter() - begin)

    async def start(self):
        """Starts a server of one's own and waits until it answers."""
        await self.hub.ask("POST", f"/hub/api/users/{self.name}")
        with self.timed("start"):
            await self.hub.ask("POST", f"/hub/api/users/{self.name}/server")
            while (
                not (await self.hub.ask("GET", f"/hub/api/users/{self.name}"))["servers"]
                .get("", {})
                .get("ready")
            ):
                await asyncio.sleep(0.2)

    async def pull(self, repository, branch, copy):
        """Gets a copy of the lessons as the page of nbgitpuller does."""
        query = urlencode({"repo": repository, "branch": branch, "targetpath": copy})
        with self.timed("pull"):
            answers = await self.hub.ask("GET", f"{self.home}/git-pull/api?{query}")
        assert '"phase": "finished"' in answers, answers[-2000:]

    async def open(self, file):
        """Opens a notebook: JupyterLab's page, the file, a kernel."""
        with self.timed("open"):
            assert "JupyterLab" in await self.hub.ask("GET", f"{self.home}/lab/tree/{quote(file)}")
            self.cells = (await self.hub.ask("GET", f"{self.home}/api/contents/{quote(file)}"))[
                "content"
            ]["cells"]
            wanted = {"path": file, "name": file, "type": "notebook", "kernel": {"name": "python3"}}
            self.kernel = (await self.hub.ask("POST", f"{self.home}/api/sessions", wanted))[
                "kernel"
            ]["id"]
            await self.connect()

    async def connect(self):
        """Talks to the kernel, and waits until it answers."""
        address = (
            f"{self.hub.url.replace('http', 'ws')}{self.home}/api/kernels/{self.kernel}/channels"
        )
        self.line = await websocket_connect(
            HTTPRequest(
                address, headers={"Authorization": f"token {self.hub.token}"}, connect_timeout=180
            ),
            max_message_size=100_000_000,
        )
        await self.run("0")

    async def run(self, code, may_raise=False):
        """Runs a cell and waits for its end; returns the texts that it showed. Raises
        AssertionError where it raised.
        """
        said, shown, waiting = uuid.uuid4().hex, [], {"execute_reply", "idle"}
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
        }
        header = {
            "msg_id": said,
            "username": self.name,
            "session": self.name,
            "msg_type": "execute_request",
            "version": "5.3",
        }
        message = {
            "channel": "shell",
            "header": header,
            "parent_header": {},
            "metadata": {},
            "content": content,
        }
        await self.line.write_message(json.dumps(message))
        while waiting:
            message = await asyncio.wait_for(self.line.read_message(), 300)
            assert message is not None, "the kernel's line was cut"
            message = json.loads(message)
            if message["parent_header"].get("msg_id") != said:
                continue
            kind, content = message["header"]["msg_type"], message["content"]
            waiting.discard(content["execution_state"] if kind == "status" else kind)
            assert kind != "error" or may_raise, "\n".join(content["traceback"])
            shown.append(
                content.get("text", "") or content.get("data", {}).get("text/plain", "")
                if kind != "execute_reply"
                else ""
            )
        return "".join(shown)

    async def run_all(self, restart):
        """Runs all cells from the first on, in a new kernel where that is asked for."""
        if restart:
            with self.timed("restart"):
                self.line.close()
                await self.hub.ask("POST", f"{self.home}/api/kernels/{self.kernel}/restart")
                await self.connect()
        with self.timed("run all"):
            for cell in self.cells:
                if cell["cell_type"] == "code":
                    await self.run(
                        cell["source"], "raises-exception" in cell["metadata"].get("tags", [])
                    )

    async def answer(self, identity, name):
        """Writes the solution of an exercise into a cell, and checks it; returns what the check
        says.
        """
        solution = await self.run(
            f'from minitape.exercises import exercise\nprint(exercise("{identity}").solution_code)'
        )
        with self.timed("answer"):
            return await self.run(f'{solution}\nexercise("{identity}").check({name})')

"""Results of the clients: prints a line for each feature, `ok CLIENT FEATURE` or `not ok CLIENT FEATURE: REASON`.

The features and their order are the rows of the tables in the guide page InTheEditor.md, which matrix.py compares with these lines.
"""
import asyncio
import inspect
import pathlib
import shutil
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Project:
    """Creates a copy of Workflows/ in a temporary folder."""

    def __init__(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="authflow-editors-"))
        self.folder = (self.work / "project").resolve()
        shutil.copytree(ROOT / "Workflows", self.folder)
        self.environment = {"HOME": str(self.work / "home"), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        (self.work / "home").mkdir()

    def path(self, name):
        return self.folder / name

    def text(self, name):
        return self.path(name).read_text("utf-8")

    def uri(self, name):
        return self.path(name).as_uri()

    def write(self, name, text):
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(text, "utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.work, ignore_errors=True)


class Client:
    """The tests of one client. Each test is a function with its own project, and its feature is a row of a table."""

    def __init__(self, name, limit=20):
        self.name, self.limit, self.tests, self.failures = name, limit, [], 0

    def feature(self, name):
        def register(function):
            self.tests.append((name, function))
            return function

        return register

    def report(self, name, error=None):
        if error is None:
            print(f"ok {self.name} {name}", flush=True)
        else:
            self.failures += 1
            print(f"not ok {self.name} {name}: {error}", flush=True)

    def main(self, words=(), at_once=3):
        """Runs the tests whose features contain one of the words, or all tests, and exits."""
        asyncio.run(self.run([test for test in self.tests if not words or any(word in test[0] for word in words)], at_once))
        sys.exit(1 if self.failures else 0)

    async def run(self, selected, at_once):
        places = asyncio.Semaphore(at_once)

        async def one(name, function):
            async with places:
                with Project() as project:
                    await self.test(name, function, project)

        await asyncio.gather(*(one(name, function) for name, function in selected))

    async def test(self, name, function, project):
        try:
            await asyncio.wait_for(function(*([project] if inspect.signature(function).parameters else [])), self.limit)
            self.report(name)
        except Exception as error:  # A failure must not prevent the tests of other features.
            where = traceback.extract_tb(error.__traceback__)
            line = next((frame.lineno for frame in reversed(where) if "/.ci/editors/" in frame.filename), 0)
            self.report(name, f"line {line}: {type(error).__name__}: {error}".replace("\n", " ")[:600])

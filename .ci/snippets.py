"""Runs the code blocks of documentation pages: .ci/snippets.py [--update] PAGE…

Each page gets an empty folder with a copy of Workflows/, in which its blocks run in order, with the program AUTHFLOW:

    a block after text that ends with a path in backticks and a colon   writes this file
    ```sh                           runs, and must exit with 0; `python` is the program PYTHON
    ```sh exits N                   runs, and must exit with N
    ```sh server                    runs until the page ends; the next block starts when its port is open
    ```sh live, ```sh build         needs the network or builds authflow: only bash checks its syntax here
    ```                             is the output of the block before, except for durations; … stands for any text or lines
    ```swift msal                   compiles, with the Swift before it and the declarations of MSAL in .ci/app-code
    ```swift                        is compiled and compared by ShownCodeTests
    ```yaml                         without a path: a whole workflow, `steps:`, `scenarios:` for me.yaml, or a directory
    ```yaml github and similar      is left to check-snippets and other checks

Any other block is an error. Port 8443 is replaced with a free port. --update rewrites output that is out of date.
"""
import difflib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ["AUTHFLOW"]
PYTHON = os.environ.get("PYTHON", "/usr/bin/python3")
ELSEWHERE = {
    "yaml github", "yaml github-shards", "yaml gitlab", "yaml azure", "yaml pre-commit", "swift plugin", "java container",
    "lua neovim", "lisp emacs", "toml helix", "json kate"
}
# Formats of files that commands on the same page read.
FILES = {"yaml", "json", "jsonl", "xml", "python", "swift", "dotenv"}
checks = 0


class Failure(Exception):
    pass


class Block:
    def __init__(self, info, file, line):
        self.info, self.file, self.line, self.lines = info, file, line, []
        self.language, *self.marks = info.split() or [""]

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


def blocks(page):
    found, current, before = [], None, ""
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if line.startswith("```"):
            if current:
                found.append(current)
                current, before = None, ""
            else:
                path = re.search(r"`([^` ]+)`:$", before)
                current = Block(line[3:].strip(), path and path[1], number)
        elif current:
            current.lines.append(line)
        elif line.strip():
            before = line
    return found


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def lasting(text):
    """Returns the text without durations, because they are different in each run."""
    lines = [re.sub(r"\b[0-9.]+ m?s\b", "0 ms", line).rstrip() for line in text.strip("\n").split("\n")]
    return [re.sub(r" {2,}0 ms$", "  0 ms", line) for line in lines]


def matches(shown, actual):
    pattern = ""
    for line in lasting(shown):
        pattern += "(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in lasting(actual))) is not None


def renewed(shown, actual):
    """Returns new text for an output block, with the same number of lines if it ends with …, or None if … is elsewhere."""
    changing = re.compile(r"\d{4}-\d\d-\d\dT\S*|" + re.escape(tempfile.gettempdir()) + "/.*")
    lines = [changing.sub("…", line) for line in actual.strip("\n").split("\n")]
    *old, last = [line.strip() for line in shown.strip("\n").split("\n")]
    if "…" in old:
        return None
    return lines[: len(old)] + ["…"] if last == "…" else lines


class Page:
    def __init__(self, path, update):
        self.path, self.update, self.servers, self.output, self.code = path, update, [], None, []
        self.changes = []
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.folder = self.work / "project"
        self.folder.mkdir()
        shutil.copytree(ROOT / "Workflows", self.folder / "Workflows")
        (self.work / "bin").mkdir()
        (self.work / "bin" / "authflow").symlink_to(PROGRAM)
        self.port = free_port()
        home = self.work / "home"
        self.environment = {
            "PATH": f"{self.work}/bin:{pathlib.Path(PYTHON).parent}:{os.environ['PATH']}", "HOME": str(home), "LANG": "C.UTF-8",
            **{f"XDG_{name}_HOME": str(home / name.lower()) for name in ("STATE", "CONFIG", "CACHE", "DATA")},
        }
        home.mkdir()

    def close(self):
        for server in self.servers:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()
        shutil.rmtree(self.work, ignore_errors=True)

    def filled(self, text):
        return text.replace("8443", str(self.port))

    def call(self, command, status=0):
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=120)
        if done.returncode != status:
            raise Failure(f"exit status {done.returncode} instead of {status}\n{done.stdout}")
        return done.stdout

    def shell(self, text, status=0):
        return self.call(["bash", "-euo", "pipefail", "-c", self.filled(text)], status)

    def serve(self, text):
        server = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", self.filled(text)], cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True)
        self.servers.append(server)
        for _ in range(200):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise Failure("the server does not listen")

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.filled(text), "utf-8")
        return file

    def yaml(self, block):
        """Completes a block without a path. The first key determines where the block belongs."""
        file = f"Workflows/shown-{block.line}.yaml"
        first = block.lines[0]
        if first == "authflow: 1":
            self.write(file, block.text)
        elif first == "steps:" or first.startswith("inputs:"):
            self.write(file, "authflow: 1\nsettings: AuthSettings.plist\n" + block.text)
        elif first == "scenarios:":
            steps = (ROOT / "Workflows/me.yaml").read_text("utf-8").partition("\nscenarios:")[0]
            self.write(file, steps + "\n" + block.text)
            self.shell(f"authflow test {file}")
            return
        else:
            raise Failure("this block is not tested: write its path before it, or show a complete part of a workflow")
        self.shell(f"authflow validate {file} && authflow run {file} --fresh")

    def swift(self, block):
        self.code.append(block.text)
        if block.marks == ["msal"]:
            file = self.write("shown.swift", "import Foundation\n" + "".join(self.code))
            self.call(["swiftc", "-typecheck", "-swift-version", "5", str(ROOT / ".ci/app-code/MSAL.swift"), str(file)])

    def run(self, block):
        if not block.language:
            if self.output is None:
                raise Failure("output without a command before it")
            if not matches(self.filled(block.text), self.output):
                new = renewed(block.text, self.output) if self.update else None
                if new is None:
                    raise Failure("\n".join(difflib.unified_diff(
                        lasting(block.text), lasting(self.output), "shown", "printed", lineterm="")))
                self.changes.append((block, new))
            return
        self.output = None
        if block.language == "sh" and block.marks in (["live"], ["build"]):
            self.call(["bash", "-n", "-c", block.text])
        elif block.language == "sh" and block.marks == ["server"]:
            self.serve(block.text)
        elif block.language == "sh":
            self.output = self.shell(block.text, int(block.marks[1]) if block.marks[:1] == ["exits"] else 0)
        elif block.info in ELSEWHERE:
            return
        elif block.file and block.language in FILES:
            file = self.write(block.file, block.text)
            if block.language == "json":
                json.loads(file.read_text("utf-8"))
        elif block.language == "swift":
            self.swift(block)
        elif block.language == "yaml":
            self.yaml(block)
        else:
            raise Failure(f"blocks of the language {block.language!r} are not tested")

    def check(self):
        global checks
        for block in blocks(self.path):
            try:
                self.run(block)
            except (Failure, subprocess.TimeoutExpired, ValueError) as failure:
                sys.exit(f"not ok - {self.path}:{block.line}: {failure}")
            checks += 1
        if self.changes:
            lines = self.path.read_text("utf-8").split("\n")
            for block, new in reversed(self.changes):
                lines[block.line : block.line + len(block.lines)] = new
            self.path.write_text("\n".join(lines), "utf-8")
            print(f"updated {self.path}", file=sys.stderr)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    for name in arguments:
        page = Page(pathlib.Path(name), "--update" in sys.argv)
        try:
            page.check()
        finally:
            page.close()
        print(f"ok - the code blocks of {name}")
    print(f"{checks} checks passed")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Simulates typing with the language server: .ci/editors/stress.py PROGRAM FOLDER SECONDS [--seed N] [--p95 MS] [--memory MIB]

Opens 20 files of a copy of the folder and makes random edits, one or several at a time. Measures the time from an edit to
the diagnostics of the edited text, the time of requests, and the memory of the server. At the end, the diagnostics of each file
must match those of a new server with the same text. Exits with 1 if they differ, or if a measurement exceeds its limit.
"""
import argparse
import json
import pathlib
import random
import shutil
import sys
import tempfile
import time

from rpc import Server
from texts import Text

EXTENSIONS = {".yaml": "yaml", ".json": "json", ".plist": "xml"}
PIECES = ["\n", " ", "  ", ":", "- ", "{", "}", "[", "]", '"', "'", "#", "é", "😀", "a", "silent", "steps:", "on: ", "expect:", "${", "<!--", "0"]
REQUESTS = ["hover", "completion", "documentSymbol", "codeLens", "definition", "foldingRange", "documentHighlight"]


class Document:
    def __init__(self, path):
        self.path, self.uri, self.version = path, path.as_uri(), 1
        self.original = self.text = path.read_bytes().decode()

    def item(self):
        return {"uri": self.uri, "languageId": EXTENSIONS[self.path.suffix], "version": self.version, "text": self.text}

    def edit(self, chance):
        """Makes a random edit and returns it as an LSP change."""
        lines = self.text.split("\n")
        start = chance.randrange(len(self.text) + 1)
        match chance.randrange(10):
            case 0 | 1 | 2 | 3:
                end, new = start, chance.choice(PIECES)
            case 4 | 5:
                end, new = min(len(self.text), start + chance.randint(1, 6)), ""
            case 6:
                end, new = min(len(self.text), start + chance.randint(0, 40)), chance.choice(PIECES)
            case 7:
                # Copy a line to another place.
                start = end = sum(len(line) + 1 for line in lines[:chance.randrange(len(lines))])
                new = chance.choice(lines) + "\n"
            case _:
                # Undo everything. Otherwise, the text would soon be too damaged to have many findings.
                self.text = self.original
                return {"text": self.text}
        source = Text(self.text)
        span = {name: dict(zip(("line", "character"), source.at(index))) for name, index in (("start", start), ("end", end))}
        self.text = self.text[:start] + new + self.text[end:]
        return {"range": span, "text": new}


class Typist:
    def __init__(self, program, folder, documents):
        environment = {"HOME": str(folder.parent), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        self.server, self.published = Server(program, "lsp", folder=folder, environment=environment), {}
        self.server.initialize(folder, {"textDocument": {"publishDiagnostics": {"versionSupport": True}}})
        for document in documents:
            self.server.notify("textDocument/didOpen", {"textDocument": document.item()})
        for document in documents:
            self.wait(document)

    def wait(self, document, limit=30):
        """Waits for the diagnostics of the current version and returns the time at which they arrived."""
        def accepts(message):
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            params = message["params"]
            self.published[params["uri"]] = params
            return params["uri"] == document.uri and params.get("version") == document.version

        known = self.published.get(document.uri)
        if known and known.get("version") == document.version:
            return time.monotonic()
        moment, _ = self.server.receive(accepts, limit)
        self.server.pending = [entry for entry in self.server.pending if "method" not in entry[1]]
        return moment

    def settle(self, quiet=1.5):
        """Reads messages until no more arrive for a while."""
        def accepts(message):
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]
            return True

        while True:
            try:
                self.server.receive(accepts, quiet)
            except TimeoutError:
                return

    def findings(self):
        """Returns the diagnostics by URI, without files that have none."""
        return {uri: sorted(json.dumps(item, sort_keys=True) for item in params["diagnostics"])
                for uri, params in self.published.items() if params["diagnostics"]}

    def memory(self):
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[0].split(": ", 1)[1])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--p95", type=float, help="limit for edits in milliseconds")
    parser.add_argument("--memory", type=float, help="limit in MiB")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    work = pathlib.Path(tempfile.mkdtemp(prefix="authflow-stress-"))
    folder = (work / "project").resolve()
    shutil.copytree(arguments.folder, folder, ignore=shutil.ignore_patterns(".git", ".build", "node_modules"))
    try:
        files = sorted(path for path in folder.rglob("*") if path.suffix in EXTENSIONS and path.stat().st_size < 200_000)
        documents = [Document(path) for path in chance.sample(files, min(20, len(files)))]
        typist = Typist(arguments.program, folder, documents)
        edits, requests, count = [], [], 0
        end = time.monotonic() + arguments.seconds
        while time.monotonic() < end:
            document = chance.choice(documents)
            for _ in range(chance.choice((1, 1, 1, 1, 5))):
                change = document.edit(chance)
                document.version += 1
                count += 1
                typist.server.notify("textDocument/didChange", {
                    "textDocument": {"uri": document.uri, "version": document.version}, "contentChanges": [change]})
            sent = time.monotonic()
            edits.append(1000 * (typist.wait(document) - sent))
            if chance.random() < 0.2:
                line, character = Text(document.text).at(chance.randrange(len(document.text) + 1))
                sent = time.monotonic()
                number = typist.server.ask(f"textDocument/{chance.choice(REQUESTS)}", {
                    "textDocument": {"uri": document.uri}, "position": {"line": line, "character": character}})
                response = typist.server.answer(number)
                if response.get("error", {}).get("code") not in (None, -32601):
                    raise RuntimeError(f"{response['error']}, in a text of {len(document.text)} characters at {line}:{character}")
                requests.append(1000 * (time.monotonic() - sent))
        typist.settle()
        memory = typist.memory()
        fresh = Typist(arguments.program, folder, documents)
        fresh.settle()
        differing = sorted(uri for uri in {*typist.findings(), *fresh.findings()} if typist.findings().get(uri) != fresh.findings().get(uri))
        statuses = (typist.server.end(), fresh.server.end())
        print(f"{count} edits in {len(documents)} of {len(files)} files, seed {arguments.seed}")
        print(f"edit to diagnostics: median {percentile(edits, 0.5):.1f} ms, p95 {percentile(edits, 0.95):.1f} ms, maximum {max(edits):.1f} ms")
        print(f"requests: {len(requests)}, median {percentile(requests, 0.5):.1f} ms, p95 {percentile(requests, 0.95):.1f} ms")
        print(f"memory: {memory:.0f} MiB")
        problems = [f"the diagnostics of {uri} differ from those of a new server" for uri in differing]
        if arguments.p95 and percentile(edits, 0.95) > arguments.p95:
            problems.append(f"the 95th percentile exceeds {arguments.p95:g} ms")
        if arguments.memory and memory > arguments.memory:
            problems.append(f"the memory exceeds {arguments.memory:g} MiB")
        if statuses != (0, 0):
            problems.append(f"exit statuses {statuses}")
        for problem in problems:
            print(f"not ok - {problem}")
        if not problems:
            print("ok - the diagnostics match those of a new server")
        sys.exit(1 if problems else 0)
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()

"""Tests `authflow lsp` with valid and invalid messages: .ci/editors/messages.py PROGRAM"""
import contextlib
import json
import re
import sys

from results import ROOT, Client
from rpc import Server

tests = Client("messages")
PROGRAM = sys.argv[1]


@contextlib.contextmanager
def server(project, capabilities=None, initialized=True):
    started = Server(PROGRAM, "lsp", folder=project.folder, environment=project.environment)
    try:
        if initialized:
            started.initialize(project.folder, capabilities)
        yield started
    finally:
        started.kill()


def code(response):
    assert "error" in response and "result" not in response, response
    assert isinstance(response["error"]["message"], str) and response["error"]["message"], response
    return response["error"]["code"]


def position(project, line=0, character=0):
    return {"textDocument": {"uri": project.uri("me.yaml")}, "position": {"line": line, "character": character}}


@tests.feature("requests before initialize")
async def before(project):
    with server(project, initialized=False) as lsp:
        assert code(lsp.answer(lsp.ask("textDocument/hover", position(project)))) == -32002
        lsp.notify("textDocument/didOpen", {})
        lsp.initialize(project.folder)
        assert code(lsp.answer(lsp.ask("initialize", {"capabilities": {}}))) == -32600
        assert lsp.end() == 0


@tests.feature("unknown methods")
async def unknown(project):
    with server(project) as lsp:
        assert code(lsp.answer(lsp.ask("textDocument/noSuchRequest"))) == -32601
        assert code(lsp.answer(lsp.ask("$/noSuchRequest"))) == -32601
        lsp.notify("textDocument/noSuchNotification", {})
        lsp.notify("$/noSuchNotification", {})
        assert lsp.end() == 0


@tests.feature("documented requests")
async def documented(project):
    page = (ROOT / "Sources/authflow/authflow.docc/Reference/LanguageServer.md").read_text("utf-8")
    rows = page.partition("## Requests")[2].partition("##")[0]
    methods = re.findall(r"`((?:textDocument|workspace|completionItem)/[A-Za-z/]+)`", rows)
    assert len(methods) > 20, methods
    with server(project, {"textDocument": {"diagnostic": {}}}) as lsp:
        for method in methods:
            response = lsp.answer(lsp.ask(method, {}))
            assert "result" in response or code(response) != -32601, (method, response)
        assert lsp.end() == 0


@tests.feature("invalid parameters")
async def parameters(project):
    with server(project) as lsp:
        for params in ({}, [], {"textDocument": 3}, {"textDocument": {"uri": 3}}, {"textDocument": {"uri": project.uri("me.yaml")}},
                       {"textDocument": {"uri": project.uri("me.yaml")}, "position": {"line": -1, "character": 0}},
                       {"textDocument": {"uri": project.uri("me.yaml")}, "position": {"line": "0", "character": 0}}):
            assert code(lsp.answer(lsp.ask("textDocument/hover", params))) == -32602, params
        assert code(lsp.answer(lsp.ask("workspace/executeCommand", {"command": "no.such.command"}))) == -32602
        for params in ({}, [], None, {"textDocument": {}}, {"textDocument": {"uri": 3, "version": "x"}, "contentChanges": 3}):
            for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave"):
                lsp.notify(method, params)
        assert lsp.end() == 0


@tests.feature("positions outside the text")
async def outside(project):
    with server(project) as lsp:
        text = project.text("me.yaml")
        lsp.notify("textDocument/didOpen", {"textDocument": {
            "uri": project.uri("me.yaml"), "languageId": "yaml", "version": 1, "text": text}})
        for line, character in ((0, 10_000), (10_000, 0), (2**31 - 1, 2**31 - 1)):
            for method in ("hover", "definition", "completion", "documentHighlight"):
                response = lsp.answer(lsp.ask(f"textDocument/{method}", position(project, line, character)))
                assert "result" in response or code(response) == -32602, response
        assert lsp.end() == 0


@tests.feature("invalid JSON")
async def invalid(project):
    with server(project) as lsp:
        for content in (b"{", b"not json", b'{"jsonrpc": "2.0", "id": 1, "method": }', b"\xff\xfe"):
            lsp.write(content)
            response = lsp.answer(None)
            assert code(response) == -32700, response
        assert lsp.end() == 0


@tests.feature("invalid requests")
async def requests(project):
    with server(project) as lsp:
        for message in ([], 3, "text", {"id": 7, "method": "shutdown"}, {"jsonrpc": "1.0", "id": 7, "method": "shutdown"},
                        {"jsonrpc": "2.0", "id": {}, "method": "shutdown"}, {"jsonrpc": "2.0", "id": 7}):
            lsp.write(json.dumps(message).encode())
            identifier = message.get("id") if isinstance(message, dict) and message.get("id") != {} else None
            response = lsp.answer(identifier)
            assert code(response) == -32600, (message, response)
        assert lsp.end() == 0


@tests.feature("requests after shutdown")
async def after(project):
    with server(project) as lsp:
        assert lsp.call("shutdown") is None
        assert code(lsp.answer(lsp.ask("textDocument/hover", position(project)))) == -32600
        assert code(lsp.answer(lsp.ask("shutdown"))) == -32600
        lsp.notify("exit", None)
        assert lsp.process.wait(10) == 0
    with server(project) as lsp:
        # An exit without a shutdown is an error.
        lsp.notify("exit", None)
        assert lsp.process.wait(10) == 1


@tests.feature("end of the input")
async def end(project):
    with server(project) as lsp:
        lsp.process.stdin.close()
        assert lsp.process.wait(10) in (0, 1)


@tests.feature("canceled requests")
async def canceled(project):
    with server(project) as lsp:
        numbers = [lsp.ask("textDocument/hover", position(project)) for _ in range(20)]
        for number in numbers:
            lsp.notify("$/cancelRequest", {"id": number})
        lsp.notify("$/cancelRequest", {"id": 99_999})
        for number in numbers:
            response = lsp.answer(number)
            assert "result" in response or code(response) == -32800, response
        assert lsp.end() == 0


@tests.feature("parts of messages")
async def parts(project):
    with server(project, initialized=False) as lsp:
        content = json.dumps({"jsonrpc": "2.0", "id": "ü", "method": "initialize", "params": {"capabilities": {}}}, ensure_ascii=False).encode()
        data = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(content) + content
        for index in range(len(data)):
            lsp.process.stdin.write(data[index:index + 1])
            lsp.process.stdin.flush()
        assert "result" in lsp.answer("ü")


tests.main(sys.argv[2:], at_once=1)

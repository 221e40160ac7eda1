"""Sends requests about a malicious project to `authflow lsp` and `authflow mcp`: .ci/editors/hostile.py PROGRAM FOLDER.
`.ci/check-trust` traces the servers and searches the output, so this script prints all messages."""
import json
import pathlib
import subprocess
import sys

from rpc import Server

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
private = ["../home/.netrc", "link.yaml", ".env", ".git/config", "sub/home/.netrc", "/etc/hostname", "pipe"]



def ask(method, params):
    """Prints the response, which may be an error."""
    print(lsp.answer(lsp.ask(method, params)))


lsp = Server(program, "lsp", folder=folder)
lsp.initialize(folder)
for path in sorted(folder.glob("*.yaml")):
    if path.is_symlink():
        continue
    uri = path.as_uri()
    text = path.read_text()
    lsp.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
    document = {"textDocument": {"uri": uri}}
    for line, content in enumerate(text.splitlines()):
        position = {"line": line, "character": len(content)}
        for request in ["completion", "hover", "definition"]:
            ask(f"textDocument/{request}", document | {"position": position})
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(text.splitlines()), "character": 0}}
    ask("textDocument/codeAction", document | {"range": whole, "context": {"diagnostics": []}})
    for request in ["documentLink", "codeLens", "documentSymbol"]:
        ask(f"textDocument/{request}", document)
    for command in ["authflow.run", "authflow.addScenarios"]:
        ask("workspace/executeCommand", {"command": command, "arguments": [uri]})
for path in private:
    uri = (folder / path).absolute().as_uri()
    ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}})
    ask("workspace/executeCommand", {"command": "authflow.run", "arguments": [uri]})
assert lsp.end() == 0

calls = [("validate", {"path": path}) for path in private] + [("run", {"path": path}) for path in private] + [
    ("validate", {"path": "."}), ("test", {"path": "."}), ("run", {"path": "w.yaml"}), ("explore", {"path": "w.yaml"}),
    ("settings", {"path": "link.yaml"}), ("run", {"path": "w.yaml", "live": True})]
messages = [("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})]
messages += [("tools/call", {"name": name, "arguments": arguments}) for name, arguments in calls]
text = "".join(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"
               for number, (method, params) in enumerate(messages))
mcp = subprocess.run([program, "mcp"], cwd=folder, input=text, capture_output=True, text=True, timeout=50)
print(mcp.stdout, mcp.stderr)
assert mcp.returncode == 0, mcp.returncode
assert len(mcp.stdout.splitlines()) == len(messages), "a response is missing"

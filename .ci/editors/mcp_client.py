#!/usr/bin/env python3
"""Tests `authflow mcp` with the official SDK: pip install mcp jsonschema; mcp_client.py PROGRAM [PROJECT]

PROJECT is a folder that contains `Workflows`. The default is the repository of this file.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

LIMIT = 256 * 1024
failures = []


def check(name, condition, detail=""):
    print(("ok " if condition else "not ok ") + name + ("" if condition else f"  # {str(detail)[:500]}"))
    if not condition:
        failures.append(name)


def size(result):
    return len(result.model_dump_json(by_alias=True, exclude_none=True))


def attribute(value, *names):
    """Returns the first attribute that exists: SDK versions use different letter case in names."""
    for name in names:
        if hasattr(value, name):
            return getattr(value, name)
    raise AttributeError(f"{names} of {type(value)}")


def is_error(result):
    return bool(attribute(result, "is_error", "isError"))


def structured(result):
    return attribute(result, "structured_content", "structuredContent")


def text(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


def prepare(folder, repository):
    root = folder / "project"
    root.mkdir()
    shutil.copytree(repository / "Workflows", root / "Workflows")
    (folder / "outside.yaml").write_text("authflow: 1\nsteps: [silent]\n")
    (root / "link.yaml").symlink_to("../outside.yaml")
    (root / "folder-link").symlink_to("..", target_is_directory=True)
    (root / ".env").write_text("PASSWORD=hunter2\n")
    (root / ".git").mkdir()
    (root / ".git/config").write_text("[remote]\n")
    (root / "bad.yaml").write_text("authflow: 1\nsteps: [silnet]\n")
    (root / "many").mkdir()
    for number in range(1500):
        (root / f"many/S{number}.yaml").write_text("AppId: no-guid\nGraphScopes: [User.Read]\n")
    return root


def snapshot(root):
    return sorted((str(path), path.lstat().st_mtime_ns) for path in root.rglob("*"))


async def check_tools(session, root):
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    names = {"validate", "run", "test", "explore", "explain", "diagnose", "settings", "graph"}
    check("all tools are listed", names <= set(tools), sorted(tools))
    for name, tool in tools.items():
        schema = attribute(tool, "input_schema", "inputSchema")
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator.check_schema(attribute(tool, "output_schema", "outputSchema"))
        check(f"{name} has a strict schema", schema.get("additionalProperties") is False)
        check(f"{name} has a title and annotations", tool.title and tool.annotations is not None and tool.description)

    async def call(name, arguments, error=False, contains=""):
        result = await session.call_tool(name, arguments)
        label = f"{name} {json.dumps(arguments)[:80]}"
        check(f"{label}: isError is {error}", is_error(result) == error, text(result))
        check(f"{label}: size", size(result) <= LIMIT, size(result))
        if contains:
            check(f"{label}: text contains {contains!r}", contains in text(result), text(result))
        if structured(result) is not None:
            output = attribute(tools[name], "output_schema", "outputSchema")
            jsonschema.validate(structured(result), output)
        return structured(result) or {}

    me = "Workflows/me.yaml"
    await call("validate", {"path": "Workflows"})
    await call("validate", {"path": "bad.yaml"}, True)
    await call("validate", {"text": "authflow: 1\nsteps: [silnet]\n"}, True)
    many = await call("validate", {"path": "many"}, True)
    check("a long list is truncated", many.get("truncated") is True and many.get("omitted", 0) > 0, list(many))
    await call("validate", {"text": "a" * 10_000_000})
    run = await call("run", {"path": me})
    check("run succeeds", run.get("succeeded") is True, run)
    test = await call("test", {"path": me})
    check("test passes", test["summary"]["failed"] == 0 and test["summary"]["total"] > 0, test["summary"])
    name = test["tests"][0]["name"]
    check("a scenario runs", (await call("run", {"path": me, "scenario": name})).get("succeeded") is True)
    await call("test", {"path": "Workflows"})
    await call("explore", {"path": me})
    await call("explain", {"query": "AADSTS50076"}, contains="AADSTS50076")
    await call("explain", {"query": me})
    await call("explain", {"query": "nosuchname"}, True, "unknown name")
    await call("settings", {"path": "Workflows/AuthSettings.plist"})
    for format in ["mermaid", "dot", "svg", "json"]:
        await call("graph", {"path": me, "format": format})
    for path in ["../outside.yaml", str(root.parent / "outside.yaml"), "/etc/passwd", "link.yaml", "folder-link/outside.yaml"]:
        await call("validate", {"path": path}, True, "outside")
    for path in [".env", ".git/config", "Workflows/../.env"]:
        await call("validate", {"path": path}, True, "credentials")
    await call("run", {"path": "Workflows/mee.yaml"}, True, "did you mean `Workflows/me.yaml`")
    await call("run", {"path": me, "live": True}, True, "--live")
    for name, arguments in [("none", {}), ("run", {}), ("run", {"path": 1}), ("run", {"path": me, "pth": 1})]:
        try:
            await session.call_tool(name, arguments)
            check(f"{name} {arguments} is rejected", False)
        except Exception as error:  # SDK versions have different error types.
            code = getattr(getattr(error, "error", None), "code", None)
            check(f"{name} {arguments} is rejected", code == -32602, error)


async def check_resources(session):
    resources = (await session.list_resources()).resources
    check("resources are listed", len(resources) > 50, len(resources))
    for resource in resources:
        result = await session.read_resource(resource.uri)
        check(f"read {resource.uri}", len(result.contents[0].text) > 0 and size(result) <= LIMIT, size(result))
        if str(resource.uri).startswith("authflow://schema/"):
            jsonschema.Draft202012Validator.check_schema(json.loads(result.contents[0].text))
    templates = attribute(await session.list_resource_templates(), "resource_templates", "resourceTemplates")
    check("templates are listed", len(templates) >= 2)
    uris = [str(resource.uri) for resource in resources]
    check("the trace is listed after a run", "authflow://trace/last" in uris)
    for uri in ["authflow://errors/AADSTS50076", "authflow://rules/app-id-placeholder"]:
        result = await session.read_resource(uri)
        check(f"read {uri}", len(result.contents[0].text) > 100)
    try:
        await session.read_resource("authflow://none")
        check("an unknown resource is rejected", False)
    except Exception as error:
        check("an unknown resource is rejected", getattr(getattr(error, "error", None), "code", None) == -32002, error)


async def check_prompts(session):
    prompts = (await session.list_prompts()).prompts
    names = {"fix-findings", "write-workflow", "explain-error", "add-scenarios", "review-registration"}
    check("all prompts are listed", names <= {prompt.name for prompt in prompts})
    for prompt in prompts:
        arguments = {argument.name: "Workflows/me.yaml" for argument in prompt.arguments}
        result = await session.get_prompt(prompt.name, arguments)
        check(f"prompt {prompt.name}", "Workflows/me.yaml" in result.messages[0].content.text)


def check_raw(program, root):
    """Sends lines that the SDK cannot send."""
    initialize = {
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
    }
    lines = [json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/list"}).encode(), json.dumps(initialize).encode()]
    lines += [b"{", b"\xff\xfe\x00", b"[" * 200_000, b"nul", b"[]", b"42", b"", b'{"jsonrpc":"2.0","id":null,"method":"ping"}']
    lines += [b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', b'{"jsonrpc":"2.0","id":"x","method":"none"}']
    lines += [b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}']
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run", "arguments": {"path": "Workflows/me.yaml"}}}
    lines.append(json.dumps(call).encode())
    result = subprocess.run([program, "mcp"], cwd=root, input=b"\n".join(lines) + b"\n", capture_output=True, timeout=120)
    messages = [json.loads(line) for line in result.stdout.splitlines()]
    ids = [message.get("id") for message in messages]
    codes = [message["error"]["code"] for message in messages if "error" in message]
    check("the server ends with status 0", result.returncode == 0, result.returncode)
    check("requests before initialize are rejected", -32600 in codes)
    check("malformed lines are parse errors", codes.count(-32700) == 4, codes)
    check("an unknown method is an error", -32601 in codes, codes)
    check("a running request is completed", any(message.get("id") == 2 and "result" in message for message in messages), ids)
    check("an ID can be a fraction", 1.5 in ids, ids)
    check("standard error is empty", not result.stderr, result.stderr)


def check_raw_envelope(program, root):
    """Sends requests without a handshake, as in protocol version 2026-07-28."""
    key = "io.modelcontextprotocol/"
    meta = {key + "protocolVersion": "2026-07-28", key + "clientCapabilities": {}}
    requests = [
        ("server/discover", {}, meta), ("tools/list", {}, meta),
        ("tools/call", {"name": "explain", "arguments": {"query": "AADSTS50076"}}, meta),
        ("tools/list", {}, meta | {key + "protocolVersion": "2099-01-01"}), ("tools/list", {}, {}),
    ]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params | {"_meta": meta}})
        for id, (method, params, meta) in enumerate(requests)
    ]
    result = subprocess.run(
        [program, "mcp"], cwd=root, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=120)
    messages = {message["id"]: message for message in map(json.loads, result.stdout.splitlines())}
    check("discovery lists the version", messages[0]["result"]["supportedVersions"] == ["2026-07-28"], messages[0])
    check("results are complete", all(messages[id]["result"]["resultType"] == "complete" for id in range(3)))
    check("an unknown version is rejected", messages[3]["error"]["code"] == -32022, messages[3])
    check("a request without a version is rejected", messages[4]["error"]["code"] == -32600, messages[4])


async def main():
    program = os.path.abspath(sys.argv[1])
    repository = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[2]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        root = prepare(folder, repository)
        before = snapshot(folder)
        home = folder.parent / (folder.name + "-home")
        environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
        parameters = StdioServerParameters(command=program, args=["mcp"], cwd=str(root), env=environment)
        async with stdio_client(parameters) as (read, write):
            async with ClientSession(read, write) as session:
                result = await session.initialize()
                server = attribute(result, "server_info", "serverInfo")
                check("initialize", server.name == "authflow" and result.instructions)
                await check_tools(session, root)
                await check_resources(session)
                await check_prompts(session)
        check_raw_envelope(program, root)
        check_raw(program, root)
        check("no files changed", snapshot(folder) == before)
        check("no state was saved", not home.exists())
    print(f"{len(failures)} failed" if failures else "all passed")
    sys.exit(1 if failures else 0)


asyncio.run(main())

"""Checks the files in Editors/ that no client here loads, and the code blocks in a guide page: .ci/editors/configurations.py PAGE

AUTHFLOW is the program. A block in the page must be a part of the file to which it belongs.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import jsonschema

from results import ROOT, Client, Project

EDITORS = ROOT / "Editors"
PROGRAM = os.environ["AUTHFLOW"]
tests = Client("configurations", limit=60)


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **options)
    return done.returncode, done.stdout


def contains(whole, part):
    """Whether a value contains another value: members of objects, and elements of lists in the same order."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and contains(whole[key], value) for key, value in part.items())
    if isinstance(part, list) and part and isinstance(part[0], dict):
        rest = iter(whole)
        return all(any(contains(element, wanted) for element in rest) for wanted in part)
    return whole == part


@tests.feature("code blocks of the page")
async def blocks():
    page = pathlib.Path(sys.argv[1]).read_text("utf-8")

    def block(info):
        found = re.search(rf"^```{re.escape(info)}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        assert found, f"no block `{info}`"
        return found[1]

    for info, name, load in (("toml helix", "helix/languages.toml", tomllib.loads), ("json kate", "kate/lspclient.json", json.loads)):
        assert contains(load((EDITORS / name).read_text("utf-8")), load(block(info))), f"block `{info}` is not a part of {name}"
    with Project() as project:
        (project.work / "init.lua").write_text(block("lua neovim"))
        (project.work / "init.el").write_text(block("lisp emacs"))
        environment = {**project.environment, "PATH": os.environ["PATH"]}
        status, output = run("nvim", "--headless", "--clean", "--cmd", f"set runtimepath^={EDITORS}/neovim", "-c",
                             f"luafile {project.work}/init.lua", "-c", "quitall", env=environment)
        assert (status, output) == (0, ""), (status, output)
        status, output = run("emacs", "-q", "--batch", "--eval", "(package-activate-all)", "-L", str(EDITORS / "emacs"), "-l",
                             str(project.work / "init.el"), "--eval", '(unless (featurep (quote authflow)) (kill-emacs 3))', env=environment)
        assert status == 0, (status, output)


@tests.feature("helix")
async def helix():
    value = tomllib.loads((EDITORS / "helix/languages.toml").read_text("utf-8"))
    assert value["language-server"]["authflow"] == {"command": "authflow", "args": ["lsp"]}
    for language in value["language"]:
        assert set(language) <= {"name", "language-servers", "debugger", "file-types"}, language
        assert "authflow" in language["language-servers"]
        for template in language.get("debugger", {}).get("templates", []):
            places = set(re.findall(r"\{(\d)\}", json.dumps(template["args"])))
            assert places == {str(index) for index in range(len(template["completion"]))}, template


@tests.feature("kate")
async def kate():
    servers = json.loads((EDITORS / "kate/lspclient.json").read_text("utf-8"))["servers"]
    for server in servers.values():
        assert set(server) == {"command", "rootIndicationFileNames", "highlightingModeRegex"} and server["command"] == ["authflow", "lsp"]
    adapter = json.loads((EDITORS / "kate/dap.json").read_text("utf-8"))["dap"]["authflow"]
    assert adapter["run"]["command"] == ["authflow", "dap"]
    assert all(item["request"]["command"] == "launch" for item in adapter["configurations"].values())


@tests.feature("zed")
async def zed():
    extension = tomllib.loads((EDITORS / "zed/extension.toml").read_text("utf-8"))
    cargo = tomllib.loads((EDITORS / "zed/Cargo.toml").read_text("utf-8"))
    assert cargo["package"]["version"] == extension["version"] and cargo["lib"]["crate-type"] == ["cdylib"]
    schema = json.loads((EDITORS / "zed" / extension["debug_adapters"]["authflow"]["schema_path"]).read_text("utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    assert validator.is_valid({"program": "me.yaml", "scenario": "first run"}) and not validator.is_valid({"scenario": 3})


@tests.feature("xcode")
async def xcode():
    server = json.loads((EDITORS / "xcode/mcp.json").read_text("utf-8"))["mcpServers"]["authflow"]
    assert server == {"command": "authflow", "args": ["mcp"]}, server
    script = EDITORS / "xcode/authflow-validate.sh"
    with Project() as project:
        folder = project.work / "bin"
        folder.mkdir()
        environment = {**project.environment, "SRCROOT": str(project.folder), "PATH": f"{folder}:/usr/bin:/bin"}
        status, output = run("sh", script, env=environment)
        assert status == 0 and output.startswith("warning: authflow is not installed"), (status, output)
        (folder / "authflow").symlink_to(PROGRAM)
        project.write("me.yaml", project.text("me.yaml").replace("- silent\n", "- silnt\n"))
        status, output = run("sh", script, env=environment)
        place = re.escape(str(project.path("me.yaml")))
        assert status == 1 and re.search(rf"^{place}:\d+:\d+: error: .*silnt", output, re.MULTILINE), (status, output[:500])


@tests.feature("vscode")
async def vscode():
    status, output = run("node", "--test", str(EDITORS / "vscode/test/extension.test.js"))
    assert status == 0, output[-2000:]
    for count in range(int(re.search(r"# pass (\d+)", output)[1]) - 1):
        tests.report(f"vscode {count + 1}")


@tests.feature("vscode schemas")
async def schemas():
    with Project() as project:
        copy = project.work / "vscode"
        shutil.copytree(EDITORS / "vscode", copy, ignore=shutil.ignore_patterns("node_modules", "schemas"))
        status, output = run("node", str(copy / "scripts/schemas.js"), env={**project.environment, "AUTHFLOW": PROGRAM, "PATH": os.environ["PATH"]})
        assert status == 0, output
        contributes = json.loads((copy / "package.json").read_text("utf-8"))["contributes"]
        for entry in contributes["yamlValidation"] + contributes["jsonValidation"]:
            jsonschema.Draft202012Validator.check_schema(json.loads((copy / entry["url"]).read_text("utf-8")))


@tests.feature("vscode problem matcher")
async def matcher():
    pattern = json.loads((EDITORS / "vscode/package.json").read_text("utf-8"))["contributes"]["problemMatchers"][0]["pattern"]
    with Project() as project:
        project.write("me.yaml", project.text("me.yaml").replace("- silent\n", "- silnt\n"))
        _, output = run(PROGRAM, "validate", "me.yaml", cwd=project.folder, env=project.environment)
        found = [match for match in map(re.compile(pattern["regexp"]).match, output.splitlines()) if match]
        assert any("silnt" in match[pattern["message"]] and match[pattern["file"]] == "me.yaml" for match in found), output


tests.main(at_once=1)

"""Tests diagnostics, fixes, and position encodings."""
import asyncio
import re

from lsprotocol import types

from lsp_tests import SCENARIOS, WORKFLOW, errors, session, small, span, tests


@tests.feature("published diagnostics")
async def published(project):
    async with await session(project).start() as editor:
        source = editor.open("me.yaml", project.text("me.yaml").replace("- silent\n", "- silnt\n"))
        found = await editor.diagnostics("me.yaml", errors)
        problem = next(item for item in errors(found) if "silnt" in item.message)
        assert source.part(*span(problem)) == "silnt", span(problem)
        assert problem.source == "authflow" and problem.code and problem.code_description.href.startswith("https://"), problem
        assert found == sorted(found, key=lambda item: span(item)), "not in text order"
        editor.replace("me.yaml", "silnt", "silent")
        assert errors(await editor.diagnostics("me.yaml")) == []
        assert [version for version, _ in editor.published[project.uri("me.yaml")]] == [1, 2]
        # Closing the document leaves the diagnostics of the file on disk.
        editor.close("me.yaml")
        await editor.diagnostics("me.yaml", lambda found: not errors(found))


@tests.feature("requested diagnostics")
async def requested(project):
    small(project)
    async with await session(project).start(pulls=True) as editor:
        editor.open("me.yaml", project.text("me.yaml").replace("- silent\n", "- silnt\n"))
        report = await editor.pull("me.yaml")
        assert any("silnt" in item.message for item in report.items), report.items
        same = await editor.pull("me.yaml", report.result_id)
        assert same.kind == types.DocumentDiagnosticReportKind.Unchanged and same.result_id == report.result_id, same
        editor.replace("me.yaml", "silnt", "silent")
        report = await editor.pull("me.yaml", report.result_id)
        assert errors(report.items) == [], report.items
        assert not editor.published, "diagnostics are also published to a client that requests them"
        # A file that is not open has findings while another file has errors.
        editor.open("small.yaml", WORKFLOW.replace("id: quiet", "id: hushed"))
        scenarios = project.uri("small.scenarios.yaml")
        items = {item.uri: item for item in await whole(editor)}
        assert errors(items[scenarios].items), items.keys()
        editor.change("small.yaml", WORKFLOW)
        items = {item.uri: item for item in await whole(editor, items)}
        assert scenarios in items and not errors(items[scenarios].items), items.get(scenarios)


async def whole(editor, previous=None):
    """Returns the diagnostics of all files."""
    known = [types.PreviousResultId(uri, item.result_id) for uri, item in (previous or {}).items()]
    return (await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous_result_ids=known))).items


@tests.feature("diagnostics across files")
async def across(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.scenarios.yaml")
        assert errors(await editor.diagnostics("small.scenarios.yaml")) == []
        editor.open("small.yaml")
        await editor.diagnostics("small.yaml")
        editor.replace("small.yaml", "id: quiet", "id: hushed")
        found = await editor.diagnostics("small.scenarios.yaml", errors)
        assert any("quiet" in item.message for item in errors(found)), found
        editor.replace("small.yaml", "id: hushed", "id: quiet")
        await editor.diagnostics("small.scenarios.yaml", lambda found: not errors(found))


@tests.feature("diagnostics for unsaved text")
async def unsaved(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("new.scenarios.yaml", SCENARIOS.replace("quiet", "loud"))
        assert "loud" in str(await editor.diagnostics("new.scenarios.yaml", errors))
        # The file on disk has errors, but the open text does not.
        project.write("small.yaml", WORKFLOW.replace("silent:", "silnt:"))
        editor.open("small.yaml", WORKFLOW)
        assert errors(await editor.diagnostics("small.yaml")) == []
        editor.close("small.yaml")
        assert "silnt" in str(await editor.diagnostics("small.yaml", errors))


@tests.feature("diagnostics after quick typing")
async def typing(project):
    good = project.text("me.yaml")
    wrong = good.replace("- silent\n", "- silnt\n")
    async with await session(project).start() as editor:
        editor.open("me.yaml", good)
        await editor.diagnostics("me.yaml")
        for number in range(60):
            editor.change("me.yaml", wrong if number % 2 == 0 else good)
            if number % 7 == 0:
                await asyncio.sleep(0.01)
        await editor.diagnostics("me.yaml")
        published = editor.published[project.uri("me.yaml")]
        versions = [version for version, _ in published]
        assert versions == sorted(versions) and versions[-1] == 61, versions
        for version, found in published:
            assert bool(errors(found)) == (version % 2 == 0), f"the diagnostics of version {version} belong to another text"


@tests.feature("quick fixes")
async def fixes(project):
    async with await session(project).start() as editor:
        editor.open("me.yaml", project.text("me.yaml").replace("callGraph: /me", "callGraf: /me"))
        problem = errors(await editor.diagnostics("me.yaml", errors))[0]
        found = await editor.actions("me.yaml", span(problem), [types.CodeActionKind.QuickFix], [problem])
        assert found and all(action.kind.startswith("quickfix") for action in found), found
        fix = next(action for action in found if action.is_preferred)
        assert any(item.message == problem.message for item in fix.diagnostics), fix
        await editor.perform(fix)
        assert editor.text("me.yaml") == project.text("me.yaml")
        assert errors(await editor.diagnostics("me.yaml")) == []


@tests.feature("suggested names")
async def suggested(project):
    small(project)
    async with await session(project).start() as editor:
        source = editor.open("small.scenarios.yaml", SCENARIOS.replace("quiet.success", "quite.success"))
        problem = errors(await editor.diagnostics("small.scenarios.yaml", errors))[0]
        assert source.part(*span(problem)).startswith("quite"), source.part(*span(problem))
        fix = next(action for action in await editor.actions("small.scenarios.yaml", span(problem)) if "`quiet`" in action.title or "quiet" in action.title)
        await editor.perform(fix)
        assert editor.text("small.scenarios.yaml") == SCENARIOS


@tests.feature("suppression")
async def suppression(project):
    settings = re.sub(r"<string>[0-9a-f-]{36}</string>", "<string>00000000-0000-0000-0000-000000000000</string>", project.text("AuthSettings.plist"))
    assert settings != project.text("AuthSettings.plist")
    async with await session(project).start() as editor:
        editor.open("AuthSettings.plist", settings)
        problem = (await editor.diagnostics("AuthSettings.plist", lambda found: found))[0]
        found = await editor.actions("AuthSettings.plist", span(problem), None, [problem])
        action = next(action for action in found if re.match("Ignore|Suppress", action.title) and problem.code in action.title)
        await editor.perform(action)
        assert f"authflow:ignore {problem.code}" in editor.text("AuthSettings.plist"), editor.text("AuthSettings.plist")
        remaining = await editor.diagnostics("AuthSettings.plist")
        assert problem.code not in [item.code for item in remaining], remaining


@tests.feature("fix all")
async def fix_all(project):
    wrong = project.text("me.yaml").replace("settings:", "setings:").replace("name:", "nmae:")
    async with await session(project).start() as editor:
        source = editor.open("me.yaml", wrong)
        await editor.diagnostics("me.yaml", errors)
        everything = ((0, 0), source.at(len(wrong)))
        for kind in ("source.fixAll", "source.fixAll.authflow"):
            found = await editor.actions("me.yaml", everything, [kind])
            assert [action.kind for action in found] == ["source.fixAll.authflow"], found
        await editor.perform(found[0])
        assert editor.text("me.yaml") == project.text("me.yaml")
        assert errors(await editor.diagnostics("me.yaml")) == []


@tests.feature("missing scenarios")
async def missing(project):
    text = WORKFLOW.partition("\nscenarios:")[0] + "\n"
    async with await session(project).start() as editor:
        source = editor.open("lonely.yaml", text)
        project.write("lonely.yaml", text)
        await editor.diagnostics("lonely.yaml")
        found = await editor.actions("lonely.yaml", ((0, 0), source.at(len(text))))
        action = next((action for action in found if re.search("scenario", action.title, re.IGNORECASE)), None)
        assert action, [action.title for action in found]
        await editor.perform(action)
        added = await editor.until(lambda: written(editor, "lonely.yaml", text), "added scenarios")
        assert "quiet" in added and "expect:" in added, added
        assert errors(await editor.diagnostics("lonely.yaml")) == []


async def written(editor, name, before):
    """Returns the text of a workflow and its scenarios file if it differs from the previous text."""
    text = editor.text(name)
    other = editor.project.path(name.replace(".yaml", ".scenarios.yaml"))
    return text != before and text + (other.read_text("utf-8") if other.exists() else "")


@tests.feature("position encodings")
async def encodings(project):
    small(project)
    text = WORKFLOW.replace("{ who: $.displayName }", '{ "é😀": $.id, who: $.disp, "\\u00e9": "$.😀x" }')
    for encoding in ("utf-8", "utf-16", "utf-32"):
        async with await session(project, encoding=encoding).start() as editor:
            assert editor.capabilities.position_encoding == encoding, editor.capabilities.position_encoding
            editor.open("small.yaml", "# é😀\n" + text.replace("name: Small", 'name: "😀 é", setings: 1'))
            editor.change("small.yaml", "# é😀\n" + text.replace("- loadAccount", '- { description: "é😀", loadAcount: }'))
            source = editor.source("small.yaml")
            found = errors(await editor.diagnostics("small.yaml", errors))
            problem = next(item for item in found if "loadAcount" in item.message)
            assert source.part(*span(problem)) == "loadAcount", (encoding, source.part(*span(problem)))
            # Makes an incremental change after characters that consist of several code units.
            editor.replace("small.yaml", "loadAcount", "loadAccount")
            await editor.diagnostics("small.yaml", lambda found: not any("loadAcount" in item.message for item in found))
    # UTF-16 is the default.
    def without(capabilities):
        capabilities.general.position_encodings = None

    async with await session(project).start(adjust=without) as editor:
        assert editor.capabilities.position_encoding in (None, "utf-16")

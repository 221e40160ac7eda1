"""Tests `authflow lsp` with pytest-lsp's client: .ci/editors/lsp_client.py PROGRAM [FEATURE…]

The client has the capabilities of Visual Studio Code, and lsprotocol checks the structure of every message.
"""
import asyncio
import re
import sys

from lsprotocol import types

from lsp_session import Session
from results import Client, Project
from texts import Text, edited, position

tests = Client("pytest-lsp", limit=30)
PROGRAM = sys.argv[1]

WORKFLOW = """\
authflow: 1
name: Small
settings: AuthSettings.plist
steps:
  - loadAccount
  - id: quiet
    silent:
  - id: ask
    interactive-fallback:
  - id: profile
    callGraph: /me
    capture: { who: $.displayName }

scenarios: small.scenarios.yaml
"""
SCENARIOS = """\
authflow: 1
workflow: small.yaml
scenarios:
  first run:
    expect:
      path: [loadAccount.notFound, ask.success, profile.success]
      ask.screens: [username, password, consent]
      interactions: 1
  returning user:
    given: [signedIn: megan@contoso.com]
    expect:
      path: [loadAccount.found, quiet.success, ask.skipped, profile.success]
      quiet.tokenSource: cache
"""
ERROR = types.DiagnosticSeverity.Error


def session(project, **options):
    return Session(PROGRAM, project, **options)


def errors(found):
    return [item for item in found if item.severity == ERROR]


def span(item):
    return position(item.range.start), position(item.range.end)


def start_line(item):
    return item.range.start.line


def small(project):
    project.write("small.yaml", WORKFLOW)
    project.write("small.scenarios.yaml", SCENARIOS)


def documentation(value):
    """The text of a hover or of the documentation of a completion item."""
    if isinstance(value, list):
        return "\n".join(map(documentation, value))
    return value if isinstance(value, str) else value.value


# --- Diagnostics and fixes --------------------------------------------------------------------------------------------

@tests.feature("published diagnostics")
async def published(project):
    async with await session(project).start() as editor:
        source = editor.open("me.yaml", project.text("me.yaml").replace("- silent\n", "- silnt\n"))
        found = await editor.diagnostics("me.yaml", errors)
        problem = next(item for item in errors(found) if "silnt" in item.message)
        assert source.part(*span(problem)) == "silnt", span(problem)
        assert problem.source == "authflow" and problem.code and problem.code_description.href.startswith("https://"), problem
        assert found == sorted(found, key=lambda item: span(item)), "not in the order of the text"
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
        # A file that is not open has findings while another file is wrong.
        editor.open("small.yaml", WORKFLOW.replace("id: quiet", "id: hushed"))
        scenarios = project.uri("small.scenarios.yaml")
        items = {item.uri: item for item in await whole(editor)}
        assert errors(items[scenarios].items), items.keys()
        editor.change("small.yaml", WORKFLOW)
        items = {item.uri: item for item in await whole(editor, items)}
        assert scenarios in items and not errors(items[scenarios].items), items.get(scenarios)


async def whole(editor, previous=None):
    """The diagnostics of all files."""
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


@tests.feature("diagnostics of unsaved text")
async def unsaved(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("new.scenarios.yaml", SCENARIOS.replace("quiet", "loud"))
        assert "loud" in str(await editor.diagnostics("new.scenarios.yaml", errors))
        # The file on disk is wrong, and the open text is not.
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
    """The text of a workflow and of its scenarios file, if it differs from the text before."""
    text = editor.text(name)
    other = editor.project.path(name.replace(".yaml", ".scenarios.yaml"))
    return text != before and text + (other.read_text("utf-8") if other.exists() else "")


# --- Editing ----------------------------------------------------------------------------------------------------------

@tests.feature("completion")
async def completion(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.yaml", WORKFLOW.replace("  - id: ask\n", "  - sil\n  - id: ask\n"))
        items = await completed(editor, "small.yaml", "- sil")
        assert {"silent", "callGraph"} & set(items) == {"silent"} or "silent" in items, sorted(items)[:20]
        text = edited(editor.text("small.yaml"), [items["silent"].text_edit])
        assert "  - silent" in text, text
        item = await editor.client.completion_item_resolve_async(items["silent"]) if not items["silent"].documentation else items["silent"]
        assert documentation(item.documentation), item
        # Outcomes of a step, steps, and keys.
        editor.change("small.yaml", WORKFLOW.replace("    silent:\n", "    silent:\n    on:\n      \n"))
        assert "interactionRequired" in await completed(editor, "small.yaml", "on:\n      ")
        editor.change("small.yaml", WORKFLOW.replace("    silent:\n", "    silent:\n    on: { interactionRequired: }\n"))
        assert {"ask", "profile", "next", "end"} <= set(await completed(editor, "small.yaml", "interactionRequired: "))
        editor.open("small.scenarios.yaml", SCENARIOS + "      quiet.\n")
        assert "tokenSource" in " ".join(await completed(editor, "small.scenarios.yaml", "      quiet.", occurrence=1))


async def completed(editor, name, before, occurrence=0):
    """The completion items after a piece of text, by label."""
    place = editor.source(name).position(before, after=True, occurrence=occurrence)
    found = await editor.client.text_document_completion_async(types.CompletionParams(editor.identifier(name), types.Position(*place)))
    return {item.label: item for item in (found.items if isinstance(found, types.CompletionList) else found or [])}


@tests.feature("hover")
async def hover(project):
    async with await session(project).start() as editor:
        for name, word in (("me.yaml", "interactive-fallback"), ("me.scenarios.yaml", "AADSTS50173"), ("AuthSettings.plist", "User.Read")):
            source = editor.open(name)
            occurrence = 1 if name == "me.yaml" else 0
            place = source.position(word, occurrence=occurrence)
            found = await editor.client.text_document_hover_async(types.HoverParams(editor.identifier(name), types.Position(place[0], place[1] + 2)))
            assert found, f"no hover for {word} in {name}"
            assert word in documentation(found.contents), found.contents
            assert found.range is None or word in source.part(*span(found)), source.part(*span(found))


def at(editor, name, needle, kind=types.TextDocumentPositionParams, occurrence=0, **more):
    place = editor.source(name).position(needle, occurrence=occurrence)
    return kind(text_document=editor.identifier(name), position=types.Position(*place), **more)


def target(found):
    """The locations in the result of a request as (URI, start line)."""
    found = found if isinstance(found, (list, tuple)) else [found]
    return [(item.target_uri, item.target_selection_range.start.line) if isinstance(item, types.LocationLink) else (item.uri, item.range.start.line)
            for item in found if item]


@tests.feature("definition")
async def definition(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.scenarios.yaml")
        found = await editor.client.text_document_definition_async(at(editor, "small.scenarios.yaml", "quiet.success", types.DefinitionParams))
        assert target(found) == [(project.uri("small.yaml"), 5)], found
        found = await editor.client.text_document_definition_async(at(editor, "small.scenarios.yaml", "small.yaml", types.DefinitionParams))
        assert [uri for uri, _ in target(found)] == [project.uri("small.yaml")], found


@tests.feature("references")
async def references(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.yaml")
        for declared in (True, False):
            found = await editor.client.text_document_references_async(
                at(editor, "small.yaml", "quiet", types.ReferenceParams, context=types.ReferenceContext(include_declaration=declared)))
            places = {(editor.name_of(uri), line) for uri, line in target(found)}
            assert places == {("small.scenarios.yaml", 11), ("small.scenarios.yaml", 12)} | ({("small.yaml", 5)} if declared else set()), places


@tests.feature("rename")
async def rename(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.yaml")
        place = await editor.client.text_document_prepare_rename_async(at(editor, "small.yaml", "quiet", types.PrepareRenameParams))
        part = place if isinstance(place, types.Range) else place.range
        assert editor.source("small.yaml").part(position(part.start), position(part.end)) == "quiet", place
        edit = await editor.client.text_document_rename_async(at(editor, "small.yaml", "quiet", types.RenameParams, new_name="hushed"))
        editor.apply(edit)
        assert editor.text("small.yaml") == WORKFLOW.replace("quiet", "hushed")
        assert project.text("small.scenarios.yaml") == SCENARIOS.replace("quiet", "hushed")
        assert errors(await editor.diagnostics("small.yaml")) == []
        for name in ("ask", ""):
            try:
                await editor.client.text_document_rename_async(at(editor, "small.yaml", "hushed", types.RenameParams, new_name=name))
            except Exception as error:
                assert getattr(error, "code", None) in (-32602, -32803), error
            else:
                raise AssertionError(f"`hushed` is renamed to `{name}`")


@tests.feature("highlights")
async def highlights(project):
    small(project)
    async with await session(project).start() as editor:
        source = editor.open("small.scenarios.yaml")
        found = await editor.client.text_document_document_highlight_async(at(editor, "small.scenarios.yaml", "quiet.", types.DocumentHighlightParams))
        assert sorted(map(start_line, found)) == [11, 12], found
        assert all(source.part(*span(item)) == "quiet" for item in found), found


def flattened(symbols):
    for symbol in symbols or []:
        yield symbol
        yield from flattened(getattr(symbol, "children", None))


@tests.feature("document symbols")
async def document_symbols(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.yaml")
        found = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.identifier("small.yaml")))
        names = [symbol.name for symbol in flattened(found)]
        assert all(any(step in name for name in names) for step in ("loadAccount", "quiet", "ask", "profile")), names
        for symbol in flattened(found):
            inner, outer = symbol.selection_range, symbol.range
            assert position(outer.start) <= position(inner.start) and position(inner.end) <= position(outer.end), symbol
        # JSON and property lists too.
        for name in ("calendar.json", "sign-out.plist"):
            editor.open(name)
            assert await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.identifier(name))), name


@tests.feature("workspace symbols")
async def workspace_symbols(project):
    small(project)
    async with await session(project).start() as editor:
        found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query="quiet"))
        assert any(symbol.name == "quiet" and symbol.location.uri == project.uri("small.yaml") for symbol in found), found
        found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query="second account"))
        assert any(symbol.location.uri == project.uri("me.scenarios.yaml") for symbol in found), found


@tests.feature("folding")
async def folding(project):
    async with await session(project).start() as editor:
        editor.open("me.scenarios.yaml")
        found = await editor.client.text_document_folding_range_async(types.FoldingRangeParams(editor.identifier("me.scenarios.yaml")))
        line = editor.source("me.scenarios.yaml").position("  first run:")[0]
        assert any(item.start_line == line and item.end_line > line for item in found), found[:5]
        assert all(item.start_line < item.end_line for item in found), "a range that does not fold a line"


@tests.feature("selection ranges")
async def selection(project):
    async with await session(project).start() as editor:
        source = editor.open("me.scenarios.yaml")
        place = source.position("silent.tokenSource")
        found = await editor.client.text_document_selection_range_async(
            types.SelectionRangeParams(editor.identifier("me.scenarios.yaml"), [types.Position(*place)]))
        step, parts = found[0], []
        while step:
            parts.append(source.part(*span(step)))
            step = step.parent
        assert len(parts) > 3 and all(inner in outer and inner != outer for inner, outer in zip(parts, parts[1:])), [part[:40] for part in parts]
        assert "returning user" in parts[-1]


@tests.feature("links")
async def links(project):
    async with await session(project).start() as editor:
        source = editor.open("me.yaml")
        found = await editor.client.text_document_document_link_async(types.DocumentLinkParams(editor.identifier("me.yaml")))
        targets = {source.part(*span(link)): link.target or (await editor.client.document_link_resolve_async(link)).target for link in found}
        for name in ("AuthSettings.plist", "me.scenarios.yaml"):
            assert targets.get(name) == project.uri(name), targets


@tests.feature("semantic tokens")
async def tokens(project):
    small(project)
    async with await session(project).start() as editor:
        source = editor.open("small.yaml")
        legend = editor.capabilities.semantic_tokens_provider.legend.token_types
        found = await editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(editor.identifier("small.yaml")))
        line, character, words = 0, 0, {}
        assert len(found.data) % 5 == 0 and found.data, found
        for index in range(0, len(found.data), 5):
            lines, characters, length, kind, _ = found.data[index:index + 5]
            assert lines or characters or not index, "two tokens at one position"
            line, character = (line + lines, characters) if lines else (line, character + characters)
            words[source.part((line, character), (line, character + length))] = legend[kind]
        assert words.get("silent") == "keyword" and words.get("quiet") == "function", words
        part = await editor.client.text_document_semantic_tokens_range_async(
            types.SemanticTokensRangeParams(editor.identifier("small.yaml"), editor.range_of((4, 0), (7, 0))))
        assert 0 < len(part.data) < len(found.data)


@tests.feature("inlay hints")
async def hints(project):
    small(project)
    async with await session(project).start() as editor:
        count = 0
        for name in ("AuthSettings.plist", "small.yaml"):
            source = editor.open(name)
            end = source.at(len(source.text))
            found = await hints_in(editor, name, (0, 0), end)
            for hint in found:
                source.index(*position(hint.position))
            lines = sorted(hint.position.line for hint in found)
            if lines:
                part = await hints_in(editor, name, (lines[0], 0), (lines[0] + 1, 0))
                assert {hint.position.line for hint in part} == {lines[0]}, part
            count += len(found)
        assert count > 0, "no inlay hints"


async def hints_in(editor, name, start, end):
    return await editor.client.text_document_inlay_hint_async(types.InlayHintParams(editor.identifier(name), editor.range_of(start, end))) or []


@tests.feature("formatting")
async def formatting(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.yaml", WORKFLOW.replace("callGraph: /me", "callGraph:    /me  ").replace("{ who:", "{who:"))
        options = types.FormattingOptions(tab_size=2, insert_spaces=True)

        async def format():
            return await editor.client.text_document_formatting_async(types.DocumentFormattingParams(editor.identifier("small.yaml"), options))

        edits = await format()
        editor.change("small.yaml", edited(editor.text("small.yaml"), edits))
        assert editor.text("small.yaml") == WORKFLOW, editor.text("small.yaml")
        assert not await format(), "formatting is not idempotent"
        editor.change("small.yaml", WORKFLOW.replace("{ who", "{  who").replace("steps:\n", "steps: [\n"))
        assert not await format(), "a document with syntax errors is formatted"


# --- Scenarios --------------------------------------------------------------------------------------------------------

def result_of(value):
    assert isinstance(value, dict) or hasattr(value, "status"), value
    return value["status"] if isinstance(value, dict) else value.status


async def marks(editor, name, line):
    """The lenses and inlay hints at a line that begin with ✓ or ✗."""
    source = editor.source(name)
    texts = [lens.command.title for lens in await editor.lenses(name) if lens.range.start.line == line]
    if editor.capabilities.inlay_hint_provider:
        for hint in await hints_in(editor, name, (0, 0), source.at(len(source.text))):
            if hint.position.line == line:
                texts.append(hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label))
    return [text.strip() for text in texts if text.strip()[:1] in ("✓", "✗")]


async def marked(editor, name, line, mark):
    async def look():
        found = await marks(editor, name, line)
        return [text for text in found if text.startswith(mark)]

    return await editor.until(look, f"{mark} at line {line} of {name}")


@tests.feature("code lenses")
async def code_lenses(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.scenarios.yaml")
        for line in (3, 8):
            for title in ("Run", "Debug", "Report"):
                lens = await editor.lens("small.scenarios.yaml", title, line)
                assert lens.command.command in editor.capabilities.execute_command_provider.commands


@tests.feature("run a scenario")
async def run(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.scenarios.yaml")
        lens = await editor.lens("small.scenarios.yaml", "Run", 3)
        assert result_of(await editor.command(lens.command)) == "passed"
        # The unsaved text runs.
        editor.replace("small.scenarios.yaml", "interactions: 1", "interactions: 7")
        lens = await editor.lens("small.scenarios.yaml", "Run", 3)
        assert result_of(await editor.command(lens.command)) == "failed"


@tests.feature("results in the text")
async def results(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.scenarios.yaml")
        assert await marks(editor, "small.scenarios.yaml", 3) == []
        await editor.command((await editor.lens("small.scenarios.yaml", "Run", 3)).command)
        await marked(editor, "small.scenarios.yaml", 3, "✓")
        assert await marks(editor, "small.scenarios.yaml", 8) == []
        editor.replace("small.scenarios.yaml", "interactions: 1", "interactions: 7")
        await editor.command((await editor.lens("small.scenarios.yaml", "Run", 3)).command)
        await marked(editor, "small.scenarios.yaml", 3, "✗")


@tests.feature("failed expectations")
async def failed(project):
    small(project)
    async with await session(project).start() as editor:
        name = "small.scenarios.yaml"
        source = editor.open(name, SCENARIOS.replace("interactions: 1", "interactions: 7"))
        line = source.position("interactions: 7")[0]
        await editor.command((await editor.lens(name, "Run", 3)).command)
        found = await editor.diagnostics(name, lambda found: any(start_line(item) == line for item in errors(found)))
        problem = next(item for item in errors(found) if start_line(item) == line)
        assert problem.source == "authflow" and "1" in problem.message, problem
        # The failure stays until the expectation passes.
        editor.change(name, editor.text(name) + "# A comment.\n")
        await editor.diagnostics(name, lambda found: any(start_line(item) == line for item in errors(found)))
        editor.replace(name, "interactions: 7", "interactions: 1")
        await editor.command((await editor.lens(name, "Run", 3)).command)
        await editor.diagnostics(name, lambda found: not errors(found))


@tests.feature("runs after saving")
async def after_saving(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.yaml")
        editor.open("small.scenarios.yaml")
        await editor.command((await editor.lens("small.scenarios.yaml", "Run", 3)).command)
        await marked(editor, "small.scenarios.yaml", 3, "✓")
        editor.replace("small.yaml", "callGraph: /me", "callGraph: /me/nothing")
        editor.save("small.yaml")
        await marked(editor, "small.scenarios.yaml", 3, "✗")
        await editor.diagnostics("small.scenarios.yaml", errors)
        editor.replace("small.yaml", "callGraph: /me/nothing", "callGraph: /me")
        editor.save("small.yaml")
        await marked(editor, "small.scenarios.yaml", 3, "✓")
        await editor.diagnostics("small.scenarios.yaml", lambda found: not errors(found))


# --- Protocol ---------------------------------------------------------------------------------------------------------

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
            # An incremental change after characters with several units.
            editor.replace("small.yaml", "loadAcount", "loadAccount")
            await editor.diagnostics("small.yaml", lambda found: not any("loadAcount" in item.message for item in found))
    # UTF-16 is the default.
    def without(capabilities):
        capabilities.general.position_encodings = None

    async with await session(project).start(adjust=without) as editor:
        assert editor.capabilities.position_encoding in (None, "utf-16")


tests.main(sys.argv[2:])

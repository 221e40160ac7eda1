"""Tests completion, hover, navigation, structure, and formatting."""
from lsprotocol import types

from lsp_tests import SCENARIOS, WORKFLOW, documentation, errors, hints_in, session, small, span, start_line, tests
from texts import edited, position


@tests.feature("completion")
async def completion(project):
    small(project)
    async with await session(project).start() as editor:
        editor.open("small.yaml", WORKFLOW.replace("  - id: ask\n", "  - sil\n  - id: ask\n"))
        items = await completed(editor, "small.yaml", "- sil")
        assert "silent" in items, sorted(items)[:20]
        text = edited(editor.text("small.yaml"), [items["silent"].text_edit])
        assert "  - silent" in text, text
        assert documentation(items["silent"].documentation), items["silent"]
        # Outcomes of a step, steps, and keys.
        editor.change("small.yaml", WORKFLOW.replace("    silent:\n", "    silent:\n    on:\n      \n"))
        assert "interactionRequired" in await completed(editor, "small.yaml", "on:\n      ")
        editor.change("small.yaml", WORKFLOW.replace("    silent:\n", "    silent:\n    on: { interactionRequired: }\n"))
        assert {"ask", "profile", "next", "end"} <= set(await completed(editor, "small.yaml", "interactionRequired: "))
        editor.open("small.scenarios.yaml", SCENARIOS + "      quiet.\n")
        assert "tokenSource" in " ".join(await completed(editor, "small.scenarios.yaml", "      quiet.", occurrence=1))


async def completed(editor, name, before, occurrence=0):
    """Returns the completion items after a string, by label."""
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
    """Returns the locations in the result of a request as (URI, start line)."""
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
        # Test JSON and property lists too.
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

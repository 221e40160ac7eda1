"""Tests code lenses, runs, and results of scenarios."""
from lsp_tests import SCENARIOS, errors, hints_in, session, small, start_line, tests


def result_of(value):
    assert isinstance(value, dict) or hasattr(value, "status"), value
    return value["status"] if isinstance(value, dict) else value.status


async def marks(editor, name, line):
    """Returns the code lenses and inlay hints on a line that begin with ✓ or ✗."""
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
        # The run uses the unsaved text.
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

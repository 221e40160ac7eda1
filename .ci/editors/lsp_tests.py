"""Documents and functions for the tests with pytest-lsp's client."""
import sys

from lsprotocol import types

from lsp_session import Session
from results import Client
from texts import position

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
    """Returns the text of a hover or of a completion item's documentation."""
    if isinstance(value, list):
        return "\n".join(map(documentation, value))
    return value if isinstance(value, str) else value.value


async def hints_in(editor, name, start, end):
    return await editor.client.text_document_inlay_hint_async(types.InlayHintParams(editor.identifier(name), editor.range_of(start, end))) or []

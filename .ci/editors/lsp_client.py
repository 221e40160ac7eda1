"""Tests `authflow lsp` with pytest-lsp's client: .ci/editors/lsp_client.py PROGRAM [FEATURE…]

The client has the capabilities of Visual Studio Code, and lsprotocol checks the structure of every message.
"""
import sys

# Each module adds its tests.
import lsp_diagnostics  # noqa: F401
import lsp_editing  # noqa: F401
import lsp_scenarios  # noqa: F401
from lsp_tests import tests

tests.main(sys.argv[2:])

"""A session of pytest-lsp's client with `authflow lsp`. lsprotocol checks the structure of every message."""
import asyncio
import collections
import copy
import functools

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from texts import Text, edited

ENCODINGS = {"utf-8": types.PositionEncodingKind.Utf8, "utf-16": types.PositionEncodingKind.Utf16, "utf-32": types.PositionEncodingKind.Utf32}


@functools.cache  # Creating a converter takes longer than most tests.
def converter():
    """Creates pygls's converter with a fix: lsprotocol interprets a code action with a command as a command."""
    made = default_converter()
    made.register_structure_hook(
        types.Command | types.CodeAction,
        lambda value, _: made.structure(value, types.Command if isinstance(value.get("command"), str) else types.CodeAction))
    return made


@functools.cache
def capabilities_of(editor):
    return client_capabilities(editor)


class Session:
    def __init__(self, program, project, encoding="utf-16"):
        self.program, self.project, self.encoding = program, project, encoding
        self.client = LanguageClient(converter_factory=converter)
        own = (types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, types.WORKSPACE_DIAGNOSTIC_REFRESH)
        register_lsp_features(self.client, {method: body for method, body in DEFAULT_CLIENT_FEATURES.items() if method not in own})
        # The published diagnostics of each document as (version, diagnostics), in order.
        self.published = collections.defaultdict(list)
        self.changed = asyncio.Event()
        self.texts, self.versions, self.refreshes, self.applied = {}, {}, collections.Counter(), []

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params):
            self.published[params.uri].append((params.version, list(params.diagnostics)))
            self.changed.set()

        @self.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params):
            self.applied.append(params.edit)
            self.apply(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

        for method in (types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH, types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
                       types.WORKSPACE_DIAGNOSTIC_REFRESH, types.CLIENT_REGISTER_CAPABILITY, types.CLIENT_UNREGISTER_CAPABILITY):
            self.client.feature(method)(self.counter(method))

    def counter(self, method):
        def count(*_):
            self.refreshes[method] += 1
            self.changed.set()

        return count

    async def start(self, like="visual_studio_code", pulls=False, adjust=None):
        """Starts a server for a client with an editor's capabilities."""
        capabilities = copy.deepcopy(capabilities_of(like))
        capabilities.general = capabilities.general or types.GeneralClientCapabilities()
        capabilities.general.position_encodings = [ENCODINGS[self.encoding]]
        capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(related_document_support=True) if pulls else None
        capabilities.text_document.inlay_hint = types.InlayHintClientCapabilities()
        capabilities.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
        if adjust:
            adjust(capabilities)
        await self.client.start_io(self.program, "lsp", cwd=self.project.folder, env=self.project.environment)
        folder = self.project.folder.as_uri()
        self.result = await self.client.initialize_session(types.InitializeParams(
            capabilities=capabilities, root_uri=folder, workspace_folders=[types.WorkspaceFolder(uri=folder, name="project")]))
        self.capabilities = self.result.capabilities
        return self

    async def stop(self):
        await asyncio.wait_for(self.client.shutdown_session(), 10)
        assert self.client._server.returncode == 0, f"exit status {self.client._server.returncode}"

    async def __aenter__(self):
        return self

    async def __aexit__(self, error, *_):
        if error is None:
            await self.stop()
        else:
            self.client._server.kill()
            await self.client._server.wait()

    # --- Documents

    def text(self, name):
        return self.texts[name]

    def source(self, name):
        return Text(self.texts[name], self.encoding)

    def open(self, name, text=None):
        """Opens a document, with unsaved text if specified."""
        self.texts[name] = self.project.text(name) if text is None else text
        self.versions[name] = 1
        language = {"json": "json", "plist": "xml"}.get(name.rpartition(".")[2], "yaml")
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(self.project.uri(name), language, 1, self.texts[name])))
        return self.source(name)

    def change(self, name, text):
        """Replaces the text of an open document."""
        self.texts[name] = text
        self.versions[name] += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=self.versions[name], uri=self.project.uri(name)),
            [types.TextDocumentContentChangeWholeDocument(text=text)]))
        return self.source(name)

    def replace(self, name, old, new):
        """Replaces a part of an open document's text with an incremental change."""
        source = self.source(name)
        start, end = source.range(old)
        self.texts[name] = self.texts[name].replace(old, new, 1)
        self.versions[name] += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=self.versions[name], uri=self.project.uri(name)),
            [types.TextDocumentContentChangePartial(range=self.range_of(start, end), text=new)]))
        return self.source(name)

    def save(self, name):
        self.project.write(name, self.texts[name])
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.identifier(name)))

    def close(self, name):
        del self.texts[name]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.identifier(name)))

    def identifier(self, name):
        return types.TextDocumentIdentifier(self.project.uri(name))

    def name(self, uri):
        return next(name for name in [*self.texts, *map(str, self.files())] if self.project.uri(name) == uri)

    def files(self):
        return (path.relative_to(self.project.folder) for path in self.project.folder.rglob("*") if path.is_file())

    @staticmethod
    def range_of(start, end):
        return types.Range(start=types.Position(*start), end=types.Position(*end))

    # --- Diagnostics

    async def diagnostics(self, name, accepts=lambda found: True):
        """Returns the published diagnostics of the current version as soon as a function accepts them."""
        uri = self.project.uri(name)
        try:
            async with asyncio.timeout(10):
                while True:
                    self.changed.clear()
                    if published := self.published[uri]:
                        version, found = published[-1]
                        if version in (self.versions.get(name), None if name not in self.texts else -1) and accepts(found):
                            return found
                    await self.changed.wait()
        except TimeoutError:
            last = self.published[uri][-1:] and self.published[uri][-1]
            raise AssertionError(f"no such diagnostics of {name} {self.versions.get(name)}: {last}") from None

    async def pull(self, name, previous=None):
        return await self.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(self.identifier(name), previous_result_id=previous))

    async def until(self, accepts, what):
        """Waits until an asynchronous function returns a value that is not empty. Repeats it when the server sends something."""
        try:
            async with asyncio.timeout(10):
                while True:
                    self.changed.clear()
                    if value := await accepts():
                        return value
                    try:
                        await asyncio.wait_for(self.changed.wait(), 0.2)
                    except TimeoutError:
                        pass
        except TimeoutError:
            raise AssertionError(f"missing: {what}") from None

    # --- Edits

    def apply(self, edit):
        """Applies a workspace edit to open documents and to files."""
        for name, edits in self.edits(edit).items():
            if name in self.texts:
                self.change(name, edited(self.texts[name], edits, self.encoding))
            else:
                self.project.write(name, edited(self.project.text(name), edits, self.encoding))

    def edits(self, edit):
        """Returns the text edits of a workspace edit, by document."""
        if edit.document_changes is not None:
            found = {}
            for change in edit.document_changes:
                if isinstance(change, types.CreateFile):
                    self.project.path(self.name_of(change.uri)).touch()
                    continue
                assert isinstance(change, types.TextDocumentEdit), change
                name, version = self.name_of(change.text_document.uri), change.text_document.version
                assert version in (None, self.versions.get(name)), f"version {version} of {name}"
                found.setdefault(name, []).extend(change.edits)
            return found
        return {self.name_of(uri): edits for uri, edits in (edit.changes or {}).items()}

    def name_of(self, uri):
        folder = self.project.folder.as_uri() + "/"
        assert uri.startswith(folder), f"an edit outside the folder: {uri}"
        return self.name(uri) if uri in map(self.project.uri, self.texts) else uri[len(folder):]

    async def actions(self, name, span, kinds=None, diagnostics=()):
        found = await self.client.text_document_code_action_async(types.CodeActionParams(
            self.identifier(name), self.range_of(*span), types.CodeActionContext(diagnostics=list(diagnostics), only=kinds)))
        return [action for action in found or [] if isinstance(action, types.CodeAction)]

    async def perform(self, action):
        """Performs a code action: its edit, and then its command."""
        if action.edit is None and action.command is None:
            action = await self.client.code_action_resolve_async(action)
        if action.edit is not None:
            self.apply(action.edit)
        if action.command is not None:
            return await self.command(action.command)

    async def command(self, command):
        offered = self.capabilities.execute_command_provider.commands
        assert command.command in offered, f"`{command.command}` is not one of {offered}"
        return await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command=command.command, arguments=command.arguments))

    # --- Lenses

    async def lenses(self, name):
        found = await self.client.text_document_code_lens_async(types.CodeLensParams(self.identifier(name)))
        return [lens if lens.command else await self.client.code_lens_resolve_async(lens) for lens in found or []]

    async def lens(self, name, title, line):
        """Returns the code lens with a title on a line."""
        found = await self.lenses(name)
        for lens in found:
            if lens.range.start.line == line and title in lens.command.title:
                return lens
        raise AssertionError(f"no lens `{title}` at line {line}: {[(lens.range.start.line, lens.command.title) for lens in found][:12]}")

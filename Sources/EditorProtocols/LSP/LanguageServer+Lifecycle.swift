import Documents
import Effects
import LanguageService
import Synchronization

extension LanguageServer {
  /// Answers `initialize`.
  func initialize(_ params: JSON) -> JSON {
    let client = LSPClient(params)
    let named = params["workspaceFolders"]?.array?.compactMap { $0["uri"]?.string }.map(DocumentURI.path) ?? []
    let root = params["rootUri"]?.string.map(DocumentURI.path) ?? params["rootPath"]?.string
    let folders = named.isEmpty ? [root].compactMap { $0 } : named
    state.withLock { state in
      state.phase = .initialized
      state.client = client
      state.workspaces = folders.map { Workspace(folder: FilePath.join("/", $0), in: world) }
    }
    var capabilities: JSON = [
      "positionEncoding": .string(client.encoding.rawValue),
      "textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]],
      "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
    ]
    for feature in Self.features {
      feature.capabilities(for: client).forEachMember { name, value in capabilities[name] = value }
    }
    let version = tool.split(separator: " ").last.map(String.init) ?? tool
    return ["capabilities": capabilities, "serverInfo": ["name": "authflow", "version": .string(version)]]
  }

  /// Handles a notification. Unknown notifications are ignored (LSP 3.17, `$` notifications).
  func receive(_ method: String, _ params: JSON) async {
    guard state.withLock({ $0.phase == .initialized }) else { return }
    switch method {
    case "initialized": startInBackground { [self] in await watchFiles() }
    case "textDocument/didOpen": didOpen(params)
    case "textDocument/didChange": didChange(params)
    case "textDocument/didClose": didClose(params)
    case "textDocument/didSave": didSave(params)
    case "workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration":
      for workspace in state.withLock({ $0.workspaces }) { workspace.filesChanged() }
      publishDiagnostics()
    case "workspace/didChangeWorkspaceFolders": didChangeFolders(params)
    case "$/cancelRequest": cancel(params["id"] ?? .null)
    default: break
    }
  }

  /// Asks the client to report file changes by other programs.
  private func watchFiles() async {
    guard state.withLock({ $0.client.supports("workspace.didChangeWatchedFiles.dynamicRegistration") }) else { return }
    let patterns = ["**/*.{yaml,yml,json,jsonc,plist,entitlements,xml,pbxproj}", "**/.authflow.{yaml,yml}"]
    await request(
      "client/registerCapability",
      [
        "registrations": [
          [
            "id": "watch", "method": "workspace/didChangeWatchedFiles",
            "registerOptions": ["watchers": .array(patterns.map { ["globPattern": .string($0)] })],
          ]
        ]
      ])
  }

  // MARK: Documents

  /// Returns the workspace of a file, or nil if the file is outside all folders and no document next to it is open.
  func workspace(of path: String) -> Workspace? {
    state.withLock { Self.nearest(to: path, in: $0) }
  }

  private static func nearest(to path: String, in state: State) -> Workspace? {
    state.workspaces.filter { $0.contains(path) }.max { $0.folder.count < $1.folder.count }
  }

  /// Returns the workspace of a document that opens. A document outside all folders has its own workspace, in which
  /// only open documents are validated.
  private func workspace(opening path: String) -> Workspace {
    state.withLock { state in
      if let nearest = Self.nearest(to: path, in: state) { return nearest }
      let folder = FilePath.folder(of: path)
      let workspace = Workspace(folder: folder.isEmpty ? "/" : folder, isSearched: false, in: world)
      state.workspaces.append(workspace)
      return workspace
    }
  }

  /// Returns the path of the document in a notification and stores its URI.
  private func path(_ params: JSON) -> String? {
    guard let uri = params["textDocument"]?["uri"]?.string else { return nil }
    let path = DocumentURI.path(of: uri)
    state.withLock { state in
      state.client.uris[path] = uri
      state.changed.insert(uri)
    }
    return path
  }

  private func didOpen(_ params: JSON) {
    guard let path = path(params), let text = params["textDocument"]?["text"]?.string else {
      return log("invalid textDocument/didOpen")
    }
    let version = params["textDocument"]?["version"]?.integer ?? 0
    workspace(opening: path).open(OpenDocument(path: path, text: text, version: Int(clamping: version)))
    publishDiagnostics()
  }

  private func didChange(_ params: JSON) {
    guard let path = path(params) else { return log("invalid textDocument/didChange") }
    let encoding = state.withLock { $0.client.encoding }
    let version = Int(clamping: params["textDocument"]?["version"]?.integer ?? 0)
    var changes: [OpenDocument.Change] = []
    for change in params["contentChanges"]?.array ?? [] {
      guard let text = change["text"]?.string else { return log("invalid change: missing text") }
      guard let range = change["range"], !range.isNull else {
        changes.append(.all(text))
        continue
      }
      guard let start = try? LSPRequest.position(range["start"], "start"),
        let end = try? LSPRequest.position(range["end"], "end")
      else { return log("invalid range in textDocument/didChange") }
      changes.append(.range(start: start, end: end, text: text))
    }
    let isOpen = workspace(of: path)?.change(path) { $0.apply(changes, version: version, encoding) }
    guard isOpen == true else { return log("change to a document that is not open: \(path)") }
    publishDiagnostics()
  }

  private func didClose(_ params: JSON) {
    guard let path = path(params) else { return log("invalid textDocument/didClose") }
    let isDiscarded = workspace(of: path)?.close(path) == true
    state.withLock { state in
      state.client.uris[path] = nil
      // Remove the workspace for a single file when the file closes.
      state.workspaces.removeAll { !$0.isSearched && $0.openDocuments.isEmpty }
    }
    publishDiagnostics()
    // The results belong to the discarded text, so run the scenarios again.
    if isDiscarded { runAffectedScenarios(of: path, onlyKnown: true) }
  }

  private func didSave(_ params: JSON) {
    guard let path = params["textDocument"]?["uri"]?.string.map(DocumentURI.path) else {
      return log("invalid textDocument/didSave")
    }
    workspace(of: path)?.filesChanged()
    publishDiagnostics()
    runAffectedScenarios(of: path)
  }

  private func didChangeFolders(_ params: JSON) {
    let removed = params["event"]?["removed"]?.array?.compactMap { $0["uri"]?.string }.map(DocumentURI.path) ?? []
    let added = params["event"]?["added"]?.array?.compactMap { $0["uri"]?.string }.map(DocumentURI.path) ?? []
    state.withLock { state in
      let documents = state.workspaces.flatMap(\.openDocuments)
      state.workspaces.removeAll { removed.contains($0.folder) }
      for folder in added where !state.workspaces.contains(where: { $0.folder == folder && $0.isSearched }) {
        state.workspaces.append(Workspace(folder: folder, in: world))
      }
      // Open documents move to the workspaces that now contain them.
      state.workspaces.removeAll { !$0.isSearched }
      for document in documents {
        let containing = state.workspaces.filter { $0.contains(document.path) }
        if let nearest = containing.max(by: { $0.folder.count < $1.folder.count }) {
          nearest.open(document)
        } else {
          let workspace = Workspace(folder: FilePath.folder(of: document.path), isSearched: false, in: world)
          workspace.open(document)
          state.workspaces.append(workspace)
        }
      }
    }
    publishDiagnostics()
  }
}

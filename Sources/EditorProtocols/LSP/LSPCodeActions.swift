import AppRegistration
import Diagnostics
import Documents
import LanguageService

/// Quick fixes, suppressions, and source actions (LSP 3.17, `textDocument/codeAction`).
enum LSPCodeActions: LSPFeature {
  static let fixAll = "source.fixAll.authflow"
  static let addScenarios = "source.addScenarios.authflow"

  static func capabilities(for client: LSPClient) -> JSON {
    ["codeActionProvider": ["codeActionKinds": ["quickfix", .string(fixAll), .string(addScenarios)]]]
  }

  static let handlers: [String: LSPHandler] = [
    "textDocument/codeAction": { request throws(RPCError) in
      let document = try request.document()
      let span = try request.span(ofRange: request.params["range"], in: document)
      let only = request.params["context"]?["only"]?.array?.compactMap(\.string)
      func isWanted(_ kind: String) -> Bool { only?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? true }
      var actions: [JSON] = []
      if isWanted("quickfix") {
        let diagnostics = LSPDiagnostics(snapshot: request.snapshot, results: request.results, client: request.client)
        let findings = diagnostics.findings(in: document).filter { finding in
          let place = finding.place.span ?? .at(0)
          return place.start <= span.end && span.start <= max(place.end, place.start)
        }
        actions += request.snapshot.fixes(for: findings, in: document).map { fix in
          action(fix, kind: "quickfix", diagnostics, request)
        }
      }
      // To fix all findings, the server must validate the project several times. This action is therefore computed only
      // if the client requests it or shows all actions.
      if isWanted(fixAll), let fix = request.snapshot.fixAll(in: document) {
        let diagnostics = LSPDiagnostics(snapshot: request.snapshot, results: request.results, client: request.client)
        actions.append(action(fix, kind: fixAll, diagnostics, request))
      }
      if isWanted(addScenarios), document.kind == .workflow || document.kind == .scenarios {
        let uri = JSON.string(request.uri(ofFile: document.name))
        actions.append([
          "title": "Add missing scenarios", "kind": .string(addScenarios),
          "command": [
            "title": "Add missing scenarios", "command": .string(LSPScenarios.Command.addScenarios.rawValue),
            "arguments": [uri],
          ],
        ])
      }
      return .array(actions)
    }
  ]

  private static func action(
    _ fix: CodeFix, kind: String, _ diagnostics: LSPDiagnostics, _ request: LSPRequest
  ) -> JSON {
    var action: JSON = [
      "title": .string(fix.title), "kind": .string(kind),
      "edit": request.client.workspaceEdit(fix.edits, in: request.snapshot),
    ]
    if kind == "quickfix" { action["diagnostics"] = .array(fix.diagnostics.map(diagnostics.json)) }
    if fix.isPreferred { action["isPreferred"] = true }
    return action
  }
}

extension LSPClient {
  /// Returns edits to files (LSP 3.17, `WorkspaceEdit`). Files that do not exist are created.
  func workspaceEdit(_ edits: [(file: String, edit: Diagnostic.Edit)], in snapshot: WorkspaceSnapshot) -> JSON {
    var order: [String] = []
    var byFile: [String: [JSON]] = [:]
    var created: [String] = []
    for (name, edit) in edits {
      let path = snapshot.path(of: name)
      if byFile[path] == nil { order.append(path) }
      let source = snapshot.document(at: path)?.source
      if source == nil, !created.contains(path) { created.append(path) }
      byFile[path, default: []].append([
        "range": range(edit.span, in: source ?? SourceText(name: name, bytes: [])),
        "newText": .string(edit.replacement),
      ])
    }
    guard supports("workspace.workspaceEdit.documentChanges") else {
      var changes: JSON = [:]
      for path in order { changes[uri(ofPath: path)] = .array(byFile[path] ?? []) }
      return ["changes": changes]
    }
    let canCreate = self["workspace.workspaceEdit.resourceOperations"]?.array?.contains("create") == true
    let creations =
      canCreate
      ? created.map { path -> JSON in
        ["kind": "create", "uri": .string(uri(ofPath: path)), "options": ["ignoreIfExists": true]]
      } : []
    let changes = order.map { path -> JSON in
      let version = snapshot.openDocument(at: path).map { JSON.integer(Int64($0.version)) } ?? .null
      return [
        "textDocument": ["uri": .string(uri(ofPath: path)), "version": version], "edits": .array(byFile[path] ?? []),
      ]
    }
    return ["documentChanges": .array(creations + changes)]
  }
}

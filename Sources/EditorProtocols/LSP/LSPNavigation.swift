import Diagnostics
import Documents
import LanguageService

/// Declarations, references, links, and renames.
enum LSPNavigation: LSPFeature {
  static func capabilities(for client: LSPClient) -> JSON {
    [
      "definitionProvider": true, "declarationProvider": true, "referencesProvider": true,
      "documentHighlightProvider": true, "workspaceSymbolProvider": true,
      "documentLinkProvider": ["resolveProvider": false],
      "renameProvider": client.supports("textDocument.rename.prepareSupport") ? ["prepareProvider": true] : true,
    ]
  }

  static let handlers: [String: LSPHandler] = [
    "textDocument/definition": { request throws(RPCError) in try definitions(request, "definition") },
    "textDocument/declaration": { request throws(RPCError) in try definitions(request, "declaration") },
    "textDocument/references": references,
    "textDocument/documentHighlight": highlights,
    "textDocument/documentLink": links,
    "textDocument/prepareRename": prepareRename,
    "textDocument/rename": rename,
    "workspace/symbol": symbols,
  ]

  private static func definitions(_ request: LSPRequest, _ method: String) throws(RPCError) -> JSON {
    let document = try request.document()
    guard let found = request.snapshot.definitions(at: try request.offset(in: document), in: document) else {
      return .null
    }
    guard request.client.supports("textDocument.\(method).linkSupport") else {
      return .array(found.targets.map { request.location(FileSpan($0.source, $0.span)) })
    }
    return .array(
      found.targets.map { target in
        [
          "originSelectionRange": request.range(found.origin, in: document.source),
          "targetUri": .string(request.uri(ofFile: target.file)),
          "targetRange": request.range(target.extent, in: target.source),
          "targetSelectionRange": request.range(target.span, in: target.source),
        ]
      })
  }

  @Sendable private static func references(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    let found = request.snapshot.references(
      at: try request.offset(in: document), in: document,
      includingDeclarations: request.params["context"]?["includeDeclaration"]?.bool ?? true)
    return .array(found.map { request.location(FileSpan($0.source, $0.span)) })
  }

  @Sendable private static func highlights(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    let found = request.snapshot.highlights(at: try request.offset(in: document), in: document)
    return .array(
      found.map { ["range": request.range($0.span, in: document.source), "kind": $0.isDeclaration ? 3 : 2] })
  }

  @Sendable private static func links(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    return .array(
      request.snapshot.links(in: document).compactMap { link in
        guard let target = link.path.map(request.client.uri(ofPath:)) ?? link.url else { return nil }
        return ["range": request.range(link.span, in: document.source), "target": .string(target)]
      })
  }

  // MARK: Renames

  @Sendable private static func prepareRename(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    let offset = try request.offset(in: document)
    do throws(RenameError) {
      let target = try request.snapshot.renameTarget(at: offset, in: document)
      return ["range": request.range(target.span, in: document.source), "placeholder": .string(target.name)]
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
  }

  @Sendable private static func rename(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    let offset = try request.offset(in: document)
    guard let name = request.params["newName"]?.string else { throw .invalidParams("missing `newName`") }
    do throws(RenameError) {
      let files = try request.snapshot.rename(at: offset, in: document, to: name)
      let edits = files.flatMap { file in file.edits.map { (file: file.file, edit: $0) } }
      return request.client.workspaceEdit(edits, in: request.snapshot)
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
  }

  // MARK: Symbols

  @Sendable private static func symbols(_ request: LSPRequest) throws(RPCError) -> JSON {
    let found = request.snapshot.symbols(matching: request.params["query"]?.string ?? "")
    return .array(
      found.map { symbol in
        [
          "name": .string(symbol.name), "kind": .integer(kind(of: symbol.kind)),
          "containerName": .string(symbol.place.file),
          "location": request.location(FileSpan(symbol.place.source, symbol.place.span)),
        ]
      })
  }

  /// Returns LSP's number for a kind of symbol (LSP 3.17, `SymbolKind`).
  private static func kind(of kind: Symbol.Kind) -> Int64 {
    switch kind {
    case .step: 12
    case .variable: 13
    case .client: 5
    case .scenario: 6
    case .account: 19
    case .file: 1
    case .rule: 14
    }
  }
}

import Documents
import LanguageService

/// Descriptions of keys and values (LSP 3.17, `textDocument/hover`).
enum LSPHover: LSPFeature {
  static func capabilities(for client: LSPClient) -> JSON { ["hoverProvider": true] }

  static let handlers: [String: LSPHandler] = [
    "textDocument/hover": { request throws(RPCError) in
      let document = try request.document()
      let offset = try request.offset(in: document)
      guard let hover = request.snapshot.hover(in: document, at: offset, results: request.results) else { return .null }
      return [
        "contents": request.client.markup(hover.markdown, for: "textDocument.hover.contentFormat"),
        "range": request.range(hover.span, in: document.source),
      ]
    }
  ]
}

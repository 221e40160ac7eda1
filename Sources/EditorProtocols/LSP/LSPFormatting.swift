import Diagnostics
import Documents
import LanguageService

/// Formatting of documents and ranges in documents.
enum LSPFormatting: LSPFeature {
  static func capabilities(for client: LSPClient) -> JSON {
    ["documentFormattingProvider": true, "documentRangeFormattingProvider": true]
  }

  static let handlers: [String: LSPHandler] = [
    "textDocument/formatting": { request throws(RPCError) in
      let document = try request.document()
      return edits(document.formattingEdits(options(request)), document, request)
    },
    "textDocument/rangeFormatting": { request throws(RPCError) in
      let document = try request.document()
      let span = try request.span(ofRange: request.params["range"], in: document)
      return edits(document.formattingEdits(options(request), in: span), document, request)
    },
  ]

  private static func options(_ request: LSPRequest) -> FormattingOptions {
    FormattingOptions(tabSize: request.params["options"]?["tabSize"]?.integer.map { Int(clamping: $0) } ?? 2)
  }

  private static func edits(_ edits: [Diagnostic.Edit], _ document: SnapshotDocument, _ request: LSPRequest) -> JSON {
    .array(
      edits.map { ["range": request.range($0.span, in: document.source), "newText": .string($0.replacement)] })
  }
}

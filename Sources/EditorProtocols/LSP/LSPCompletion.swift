import Diagnostics
import Documents
import LanguageService

/// Proposals for keys and values (LSP 3.17, `textDocument/completion`).
enum LSPCompletion: LSPFeature {
  static func capabilities(for client: LSPClient) -> JSON {
    [
      "completionProvider": [
        "triggerCharacters": [":", " ", ".", "$", "{", "\"", "/", "-", "[", ",", "<", "@"], "resolveProvider": false,
      ]
    ]
  }

  static let handlers: [String: LSPHandler] = [
    "textDocument/completion": { request throws(RPCError) in
      let document = try request.document()
      let offset = try request.offset(in: document)
      var items = request.snapshot.completions(in: document, at: offset, results: request.results)
      let isIncomplete = items.count > maximumItems
      if isIncomplete { items = matching(items, in: document, at: offset) }
      let line = document.lines.range(ofLine: document.lines.line(at: offset))
      return [
        "isIncomplete": .bool(isIncomplete),
        "items": .array(items.enumerated().map { json($1, $0, at: offset, on: line, document, request) }),
      ]
    }
  ]

  private static let maximumItems = 250

  /// Returns the items that contain the characters before the cursor, in the same order. Clients use the same filter.
  private static func matching(_ items: [CompletionItem], in document: SnapshotDocument, at offset: Int)
    -> [CompletionItem]
  {
    let matching = items.filter { item in
      let typed = document.source.text(in: SourceSpan(start: min(item.span.start, offset), end: offset)).lowercased()
      var rest = item.filterText.lowercased()[...]
      for character in typed {
        guard let index = rest.firstIndex(of: character) else { return false }
        rest = rest[rest.index(after: index)...]
      }
      return true
    }
    let sorted = matching.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    return sorted.prefix(maximumItems).map(\.element)
  }

  private static func json(
    _ item: CompletionItem, _ index: Int, at offset: Int, on line: Range<Int>, _ document: SnapshotDocument,
    _ request: LSPRequest
  ) -> JSON {
    // The range of an edit must be on the cursor's line.
    let span = SourceSpan(
      start: min(max(item.span.start, line.lowerBound), offset), end: max(min(item.span.end, line.upperBound), offset))
    let hasSnippets = request.client.supports("textDocument.completion.completionItem.snippetSupport")
    var json: JSON = [
      "label": .string(item.label), "kind": .integer(kind(item.kind)),
      "sortText": .string("\(padded(item.rank, 3))\(padded(index, 5))"), "filterText": .string(item.filterText),
      "textEdit": [
        "range": request.range(span, in: document.source),
        "newText": .string(hasSnippets ? item.snippet ?? item.newText : item.newText),
      ],
      "insertTextFormat": hasSnippets && item.snippet != nil ? 2 : 1,
    ]
    if let detail = item.detail { json["detail"] = .string(detail) }
    if let documentation = item.documentation {
      json["documentation"] = request.client.markup(
        documentation, for: "textDocument.completion.completionItem.documentationFormat")
    }
    if item.continues {
      // Editors request a folder's content after they insert its name.
      json["command"] = ["title": "Suggest", "command": "editor.action.triggerSuggest"]
    }
    return json
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(max(0, number))
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Returns LSP's number for a kind of item (LSP 3.17, `CompletionItemKind`).
  private static func kind(_ kind: CompletionItem.Kind) -> Int64 {
    switch kind {
    case .key: 10
    case .value: 12
    case .keyword: 14
    case .variable: 6
    case .step: 18
    case .outcome: 20
    case .event: 23
    case .file: 17
    case .folder: 19
    case .user: 21
    case .scope: 21
    case .constant: 21
    case .field: 5
    case .scenario: 18
    case .rule: 12
    }
  }
}

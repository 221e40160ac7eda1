import Diagnostics
import Documents
import LanguageService

/// Outlines, folding ranges, selection ranges, semantic tokens, and inlay hints.
enum LSPStructure: LSPFeature {
  static func capabilities(for client: LSPClient) -> JSON {
    [
      "documentSymbolProvider": true, "foldingRangeProvider": true, "selectionRangeProvider": true,
      "inlayHintProvider": ["resolveProvider": false],
      "semanticTokensProvider": [
        "legend": [
          "tokenTypes": .array(SemanticToken.Kind.allCases.map { .string($0.name) }), "tokenModifiers": ["declaration"],
        ],
        "full": true, "range": true,
      ],
    ]
  }

  static let handlers: [String: LSPHandler] = [
    "textDocument/documentSymbol": outline,
    "textDocument/foldingRange": foldings,
    "textDocument/selectionRange": selections,
    "textDocument/semanticTokens/full": { request throws(RPCError) in
      let document = try request.document()
      return tokens(request.snapshot.semanticTokens(in: document), document, request)
    },
    "textDocument/semanticTokens/range": { request throws(RPCError) in
      let document = try request.document()
      let span = try request.span(ofRange: request.params["range"], in: document)
      return tokens(request.snapshot.semanticTokens(in: document, span), document, request)
    },
    "textDocument/inlayHint": hints,
  ]

  // MARK: Outline

  @Sendable private static func outline(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    if request.client.supports("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport") {
      return .array(document.outline.map { symbol($0, document, request) })
    }
    var flat: [JSON] = []
    func add(_ items: [OutlineItem], in container: String?) {
      for item in items {
        var symbol: JSON = [
          "name": .string(item.name), "kind": .integer(kind(of: item.kind)),
          "location": request.location(FileSpan(document.source, item.extent)),
        ]
        if let container { symbol["containerName"] = .string(container) }
        flat.append(symbol)
        add(item.children, in: item.name)
      }
    }
    add(document.outline, in: nil)
    return .array(flat)
  }

  private static func symbol(_ item: OutlineItem, _ document: SnapshotDocument, _ request: LSPRequest) -> JSON {
    var symbol: JSON = [
      "name": .string(item.name), "kind": .integer(kind(of: item.kind)),
      "range": request.range(item.extent, in: document.source),
      "selectionRange": request.range(item.selection, in: document.source),
    ]
    if let detail = item.detail { symbol["detail"] = .string(detail) }
    if !item.children.isEmpty { symbol["children"] = .array(item.children.map { self.symbol($0, document, request) }) }
    return symbol
  }

  /// Returns LSP's number for a kind of symbol (LSP 3.17, `SymbolKind`).
  private static func kind(of kind: OutlineItem.Kind) -> Int64 {
    switch kind {
    case .section: 3
    case .step: 12
    case .variable: 13
    case .client: 5
    case .scenario: 6
    case .account: 19
    case .property: 7
    case .element: 18
    }
  }

  // MARK: Ranges

  @Sendable private static func foldings(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    let limit = request.client["textDocument.foldingRange.rangeLimit"]?.integer.map { Int(clamping: $0) } ?? 5_000
    return .array(
      document.foldingRanges(limit: max(0, limit)).map { range in
        // A range without columns extends to the ends of its lines, as for `lineFoldingOnly`.
        var json: JSON = ["startLine": .integer(Int64(range.startLine)), "endLine": .integer(Int64(range.endLine))]
        if range.isComment { json["kind"] = "comment" }
        return json
      })
  }

  @Sendable private static func selections(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    var ranges: [JSON] = []
    for json in request.params["positions"]?.array ?? [] {
      let position = try LSPRequest.position(json, "positions")
      let offset = document.lines.offset(of: position, request.client.encoding)
      var range: JSON?
      for span in document.selections(at: offset).reversed() {
        var inner: JSON = ["range": request.range(span, in: document.source)]
        if let range { inner["parent"] = range }
        range = inner
      }
      ranges.append(range ?? .null)
    }
    return .array(ranges)
  }

  // MARK: Tokens and hints

  /// Returns the tokens as relative positions (LSP 3.17, `SemanticTokens`).
  private static func tokens(_ tokens: [SemanticToken], _ document: SnapshotDocument, _ request: LSPRequest) -> JSON {
    var data: [JSON] = []
    var previous = TextPosition(line: 0, column: 0)
    for token in tokens {
      let start = document.lines.position(of: token.span.start, request.client.encoding)
      let end = document.lines.position(of: token.span.end, request.client.encoding)
      guard start.line == end.line, end.column > start.column else { continue }
      let column = start.line == previous.line ? start.column - previous.column : start.column
      data += [start.line - previous.line, column, end.column - start.column, token.kind.rawValue].map {
        .integer(Int64($0))
      }
      data.append(token.isDeclaration ? 1 : 0)
      previous = start
    }
    return ["data": .array(data)]
  }

  @Sendable private static func hints(_ request: LSPRequest) throws(RPCError) -> JSON {
    let document = try request.document()
    let span = try request.span(ofRange: request.params["range"], in: document)
    return .array(
      request.snapshot.inlayHints(in: document, span).map { hint in
        let position = document.lines.position(of: hint.offset, request.client.encoding)
        return [
          "position": ["line": .integer(Int64(position.line)), "character": .integer(Int64(position.column))],
          "label": .string(hint.label), "paddingLeft": true,
          "tooltip": ["kind": "markdown", "value": .string(hint.tooltip)],
        ]
      })
  }
}

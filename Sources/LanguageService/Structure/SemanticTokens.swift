import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// A part of a document with a meaning that an editor can show as a color.
package struct SemanticToken: Hashable, Sendable {
  /// The types in the order of the legend (LSP 3.17, `SemanticTokenTypes`).
  package enum Kind: Int, Sendable, CaseIterable {
    case keyword, enumMember, variable, function, string, number, comment, property, parameter

    package var name: String {
      switch self {
      case .keyword: "keyword"
      case .enumMember: "enumMember"
      case .variable: "variable"
      case .function: "function"
      case .string: "string"
      case .number: "number"
      case .comment: "comment"
      case .property: "property"
      case .parameter: "parameter"
      }
    }
  }

  package var span: SourceSpan
  package var kind: Kind
  package var isDeclaration = false
}

extension WorkspaceSnapshot {
  /// Returns the tokens of a document in order. No token overlaps another or spans several lines.
  /// - Parameter span: The part of the document to return tokens for, or nil for the complete document.
  package func semanticTokens(in document: SnapshotDocument, _ span: SourceSpan? = nil) -> [SemanticToken] {
    guard let tree = document.tree, !tree.source.isBinary else { return [] }
    var painter = TokenPainter(source: tree.source, wanted: span ?? SourceSpan(start: 0, end: tree.source.bytes.count))
    let isWorkflow = document.kind == .workflow || document.kind == .scenarios
    // Names take precedence over the strings that contain them.
    for occurrence in symbolIndex.byFile[document.name] ?? [] where occurrence.place.isExact {
      guard let kind = SemanticToken.Kind(occurrence) else { continue }
      painter.add(SemanticToken(span: occurrence.span, kind: kind, isDeclaration: occurrence.isDeclaration))
    }
    for comment in Comments.all(in: tree) { painter.add(SemanticToken(span: comment.span, kind: .comment)) }
    painter.addNodes(of: tree.root, isWorkflow: isWorkflow)
    return painter.tokens
  }
}

extension SemanticToken.Kind {
  fileprivate init?(_ occurrence: SymbolOccurrence) {
    switch occurrence.symbol.kind {
    case .step: self = occurrence.role == .implicitDeclaration ? .keyword : .function
    case .variable, .client: self = .variable
    case .account: self = .enumMember
    case .scenario: self = .function
    case .rule: self = .enumMember
    case .file: return nil
    }
  }
}

/// A collector of tokens. Earlier tokens take precedence over later tokens at the same location.
private struct TokenPainter {
  let source: SourceText
  let wanted: SourceSpan
  private var painted: [SemanticToken] = []
  private var sortedSpans: [SourceSpan] = []
  private var budget = 200_000

  init(source: SourceText, wanted: SourceSpan) {
    self.source = source
    self.wanted = wanted
  }

  /// The tokens in order.
  var tokens: [SemanticToken] { painted.sorted { $0.span.start < $1.span.start } }

  mutating func add(_ token: SemanticToken) {
    let start = max(token.span.start, 0)
    let end = min(token.span.end, source.bytes.count)
    guard start < end, token.span.end > wanted.start, token.span.start < wanted.end else { return }
    // The parts of the token that do not overlap earlier tokens, line by line.
    var position = start
    var index = firstSpan(endingAfter: start)
    while position < end {
      let next = index < sortedSpans.count ? sortedSpans[index] : SourceSpan(start: end, end: end)
      addLines(from: position, to: min(next.start, end), token)
      position = max(position, next.start >= end ? end : next.end)
      index = firstSpan(endingAfter: position)
    }
  }

  private func firstSpan(endingAfter offset: Int) -> Int {
    var (low, high) = (0, sortedSpans.count)
    while low < high {
      let middle = (low + high) / 2
      if sortedSpans[middle].end <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func addLines(from start: Int, to end: Int, _ token: SemanticToken) {
    var position = start
    while position < end {
      let line = source.lineRange(at: position)
      var (first, last) = (position, min(line.upperBound, end))
      while first < last, ByteClass.isBlank(source.bytes[first]), first > line.lowerBound, position != start {
        first += 1
      }
      while last > first, ByteClass.isBlank(source.bytes[last - 1]) { last -= 1 }
      if first < last {
        let span = SourceSpan(start: first, end: last)
        painted.append(SemanticToken(span: span, kind: token.kind, isDeclaration: token.isDeclaration))
        sortedSpans.insert(span, at: firstSpan(endingAfter: first))
      }
      position = max(line.upperBound, position) + 1
    }
  }

  // MARK: Nodes

  /// Adds the keys and values of a tree.
  mutating func addNodes(of node: Node, isWorkflow: Bool, path: [String] = []) {
    budget -= 1
    guard budget > 0, node.span.end > wanted.start || node.count > 0 else { return }
    switch node.kind {
    case .mapping:
      for (key, value) in node.entries {
        let name = key.string ?? ""
        add(SemanticToken(span: key.innerSpan, kind: isWorkflow ? Self.kind(ofKey: name, path) : .property))
        if isWorkflow, name == "path", path.contains("expect") { addPath(value) }
        addNodes(of: value, isWorkflow: isWorkflow, path: path + [name])
      }
    case .array: for element in node.elements { addNodes(of: element, isWorkflow: isWorkflow, path: path) }
    case .string:
      let text = node.string ?? ""
      if isWorkflow, Self.isOutcome(text, path) || Self.isWord(text, path) {
        let isStep = StepKind.named(text) != nil || Step.Target(text).isWord
        add(SemanticToken(span: node.innerSpan, kind: isStep ? .keyword : .enumMember))
      } else {
        add(SemanticToken(span: node.span, kind: .string))
      }
    case .integer, .real: add(SemanticToken(span: node.span, kind: .number))
    case .bool, .null: add(SemanticToken(span: node.span, kind: .keyword))
    case .data, .date, .uid: add(SemanticToken(span: node.innerSpan, kind: .string))
    }
  }

  /// Adds the outcomes of an expected path.
  private mutating func addPath(_ list: Node) {
    for element in list.elements {
      let text = Array((element.string ?? "").utf8)
      guard let dot = text.firstIndex(of: UInt8(ascii: ".")), dot > 0, dot + 1 < text.count else { continue }
      let place = NamePlace(element, text, range: dot + 1..<text.count)
      if place.isExact { add(SemanticToken(span: place.span, kind: .enumMember)) }
    }
  }

  private static func kind(ofKey name: String, _ path: [String]) -> SemanticToken.Kind {
    switch path.last {
    case nil, "steps", "finally", "parallel": return .keyword
    case "on": return .enumMember
    case "with": return .parameter
    default:
      if path.first == "scenarios", path.count == 2 { return .keyword }
      return path.dropFirst().isEmpty ? .property : .parameter
    }
  }

  private static func isOutcome(_ text: String, _ path: [String]) -> Bool {
    guard path.last == "outcome" || path.last == "on" && path.dropLast().last == "retry" else { return false }
    return switch OutcomeSelector(text) {
    case .outcome(let name): StepKind.outcomesByName[name] != nil
    case .unknown: false
    case .internal, .error, .failed: true
    }
  }

  private static func isWord(_ text: String, _ path: [String]) -> Bool {
    switch path.last {
    case "steps", "finally", "parallel": StepKind.named(text) != nil
    case "when": text == "fallback"
    case "given", "simulate": true
    case "platform": true
    default: path.dropLast().last == "on" && Step.Target(text).isWord
    }
  }
}

extension Step.Target {
  /// Whether the target is a reserved word, such as `end`.
  fileprivate var isWord: Bool {
    if case .step = self { false } else { true }
  }
}

/// Classes of bytes in the text of documents.
enum ByteClass {
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  static func isWhite(_ byte: UInt8) -> Bool { isBlank(byte) || isLineEnd(byte) }
}

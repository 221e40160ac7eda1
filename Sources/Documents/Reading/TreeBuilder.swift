import Diagnostics

/// A builder that collects nodes in document order, enforces limits, and reports duplicate keys.
struct TreeBuilder {
  struct Frame {
    /// The index of the container's record.
    var index: Int
    var isMapping: Bool
    /// The number of children so far. Keys and values are both counted.
    var children = 0
    /// The depth of the deepest descendant, with aliases resolved.
    var height = 0
    /// The value of `expanded` when the container was opened.
    var expandedBefore: Int
  }

  let source: SourceText
  let limits: ReadingLimits
  var records: [NodeRecord] = []
  var pool: [UInt8] = []
  var frames: [Frame] = []
  var diagnostics: [Diagnostic] = []
  /// The number of nodes so far, with aliases expanded.
  var expanded = 0
  /// Whether to report duplicate keys. False for JSON from the network, where the last of several duplicate names is
  /// used.
  var findsDuplicates = true
  private var unreported = 0

  init(source: SourceText, limits: ReadingLimits) {
    self.source = source
    self.limits = limits
  }

  var isFull: Bool { diagnostics.count >= limits.diagnostics }

  mutating func report(
    _ severity: Diagnostic.Severity = .error, rule: String, _ message: String, help: String? = nil, at span: SourceSpan,
    related: [Diagnostic.Related] = [], fix: Diagnostic.Fix? = nil
  ) {
    guard !isFull else {
      unreported += 1
      return
    }
    diagnostics.append(
      Diagnostic(
        severity, rule: rule, message, help: help, at: FileSpan(source, span.clamped(in: source.bytes)),
        related: related,
        fix: fix))
  }

  /// Opens a container. If it would exceed the depth limit, reports an error and returns false. The reader then stops.
  mutating func open(_ kind: NodeRecord.Kind, at offset: Int) -> Bool {
    guard frames.count < limits.depth else {
      tooDeep(at: .at(offset))
      return false
    }
    countChild()
    frames.append(Frame(index: records.count, isMapping: kind == .mapping, expandedBefore: expanded))
    records.append(NodeRecord(kind, start: offset, end: offset))
    return true
  }

  mutating func tooDeep(at span: SourceSpan) {
    report(
      rule: "too-deep", "more than \(limits.depth) levels of nesting",
      help: "check the program that created the file", at: span)
  }

  @inline(__always)
  private mutating func countChild() {
    expanded += 1
    if !frames.isEmpty { frames[frames.count - 1].children += 1 }
  }

  @inline(__always)
  mutating func scalar(_ record: NodeRecord) {
    countChild()
    records.append(record)
  }

  /// Adds an alias of another node. `nodes` and `height` describe the size of that node.
  mutating func alias(to index: Int, nodes: Int, height: Int, span: SourceSpan) {
    scalar(NodeRecord(.alias, start: span.start, end: span.end, first: index))
    expanded += max(0, nodes - 1)
    if !frames.isEmpty { frames[frames.count - 1].height = max(frames[frames.count - 1].height, height) }
  }

  /// Adds a scalar whose text differs from the source, and stores the text in the pool.
  mutating func pooled(_ kind: NodeRecord.Kind, start: Int, end: Int, text: some Collection<UInt8>) {
    let offset = pool.count
    pool.append(contentsOf: text)
    scalar(NodeRecord(kind, start: start, end: end, first: offset, second: text.count, form: .pooled))
  }

  /// Closes the innermost container and returns its size for aliases.
  @discardableResult
  mutating func close(end: Int) -> (index: Int, nodes: Int, height: Int)? {
    // In the tree, every key has a value, even if the reader did not find one.
    if awaitsValue { scalar(NodeRecord(.null, start: end, end: end)) }
    guard let frame = frames.popLast() else { return nil }
    records[frame.index].end = UInt32(truncatingIfNeeded: end)
    records[frame.index].second = UInt32(truncatingIfNeeded: records.count)
    records[frame.index].first = UInt32(truncatingIfNeeded: frame.isMapping ? frame.children / 2 : frame.children)
    let height = frame.height + 1
    if !frames.isEmpty { frames[frames.count - 1].height = max(frames[frames.count - 1].height, height) }
    if frame.isMapping, frame.children >= 4, findsDuplicates {
      reportDuplicates(in: frame.index, entries: frame.children / 2)
    }
    return (frame.index, expanded - frame.expandedBefore, height)
  }

  /// Whether the innermost mapping has a key without a value.
  var awaitsValue: Bool { frames.last.map { $0.isMapping && !$0.children.isMultiple(of: 2) } ?? false }

  /// Closes all open containers, so that the incomplete document can be used.
  mutating func closeAll(end: Int) {
    while !frames.isEmpty {
      guard let closed = close(end: end), let frame = frames.last else { continue }
      if frame.isMapping, !frame.children.isMultiple(of: 2) { makeKeyText(closed.index) }
    }
  }

  /// Replaces the last container, which is a key, with its source text, because keys are always strings.
  mutating func makeKeyText(_ index: Int) {
    let span = span(of: index)
    records.removeSubrange(index...)
    records.append(
      NodeRecord(.string, start: span.start, end: span.end, first: span.start, second: span.end - span.start))
  }

  /// Returns the source text of a scalar.
  func scalarText(_ index: Int) -> String {
    switch records[index].kind {
    case .null, .bool: source.text(in: span(of: index))
    default: keyText(index)
    }
  }

  mutating func finish(_ syntax: DocumentSyntax) -> ReadResult {
    closeAll(end: source.bytes.count)
    if unreported > 0 {
      diagnostics.append(
        Diagnostic(
          .note, rule: "\(diagnostics.last?.rule ?? "syntax")", "\(unreported) more problems are not shown",
          at: FileSpan(source, nil)))
    }
    guard !records.isEmpty else { return ReadResult(document: nil, diagnostics: diagnostics) }
    return ReadResult(
      document: Document(source: source, syntax: syntax, records: records, pool: pool), diagnostics: diagnostics)
  }
}

import Diagnostics
import Documents
import JSONPath

/// What an expectation or a capture speaks about: a word of this step (`status`, `error.code`, `$.value`), a word of
/// another (`silent.tokenSource`, `login/silent[1].outcome`), or a capture or an input by its bare name.
package struct ValuePath: Sendable {
  /// Another step: `silent` (its last run), `silent[1]` (its first), `login/silent` (inside a `use`), `silent#1`.
  package struct StepReference: Hashable, Sendable {
    package var id: String
    /// Counts from 1; nil is the last run.
    package var run: Int?

    package init(_ id: String, run: Int? = nil) {
      self.id = id
      self.run = run
    }
  }

  /// One turn on the way from a value to a part of it.
  enum Turn: Sendable {
    case member(String)
    case path(JSONPathQuery)
  }

  package enum Subject: Hashable, Sendable {
    /// A word of the step itself.
    case own
    /// A step, or, where no step has that id, a capture or an input.
    case named(StepReference)
  }

  package let subject: Subject
  let turns: [Turn]
  /// As it was written.
  package let text: String
  package let place: FileSpan

  /// The first word behind the subject; `$` for the value; nil for a bare name.
  package var word: String? {
    switch turns.first {
    case .member(let name): name
    case .path: "$"
    case nil: nil
    }
  }

  /// The member of the word, as in `error.code`.
  package var member: String? {
    guard turns.count > 1, case .member(let name) = turns[1] else { return nil }
    return name
  }

  private init(subject: Subject, turns: [Turn], text: String, place: FileSpan) {
    self.subject = subject
    self.turns = turns
    self.text = text
    self.place = place
  }

  /// Reads `text`, which stands at `node`; nil after the problems were told.
  init?(_ text: String, at node: Node, _ problems: inout DiagnosticCollector) {
    guard let (names, path) = Self.split(text), !names.isEmpty || path != nil else {
      problems.error(
        "address", text.isEmpty ? "a word or a path is missing" : "\"\(text)\" is neither a word nor a path",
        help: "write a word such as status, a path such as $.value, or step.word such as silent.tokenSource", at: node)
      return nil
    }
    var turns: [Turn] = []
    var subject = Subject.own
    var names_ = names[...]
    if let first = names.first, ResultField(rawValue: first) == nil {
      guard let reference = Self.reference(first) else {
        problems.error(
          "address", "\"\(first)\" names no step",
          help: "steps are named as in silent, silent[1], login/silent or silent#1",
          at: node)
        return nil
      }
      subject = .named(reference)
      names_ = names_.dropFirst()
    }
    turns += names_.map { .member($0) }
    if let path {
      guard let query = problems.query(path, at: node) else { return nil }
      turns.append(.path(query))
    }
    self.init(subject: subject, turns: turns, text: text, place: node.place)
  }

  /// The same address, one turn further: a member, or a path where the key begins with `$`.
  func deeper(_ key: String, at node: Node, _ problems: inout DiagnosticCollector) -> ValuePath? {
    var turns = turns
    if key.hasPrefix("$") {
      guard let query = problems.query(key, at: node) else { return nil }
      turns.append(.path(query))
    } else {
      turns.append(.member(key))
    }
    return ValuePath(subject: subject, turns: turns, text: "\(text).\(key)", place: node.place)
  }

  /// The dotted names before a path, and the path; nil where a name is empty.
  private static func split(_ text: String) -> (names: [String], path: String?)? {
    var names: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      if rest.hasPrefix("$") { return (names, String(rest)) }
      let name = rest.prefix { $0 != "." }
      guard !name.isEmpty else { return nil }
      names.append(String(name))
      rest = rest[name.endIndex...]
      guard !rest.isEmpty else { break }
      rest = rest.dropFirst()
      guard !rest.isEmpty else { return nil }
    }
    return (names, nil)
  }

  static func reference(_ text: String) -> StepReference? {
    var id = text[...]
    var run: Int?
    if text.hasSuffix("]"), let open = text.lastIndex(of: "[") {
      guard let number = Int(text[text.index(after: open)...].dropLast()), number > 0 else { return nil }
      run = number
      id = text[..<open]
    }
    for segment in id.split(separator: "/", omittingEmptySubsequences: false) {
      let halves = segment.split(separator: "#", omittingEmptySubsequences: false)
      guard let name = halves.first, Template.isName(name), halves.count <= 2 else { return nil }
      if halves.count == 2 {
        guard let number = Int(halves[1]), number > 0 else { return nil }
      }
    }
    return StepReference(String(id), run: run)
  }
}

/// What stands at an address.
package enum ValueLookup: Hashable, Sendable {
  case nothing
  case value(JSON)
  /// What a path that may find several things found.
  case list([JSON])

  package var json: JSON? {
    switch self {
    case .nothing: .none
    case .value(let value): value
    case .list(let values): .array(values)
    }
  }

  package var isThere: Bool {
    switch self {
    case .nothing: false
    case .value: true
    case .list(let values): !values.isEmpty
    }
  }
}

extension ValuePath {
  /// Follows the turns from a step's facts, or from a captured value.
  /// - Throws: if a path exceeds the budget of its evaluation.
  func follow(from start: JSON, ofStep: Bool, skipping skipped: Int = 0) throws(UnresolvedValue) -> ValueLookup {
    var current = ValueLookup.value(start)
    for (position, turn) in turns.enumerated().dropFirst(skipped) {
      guard let value = current.json else { return .nothing }
      switch turn {
      case .member(let name):
        // Header names ignore case, RFC 9110 §5.1.
        let inHeaders = position > 0 && Self.isHeaders(turns[position - 1])
        let found =
          inHeaders
          ? value.object?.first { $0.key.lowercased() == name.lowercased() }?.value
          : value[name] ?? Self.element(name, of: value)
        current = found.map { .value($0) } ?? .nothing
      case .path(let query):
        let subject = position == 0 && ofStep ? value["$"] : value
        guard let subject else { return .nothing }
        do throws(QueryFailure) {
          current = try query.found(in: subject)
        } catch {
          throw UnresolvedValue(
            "`\(query.text)` \(error.message)", help: error.help, at: place(of: query, offset: error.offset))
        }
      }
    }
    return current
  }

  /// The place of one byte of a path; the whole address if the path is written with escapes.
  private func place(of query: JSONPathQuery, offset: Int?) -> FileSpan {
    guard let offset, let span = place.span,
      let range = Array(place.source.text(in: span).utf8).firstRange(of: Array(query.text.utf8))
    else { return place }
    return FileSpan(place.source, .at(span.start + range.lowerBound + offset))
  }

  private static func isHeaders(_ turn: Turn) -> Bool {
    if case .member("headers") = turn { true } else { false }
  }

  private static func element(_ name: String, of value: JSON) -> JSON? {
    Int(name).flatMap { value[$0] }
  }
}

extension JSONPathQuery {
  /// A singular path gives a value or nothing, any other a list.
  func found(in value: JSON) throws(QueryFailure) -> ValueLookup {
    let values = try self.values(in: value)
    if isSingular { return values.first.map { .value($0) } ?? .nothing }
    // A list can be much larger than the value: a capture of it goes into traces, recordings and reports.
    var meter = OutputMeter(of: self)
    for value in values { try meter.take(value) }
    return .list(values)
  }
}

extension DiagnosticCollector {
  /// A JSONPath; nil after its mistake was told at its place.
  mutating func query(_ path: String, at node: Node) -> JSONPathQuery? {
    do {
      return try JSONPathQuery(parsing: path)
    } catch {
      add(
        Diagnostic(
          .error, rule: "jsonpath", "\"\(path)\" is not a JSONPath: \(error.message)",
          help: "paths are JSONPath, RFC 9535: $.value[0].id, $..name, $['a key']",
          at: node.place(of: path, offset: error.offset)))
      return nil
    }
  }
}

extension Node {
  /// The place of one byte of a part of a string's text; the whole string where it is written with escapes.
  func place(of fragment: String, offset: Int) -> FileSpan {
    let whole = place(of: fragment)
    guard let span = whole.span, span.end - span.start == fragment.utf8.count else { return whole }
    let start = min(span.start + max(0, offset), span.end)
    return FileSpan(whole.source, SourceSpan(start: start, end: min(start + 1, max(span.end, start))))
  }
}

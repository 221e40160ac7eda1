import Diagnostics
import Documents
import JSONPath

/// The address of a value in an expectation or a capture. An address refers to a result field of the same step
/// (`status`, `error.code`, `$.value`), a result field of another step (`silent.tokenSource`,
/// `login/silent[1].outcome`), a capture, or an input.
package struct ValuePath: Sendable {
  /// A reference to a step: `silent` (its last run), `silent[1]` (its first run), `login/silent` (in a nested
  /// workflow), or `silent#1` (in a `parallel` step).
  package struct StepReference: Hashable, Sendable {
    package var id: String
    /// The number of the run, counted from 1. Nil for the last run.
    package var run: Int?

    package init(_ id: String, run: Int? = nil) {
      self.id = id
      self.run = run
    }
  }

  enum Segment: Sendable {
    case member(String)
    case path(JSONPathQuery)
  }

  package enum Subject: Hashable, Sendable {
    /// The step that contains the address.
    case own
    /// A step, or a capture or an input if no step has this ID.
    case named(StepReference)
  }

  package let subject: Subject
  let segments: [Segment]
  /// The address as written in the workflow.
  package let text: String
  package let place: FileSpan

  /// The result field, or `$` for a JSONPath. Nil for a bare name.
  package var field: String? {
    switch segments.first {
    case .member(let name): name
    case .path: "$"
    case nil: nil
    }
  }

  /// The member of the field, as in `error.code`.
  package var member: String? {
    guard segments.count > 1, case .member(let name) = segments[1] else { return nil }
    return name
  }

  private init(subject: Subject, segments: [Segment], text: String, place: FileSpan) {
    self.subject = subject
    self.segments = segments
    self.text = text
    self.place = place
  }

  /// Parses an address. Returns nil after reporting why the address is invalid.
  /// - Parameter node: The location of the address.
  init?(_ text: String, at node: Node, _ problems: inout DiagnosticCollector) {
    guard let (names, path) = Self.split(text), !names.isEmpty || path != nil else {
      problems.error(
        "result-path", text.isEmpty ? "missing result field or path" : "`\(text)` is neither a result field nor a path",
        help: "use a field such as `status`, a path such as `$.value`, or `step.field` such as `silent.tokenSource`",
        at: node)
      return nil
    }
    var segments: [Segment] = []
    var subject = Subject.own
    var members = names[...]
    if let first = names.first, ResultField(rawValue: first) == nil {
      guard let reference = Self.reference(first) else {
        problems.error(
          "result-path", "invalid step reference `\(first)`",
          help: "use a reference such as `silent`, `silent[1]`, `login/silent`, or `silent#1`",
          at: node)
        return nil
      }
      subject = .named(reference)
      members = members.dropFirst()
    }
    segments += members.map { .member($0) }
    if let path {
      guard let query = problems.query(path, at: node) else { return nil }
      segments.append(.path(query))
    }
    self.init(subject: subject, segments: segments, text: text, place: node.place)
  }

  /// Returns the address with an additional segment, which is a JSONPath if the key starts with `$`, and a member
  /// otherwise.
  func appending(_ key: String, at node: Node, _ problems: inout DiagnosticCollector) -> ValuePath? {
    var segments = self.segments
    if key.hasPrefix("$") {
      guard let query = problems.query(key, at: node) else { return nil }
      segments.append(.path(query))
    } else {
      segments.append(.member(key))
    }
    return ValuePath(subject: subject, segments: segments, text: "\(text).\(key)", place: node.place)
  }

  /// Splits an address into the dotted names and the JSONPath after them. Returns nil if a name is empty.
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

  /// Parses a reference to a step.
  static func reference(_ text: String) -> StepReference? {
    var id = text[...]
    var run: Int?
    if text.hasSuffix("]"), let open = text.lastIndex(of: "[") {
      guard let number = Int(text[text.index(after: open)...].dropLast()), number > 0 else { return nil }
      run = number
      id = text[..<open]
    }
    for segment in id.split(separator: "/", omittingEmptySubsequences: false) {
      let parts = segment.split(separator: "#", omittingEmptySubsequences: false)
      guard let name = parts.first, Template.isName(name), parts.count <= 2 else { return nil }
      if parts.count == 2 {
        guard let number = Int(parts[1]), number > 0 else { return nil }
      }
    }
    return StepReference(String(id), run: run)
  }
}

/// The value at an address.
package enum ValueLookup: Hashable, Sendable {
  case nothing
  case value(JSON)
  /// The values that a JSONPath selects.
  case list([JSON])

  package var json: JSON? {
    switch self {
    case .nothing: .none
    case .value(let value): value
    case .list(let values): .array(values)
    }
  }

  package var exists: Bool {
    switch self {
    case .nothing: false
    case .value: true
    case .list(let values): !values.isEmpty
    }
  }
}

extension ValuePath {
  /// Follows the segments from the result of a step or from a captured value.
  /// - Parameters:
  ///   - isStepResult: Whether `start` is the result of a step, so that a JSONPath applies to its value, `$`.
  ///   - skipped: The number of segments to skip.
  /// - Throws: An error if the evaluation of a JSONPath exceeds its limits.
  func follow(
    from start: JSON, isStepResult: Bool, skipping skipped: Int = 0
  ) throws(UnresolvedValue) -> ValueLookup {
    var current = ValueLookup.value(start)
    for (position, segment) in segments.enumerated().dropFirst(skipped) {
      guard let value = current.json else { return .nothing }
      switch segment {
      case .member(let name):
        // Header names are case-insensitive (RFC 9110 §5.1).
        let isHeaderName = position > 0 && Self.isHeaders(segments[position - 1])
        let member =
          isHeaderName
          ? value.object?.first { $0.key.lowercased() == name.lowercased() }?.value
          : value[name] ?? Self.element(name, of: value)
        current = member.map { .value($0) } ?? .nothing
      case .path(let query):
        let root = position == 0 && isStepResult ? value["$"] : value
        guard let root else { return .nothing }
        do throws(QueryFailure) {
          current = try query.lookUp(in: root)
        } catch {
          throw UnresolvedValue(
            "`\(query.text)` \(error.message)", help: error.help, at: place(of: query, offset: error.offset))
        }
      }
    }
    return current
  }

  /// Returns the location of a byte in a JSONPath, or of the complete address if the JSONPath contains escapes.
  private func place(of query: JSONPathQuery, offset: Int?) -> FileSpan {
    guard let offset, let span = place.span,
      let range = Array(place.source.text(in: span).utf8).firstRange(of: Array(query.text.utf8))
    else { return place }
    return FileSpan(place.source, .at(span.start + range.lowerBound + offset))
  }

  private static func isHeaders(_ segment: Segment) -> Bool {
    if case .member("headers") = segment { true } else { false }
  }

  private static func element(_ name: String, of value: JSON) -> JSON? {
    Int(name).flatMap { value[$0] }
  }
}

extension JSONPathQuery {
  /// Evaluates the query. The result of a singular query (RFC 9535 §2.3.5.1) is a single value. The result of any other
  /// query is a list.
  func lookUp(in value: JSON) throws(QueryFailure) -> ValueLookup {
    let values = try self.values(in: value)
    if isSingular { return values.first.map { .value($0) } ?? .nothing }
    // A list can be much larger than the value itself, and traces, recordings, and reports contain the captured list.
    var meter = OutputMeter(of: self)
    for value in values { try meter.add(value) }
    return .list(values)
  }
}

extension DiagnosticCollector {
  /// Parses a JSONPath. Returns nil after reporting the error at its location.
  mutating func query(_ path: String, at node: Node) -> JSONPathQuery? {
    do {
      return try JSONPathQuery(parsing: path)
    } catch {
      add(
        Diagnostic(
          .error, rule: "jsonpath", "invalid JSONPath `\(path)`: \(error.message)",
          help: "use a JSONPath (RFC 9535), such as `$.value[0].id`, `$..name`, or `$['a key']`",
          at: node.place(of: path, offset: error.offset)))
      return nil
    }
  }
}

import Diagnostics
import Documents

/// The keys that every step may have beside its kind.
struct CommonKeys: Sendable {
  var id: Positioned<String>?
  var when: Step.Condition?
  var on: [Step.Handler] = []
  var expect: [Expectation] = []
  var capture: [Capture] = []
  var retry: Retry?
  var maxRuns: Int?
  var timeout: Duration?
  var client: Positioned<String>?
  var user: UserBehaviors?
  var description: String?
  var tags: [String] = []

  static let fieldList: [Field<CommonKeys>] = [
    Field("id", Codec<String>.stepID.located, into: \.id, "the step's name; its kind by default"),
    Field("when", .when, into: \.when, "fallback, or what must hold for the step to be done; otherwise it is skipped"),
    Field("on", .handlers, into: \.on, "where an outcome leads: a step's id, next, end or fail"),
    Field(
      "expect", .expectations, into: \.expect,
      "what must be true of the result; judged on success, or on the outcome that it names"),
    Field("capture", .captures, into: \.capture, "names for parts of the result, for later steps"),
    Field(
      "retry", .retry, into: \.retry,
      "tries again: {attempts, on, wait}; none turns off also what calls do by themselves"),
    Field(
      "maxRuns", .integer(in: 1...1_000_000), into: \.maxRuns,
      "how often the step may run; then its outcome is exhausted"
    ),
    Field("timeout", .durationText, into: \.timeout, "how long it may take; then its outcome is timedOut"),
    Field(
      "client", Codec<String>.nonEmptyString.located, into: \.client,
      "which app, by its name in clients; the first by default"),
    Field("user", .sittings, into: \.user, "who sits at the keyboard for this step"),
    Field("description", .string, into: \.description, "a remark for people"),
    Field("tags", .listOrOne(of: .nonEmptyString), into: \.tags, "words to find it by"),
  ]

  package static let keys = fieldList.map(\.key)
}

extension Codec where Value == String {
  /// Letters, digits, `-` and `_`; no word that means something else.
  static var stepID: Self {
    Self(
      expecting: "a step's name", schema: ["type": "string", "pattern": "^[A-Za-z0-9_-]+$"]
    ) { node, problems in
      let text: String
      switch node.kind {
      case .string: text = node.string ?? ""
      case .integer: text = node.scalarText ?? ""
      default:
        problems.mismatch(node, expected: "a step's name")
        return nil
      }
      // YAML joins `- id: x` and a bare kind on the next line into one scalar.
      if let space = text.lastIndex(of: " "), let kind = StepKind.named(String(text[text.index(after: space)...])) {
        let spelling = String(text[text.index(after: space)...])
        problems.add(
          Diagnostic(
            .error, rule: "bare-kind", "a bare kind cannot stand under `id:`, YAML reads both lines as one text",
            help: "write `\(spelling): \(kind.standsAlone ? "{}" : "…")`", at: node.place(of: spelling)))
        return nil
      }
      guard !text.isEmpty, text.unicodeScalars.allSatisfy({ Step.mayStandInID($0) }) else {
        problems.error(
          "invalid-id", "\"\(text)\" cannot be a step's name", help: "use letters, digits, \"-\" and \"_\"", at: node)
        return nil
      }
      guard !Step.reservedIDs.contains(text) else {
        problems.error(
          "reserved-id", "\"\(text)\" means something else",
          help: "these are reserved: \(Step.reservedIDs.sorted().joined(separator: ", "))",
          at: node)
        return nil
      }
      return text
    }
  }
}

extension Step {
  package static let reservedIDs: Set<String> = Set(["next", "end", "fail"] + ResultField.allCases.map(\.rawValue))

  static func mayStandInID(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }
}

extension Codec where Value == Step.Condition {
  static var when: Self {
    Self(
      expecting: "fallback, or a mapping of what must hold",
      schema: ["anyOf": [["const": "fallback"], ["$ref": "#/$defs/expectations"]]]
    ) { node, problems in
      if node.kind == .string {
        return Codec<String>.oneOf(["fallback"]).read(node, &problems).map { _ in .fallback }
      }
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "fallback, or a mapping such as {code: AADB2C90118}")
        return nil
      }
      return Codec<[Expectation]>.expectations.read(node, &problems).map { .holds($0) }
    }
  }
}

extension Codec where Value == [Step.Handler] {
  static var handlers: Self {
    Self(
      expecting: "a mapping from outcomes to steps",
      schema: [
        "type": "object",
        "propertyNames": [
          "enum": .array((["internal", "error"] + StepKind.outcomesByName.keys.sorted()).map { .string($0) })
        ],
        "additionalProperties": ["type": "string", "pattern": "^[A-Za-z0-9_-]+$"],
      ]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping such as {userCanceled: end}")
        return nil
      }
      var handlers: [Step.Handler] = []
      for (key, value) in node.entries {
        let outcome = key.string ?? key.scalarText ?? ""
        guard value.kind == .string || value.kind == .integer, let target = value.string ?? value.scalarText,
          !target.isEmpty
        else {
          problems.mismatch(value, expected: "a step's id, next, end or fail")
          continue
        }
        handlers.append(
          Step.Handler(outcome: outcome, target: Step.Target(target), place: key.place, targetPlace: value.place))
      }
      return handlers
    }
  }
}

import Diagnostics
import Documents

/// The keys that steps of all types can have.
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
    Field(
      "id", Codec<String>.stepID.located, into: { $0.id = $1 }, "step ID; the step type by default"),
    Field(
      "when", .when, into: { $0.when = $1 },
      "`fallback`, or a condition; the step is skipped if the condition does not hold"),
    Field(
      "on", .handlers, into: { $0.on = $1 },
      "target of each outcome: a step ID, `next`, `end`, or `fail`"),
    Field(
      "expect", .expectations, into: { $0.expect = $1 },
      "expectations for the result; evaluated on success, or on the outcome that they specify"),
    Field("capture", .captures, into: { $0.capture = $1 }, "variables for later steps, set from the result"),
    Field(
      "retry", .retry, into: { $0.retry = $1 },
      "retries: `{attempts, on, wait}`; `none` also turns off the built-in retries of API calls"),
    Field(
      "maxRuns", .integer(in: 1...1_000_000), into: { $0.maxRuns = $1 },
      "maximum number of times that the step runs; after that, its outcome is `exhausted`"
    ),
    Field(
      "timeout", .durationText, into: { $0.timeout = $1 },
      "maximum duration; if the step takes longer, its outcome is `timedOut`"),
    Field(
      "client", Codec<String>.nonEmptyString.located, into: { $0.client = $1 },
      "client, by its name in `clients`; the first by default"),
    Field("user", .userBehaviors, into: { $0.user = $1 }, "behavior of the simulated user in this step"),
    Field("description", .string, into: { $0.description = $1 }, "description for readers"),
    Field("tags", .listOrOne(of: .nonEmptyString), into: { $0.tags = $1 }, "tags for readers and tools"),
  ]

  package static let keys = fieldList.map(\.key)
}

extension Codec where Value == String {
  /// A step ID, which consists of letters, digits, `-`, and `_`, and is not a reserved word.
  static var stepID: Self {
    Self(
      expecting: "a step ID", schema: ["type": "string", "pattern": "^[A-Za-z0-9_-]+$"]
    ) { node, problems in
      guard node.kind == .string || node.kind == .integer, let text = node.scalarText else {
        problems.mismatch(node, expected: "a step ID")
        return nil
      }
      // YAML joins `- id: x` and a bare step type on the next line into a single scalar.
      if let space = text.lastIndex(of: " "), case let spelling = String(text[text.index(after: space)...]),
        let kind = StepKind.named(spelling)
      {
        problems.add(
          Diagnostic(
            .error, rule: "bare-step-type", "bare step type after `id:`: YAML joins both lines into one string",
            help: "write `\(spelling): \(kind.canBeBare ? "{}" : "…")`", at: node.place(of: spelling)))
        return nil
      }
      guard !text.isEmpty, text.unicodeScalars.allSatisfy({ Step.isIDCharacter($0) }) else {
        problems.error(
          "invalid-id", "invalid step ID `\(text)`", help: "use letters, digits, `-`, and `_`", at: node)
        return nil
      }
      guard !Step.reservedIDs.contains(text) else {
        problems.error(
          "reserved-id", "reserved step ID `\(text)`",
          help: "do not use \(Step.reservedIDs.sorted().map { "`\($0)`" }.joined(separator: ", "))",
          at: node)
        return nil
      }
      return text
    }
  }
}

extension Step {
  package static let reservedIDs: Set<String> = Set(["next", "end", "fail"] + ResultField.allCases.map(\.rawValue))

  static func isIDCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }
}

extension Codec where Value == Step.Condition {
  static var when: Self {
    Self(
      expecting: "`fallback`, or a mapping of conditions",
      schema: ["anyOf": [["const": "fallback"], ["$ref": "#/$defs/expectations"]]]
    ) { node, problems in
      if node.kind == .string {
        return Codec<String>.oneOf(["fallback"]).read(node, &problems).map { _ in .fallback }
      }
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "`fallback`, or a mapping of conditions such as `{code: AADB2C90118}`")
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
          "enum": .array(
            (["internal", "error"] + StepKind.outcomesByName.keys.map(\.rawValue).sorted()).map { .string($0) })
        ],
        "additionalProperties": ["type": "string", "pattern": "^[A-Za-z0-9_-]+$"],
      ]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping such as `{userCanceled: end}`")
        return nil
      }
      var handlers: [Step.Handler] = []
      for (key, value) in node.entries {
        let outcome = OutcomeSelector(key.scalarText ?? "")
        guard value.kind == .string || value.kind == .integer, let target = value.scalarText,
          !target.isEmpty
        else {
          problems.mismatch(value, expected: "a step ID, `next`, `end`, or `fail`")
          continue
        }
        handlers.append(
          Step.Handler(outcome: outcome, target: Step.Target(target), place: key.place, targetPlace: value.place))
      }
      return handlers
    }
  }
}

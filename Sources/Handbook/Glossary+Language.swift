import Directory
import Documents
import IdentityPlatform
import OrderedCollections
import WorkflowModel

extension Glossary {
  /// The entries for workflow keywords, derived from the keywords' declarations.
  static let languageEntries: [GlossaryEntry] =
    stepKinds + stepKeys + outcomes + events + misbehaviors + words

  private static let stepKinds: [GlossaryEntry] = StepKind.all.map { kind in
    var facts = kind.outcomes.map { GlossaryEntry.Fact("outcome", "\($0.name) → \(Self.target($0)): \($0.summary)") }
    let keys = keys(in: kind.schema()).map { key, schema in
      GlossaryEntry.Fact("key", "\(key): \(Self.words(of: schema))")
    }
    let libraries = MSALAPINames.all[kind.key] ?? []
    facts = libraries.map { .init("MSAL call", "\($0.name): \($0.calls.joined(separator: ", "))") } + keys + facts
    return GlossaryEntry(
      .stepKind, kind.key, spellings: libraries.flatMap(\.calls) + (kind.fallbackKey.map { [$0] } ?? []),
      .informational, meaning: kind.summary,
      cause: kind.fallbackKey.map {
        "`\($0)` is the same step with `when: fallback`: it runs only if an earlier step falls back to it, and inherits the parameters that it does not set."
      },
      facts: facts, advice: advice(for: kind), shownAs: [kind.key])
  }

  private static func advice(for kind: StepKind) -> String {
    let written = kind.canBeBare ? "`- \(kind.key)`, or `- \(kind.key): {…}` with keys" : "`- \(kind.key): …`"
    return "Write \(written). Use `on` to change the target of an outcome: {outcome: step ID, next, end, or fail}."
  }

  /// Returns the default transition target for an outcome.
  static func target(_ outcome: Outcome) -> String {
    switch outcome.standard {
    case .next: "next step"
    case .fallback: "fallback"
    case .detour: "`silent` runs with the claims, and then the call is repeated"
    case .fail: "fails"
    }
  }

  /// The keys for each step type, and the keys that all steps share. A key with the same meaning in several step types
  /// has a single entry.
  private static let stepKeys: [GlossaryEntry] = {
    var owners: OrderedDictionary<String, OrderedDictionary<String, [String]>> = [:]
    for kind in StepKind.all {
      for (key, schema) in keys(in: kind.schema()) {
        owners[key, default: [:]][words(of: schema), default: []].append(kind.key)
      }
    }
    let kinds = Set(StepKind.keys)
    for (key, schema) in keys(in: Workflow.schema["$defs"]?["step"] ?? .null) where !kinds.contains(key) {
      owners[key, default: [:]][words(of: schema), default: []].append("every step")
    }
    return owners.compactMap { key, meanings in
      guard let first = meanings.keys.first else { return nil }
      return GlossaryEntry(
        .stepKey, key, .informational, meaning: first,
        facts: meanings.map { words, kinds in
          .init(
            "in", meanings.count == 1 ? kinds.joined(separator: ", ") : "\(kinds.joined(separator: ", ")): \(words)")
        },
        advice:
          "Write it in the step, either next to the step type or inside its mapping. `authflow schema workflow` prints the workflow schema.",
        shownAs: [])
    }
  }()

  private static let statuses: [OutcomeName: String] = [
    .unauthorized: "401", .forbidden: "403", .notFound: "404", .throttled: "429", .serviceUnavailable: "503",
  ]

  private static let outcomes: [GlossaryEntry] = {
    var owners: OrderedDictionary<OutcomeName, [(kind: StepKind, outcome: Outcome)]> = [:]
    for kind in StepKind.all {
      for outcome in kind.outcomes { owners[outcome.name, default: []].append((kind, outcome)) }
    }
    return owners.map { name, owners in
      var lines: OrderedDictionary<String, [String]> = [:]
      for owner in owners {
        lines["\(owner.outcome.summary) → \(target(owner.outcome))", default: []].append(owner.kind.key)
      }
      return GlossaryEntry(
        .outcome, name.rawValue, spellings: statuses[name].map { [$0] } ?? [], .informational,
        meaning: owners[0].outcome.summary,
        facts: lines.map { .init("of", "\($0.value.joined(separator: ", ")): \($0.key)") },
        advice:
          "Set its target with `on: {\(name): …}` (a step ID, `next`, `end`, or `fail`), or expect it with `expect: {outcome: \(name)}`.",
        shownAs: [name.rawValue])
    }
  }()

  private static let events: [GlossaryEntry] = EventKind.allCases.map { kind in
    GlossaryEntry(
      .event, kind.rawValue, .informational, meaning: kind.summary,
      advice:
        "Write it in a scenario's `given` (before the first step) or `before` (before a specific step), or in a `simulate` step. The live service does not support it.",
      shownAs: [kind.rawValue])
  }

  private static let misbehaviors: [GlossaryEntry] = Misbehavior.allCases.map { misbehavior in
    GlossaryEntry(
      .misbehavior, misbehavior.rawValue, .informational, meaning: misbehavior.summary,
      advice:
        "Write `simulate: [misbehaves: \(misbehavior.rawValue)]`, and add an expectation that the client detects the misbehavior.",
      related: ["misbehaves"], shownAs: [misbehavior.rawValue])
  }

  private static let words: [GlossaryEntry] = ResultField.allCases.map { word in
    GlossaryEntry(
      .word, word.rawValue, .informational, meaning: word.summary,
      facts: word.values.isEmpty ? [] : [.init("values", word.values.joined(separator: ", "))],
      advice:
        "Use it in `expect` or `capture`. For another step, and in scenarios, write `step.\(word.rawValue)`.")
  }

  /// Returns the keys that a schema declares, with their schemas. Aliases are excluded. The keys of alternative
  /// mappings are included.
  private static func keys(in schema: JSON) -> OrderedDictionary<String, JSON> {
    var keys = schema["properties"]?.object ?? [:]
    for form in schema["anyOf"]?.array ?? [] {
      for (key, value) in form["properties"]?.object ?? [:] where keys[key] == nil { keys[key] = value }
    }
    return keys.filter { $0.value["description"]?.string.map { AliasNote.key(in: $0) == nil } ?? false }
  }

  /// Returns a key's description and default.
  private static func words(of schema: JSON) -> String {
    let words = schema["description"]?.string ?? ""
    guard let standard = schema["default"] else { return words }
    return "\(words) (default \(standard.string ?? standard.text()))"
  }
}

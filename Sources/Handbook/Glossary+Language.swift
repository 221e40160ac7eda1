import Directory
import Documents
import IdentityPlatform
import OrderedCollections
import WorkflowModel

extension Glossary {
  /// The words of workflows, read from their declarations.
  static let languageEntries: [GlossaryEntry] =
    stepKinds + stepKeys + outcomes + events + misbehaviors + words

  private static let stepKinds: [GlossaryEntry] = StepKind.all.map { kind in
    var facts = kind.outcomes.map { GlossaryEntry.Fact("outcome", "\($0.name) → \(Self.target($0)): \($0.words)") }
    let keys = keys(in: kind.schema()).map { key, schema in
      GlossaryEntry.Fact("key", "\(key): \(Self.words(of: schema))")
    }
    let libraries = MSALAPINames.all[kind.key] ?? []
    facts = libraries.map { .init("MSAL call", "\($0.name): \($0.calls.joined(separator: ", "))") } + keys + facts
    return GlossaryEntry(
      .stepKind, kind.key, spellings: libraries.flatMap(\.calls) + (kind.fallbackKey.map { [$0] } ?? []),
      .states, meaning: kind.words,
      cause: kind.fallbackKey.map {
        "`\($0)` is the same with `when: fallback`: it is done only where an earlier step falls back on it, and takes over what it does not say itself."
      },
      facts: facts, advice: advice(for: kind), shownAs: [kind.key])
  }

  private static func advice(for kind: StepKind) -> String {
    let written = kind.standsAlone ? "`- \(kind.key)`, or `- \(kind.key): {…}` with keys" : "`- \(kind.key): …`"
    return "Write \(written). What the outcomes lead to is changed with `on`: {outcome: step, next, end or fail}."
  }

  /// Where an outcome leads that nothing is said about.
  static func target(_ outcome: Outcome) -> String {
    switch outcome.standard {
    case .next: "next step"
    case .fallback: "fallback"
    case .detour: "silent with the claims, then this call again"
    case .fail: "fails"
    }
  }

  /// The keys of the kinds, and those that every step may have; a key that means the same in several kinds is one entry.
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
        .stepKey, key, .states, meaning: first,
        facts: meanings.map { words, kinds in
          .init(
            "in", meanings.count == 1 ? kinds.joined(separator: ", ") : "\(kinds.joined(separator: ", ")): \(words)")
        },
        advice: "Write it beside or below the kind of step; `authflow schema workflow` has its form.",
        shownAs: [])
    }
  }()

  private static let statuses = [
    "unauthorized": "401", "forbidden": "403", "notFound": "404", "throttled": "429", "serviceUnavailable": "503",
  ]

  private static let outcomes: [GlossaryEntry] = {
    var owners: OrderedDictionary<String, [(kind: StepKind, outcome: Outcome)]> = [:]
    for kind in StepKind.all {
      for outcome in kind.outcomes { owners[outcome.name, default: []].append((kind, outcome)) }
    }
    return owners.map { name, owners in
      var lines: OrderedDictionary<String, [String]> = [:]
      for owner in owners {
        lines["\(owner.outcome.words) → \(target(owner.outcome))", default: []].append(owner.kind.key)
      }
      return GlossaryEntry(
        .outcome, name, spellings: statuses[name].map { [$0] } ?? [], .states, meaning: owners[0].outcome.words,
        facts: lines.map { .init("of", "\($0.value.joined(separator: ", ")): \($0.key)") },
        advice:
          "Say where it leads with `on: {\(name): …}` (a step's id, next, end or fail), or count it as expected with `expect: {outcome: \(name)}`.",
        shownAs: [name])
    }
  }()

  private static let events: [GlossaryEntry] = EventKind.allCases.map { kind in
    GlossaryEntry(
      .event, kind.rawValue, .states, meaning: kind.words,
      advice:
        "Write it in a scenario's `given`, before the first step, in its `before`, right before a step, or in a `simulate` step; on the live platform it is refused.",
      shownAs: [kind.rawValue])
  }

  private static let misbehaviors: [GlossaryEntry] = Misbehavior.allCases.map { misbehavior in
    GlossaryEntry(
      .misbehavior, misbehavior.rawValue, .states, meaning: misbehavior.words,
      advice: "Write `simulate: [misbehaves: \(misbehavior.rawValue)]`, and expect the client to notice it.",
      related: ["misbehaves"], shownAs: [misbehavior.rawValue])
  }

  private static let words: [GlossaryEntry] = ResultField.allCases.map { word in
    GlossaryEntry(
      .word, word.rawValue, .states, meaning: word.words,
      facts: word.values.isEmpty ? [] : [.init("values", word.values.joined(separator: ", "))],
      advice:
        "Write it in `expect` and `capture`; of another step as `step.\(word.rawValue)`, in scenarios as well.")
  }

  /// The declared keys of a schema with their own schemas, other spellings left out; also where the mapping is one of
  /// several forms.
  private static func keys(in schema: JSON) -> OrderedDictionary<String, JSON> {
    var keys = schema["properties"]?.object ?? [:]
    for form in schema["anyOf"]?.array ?? [] {
      for (key, value) in form["properties"]?.object ?? [:] where keys[key] == nil { keys[key] = value }
    }
    return keys.filter {
      let words = $0.value["description"]?.string
      return words != nil && words?.contains("(another name of ") == false
    }
  }

  /// What the key means, with its default.
  private static func words(of schema: JSON) -> String {
    let words = schema["description"]?.string ?? ""
    guard let standard = schema["default"] else { return words }
    return "\(words) (default \(standard.string ?? standard.text()))"
  }
}

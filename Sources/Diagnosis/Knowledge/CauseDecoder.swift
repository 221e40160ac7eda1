import Diagnostics
import Documents
import OrderedCollections

/// The decoder for cause files.
enum CauseDecoder {
  /// Decodes a file. The result is nil if the file lacks a required key.
  static func read(_ text: String, id: String) -> (cause: Cause?, diagnostics: [Diagnostic]) {
    let result = DocumentReader.read(text, named: "\(id).yaml", options: ReadingOptions(syntax: .yaml))
    guard let document = result.document else { return (nil, result.diagnostics) }
    var problems = DiagnosticCollector()
    var cause = Cause()
    cause.id = id
    let isComplete = fields.read(document.root, into: &cause, &problems)
    if cause.fix["default"] == nil { problems.error("missing-key", "missing key `fix.default`", at: document.root) }
    let hasScenario = EmbeddedData.text("scenarios/\(id).yaml") != nil
    if hasScenario != (cause.reproduces != nil) || hasScenario != (cause.unreproducible == nil) {
      problems.error(
        "reproduction", "expected a scenario with `reproduces`, or `unreproducible` without a scenario",
        help: "add `scenarios/\(id).yaml` and its code, or explain why the emulator cannot reproduce the cause",
        at: document.root)
    }
    return (isComplete ? cause : nil, result.diagnostics + problems.diagnostics)
  }

  private static let fields = Fields<Cause>(
    "a cause",
    [
      Field("title", .nonEmptyString, into: { $0.title = $1 }, required: true, "Defect as a lowercase noun phrase"),
      Field("prior", .enumeration(), into: { $0.prior = $1 }, "How often developers encounter the cause"),
      Field("explanation", .nonEmptyString, into: { $0.explanation = $1 }, required: true, "Cause and consequence"),
      Field("details", .list(of: .nonEmptyString), into: { $0.details = $1 }, "Sentences with captures"),
      Field(
        "recognizers", .list(of: .record(recognizerFields, empty: Recognizer())), into: { $0.recognizers = $1 },
        required: true, "Signs of the cause"),
      Field("codes", .list(of: .nonEmptyString), into: { $0.codes = $1 }, "Codes that the cause can produce"),
      Field(
        "discriminators", .list(of: .record(discriminatorFields, empty: Cause.Discriminator())),
        into: { $0.discriminators = $1 }, "Other causes that can produce the same text"),
      Field("needs", .nonEmptyString, into: { $0.needs = $1 }, "Information that would determine the cause"),
      Field(
        "fix", .map(of: .nonEmptyString), into: { $0.fix = Dictionary(uniqueKeysWithValues: $1.map { ($0, $1) }) },
        required: true, "Fix by platform"),
      Field(
        "concerns", .list(of: .enumeration()), into: { $0.concerns = $1 },
        "Settings in the app's files that the fix changes"),
      Field("rules", .list(of: .nonEmptyString), into: { $0.rules = $1 }, "Validation rules that detect the defect"),
      Field("reproduces", .nonEmptyString, into: { $0.reproduces = $1 }, "Code in the trace of the scenario"),
      Field(
        "unreproducible", .nonEmptyString, into: { $0.unreproducible = $1 },
        "Reason why there is no scenario, and the place to check instead"),
    ])

  private static let discriminatorFields = Fields<Cause.Discriminator>(
    "a discriminator",
    [
      Field("cause", .nonEmptyString, into: { $0.cause = $1 }, required: true, "ID of the other cause"),
      Field("tell", .nonEmptyString, into: { $0.tell = $1 }, required: true, "Distinguishing information"),
    ])

  private static let recognizerFields = Fields<Recognizer>(
    "a recognizer",
    [
      Field("text", .listOrOne(of: phrase), into: { $0.texts = $1 }, "Phrases, at least one of which must occur"),
      Field("facts", .list(of: fact), into: { $0.facts = $1 }, "Facts that must be present"),
      Field(
        "without", .list(of: .nonEmptyString),
        into: { recognizer, items in
          for item in items {
            if let name = item.wholeMatch(of: /[a-z][a-z0-9-]*:\S+/) {
              recognizer.withoutFacts.append(FactPattern(String(name.output)))
            } else if let phrase = Phrase(item) {
              recognizer.withoutTexts.append(phrase)
            }
          }
        }, "Facts and phrases that must be absent"),
      Field("strength", .enumeration(), into: { $0.strength = $1 }, required: true, "Weight of the match"),
    ])

  private static let phrase = Codec<String>.nonEmptyString.flatMap { text, node, problems -> Phrase? in
    if let phrase = Phrase(text) { return phrase }
    problems.error("short-phrase", "the phrase `\(text)` has no literal of at least 5 characters", at: node)
    return nil
  }

  private static let fact = Codec<String>.nonEmptyString.flatMap { text, node, problems -> FactPattern? in
    if text.wholeMatch(of: /[a-z][a-z0-9-]*:\S+/) != nil { return FactPattern(text) }
    problems.error("malformed-fact", "expected a fact such as `aadsts:50011`, found `\(text)`", at: node)
    return nil
  }
}

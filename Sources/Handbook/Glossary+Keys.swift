import Directory
import Documents
import IdentityPlatform
import OrderedCollections
import WorkflowModel

extension Glossary {
  /// The keys in workflows, scenarios, events, and directory files, at all nesting levels. The entries are derived from
  /// the JSON Schemas, which are generated from the same declarations as the decoders.
  static let keyEntries: [GlossaryEntry] = {
    let workflow = Workflow.schema
    let definitions = workflow["$defs"] ?? .null
    func definition(_ name: String) -> JSON { definitions[name] ?? .null }
    let listed = Set(languageEntries.map(\.name))
    let steps = KeyPlaces("step", definition("step")).entries(.stepKey)
    let events = KeyPlaces("event", definition("events")).entries(.eventKey)
    return steps.filter { !listed.contains($0.name) } + events.filter { EventKind(rawValue: $0.name) == nil }
      + KeyPlaces("workflow", workflow).and("scenarios file", Workflow.scenariosFileSchema).entries(.workflowKey)
      + KeyPlaces("scenario", definition("scenario")).and("user", definition("user"))
      .and("expect", definition("expectations")).and("matcher", definition("matcher"))
      .entries(.scenarioKey).filter { ResultField(rawValue: $0.name) == nil }
      + KeyPlaces("directory", EmulatedDirectory.fields.schema).entries(.directoryKey)
  }()
}

/// The keys in schemas, with all locations of each key.
private struct KeyPlaces {
  private struct Occurrence {
    var place: String
    var words: String
  }

  private var found: OrderedDictionary<String, [Occurrence]> = [:]
  private var aliases: OrderedDictionary<String, OrderedSet<String>> = [:]

  init(_ place: String, _ schema: JSON) { collect(schema, in: place, parent: nil) }

  func and(_ place: String, _ schema: JSON) -> KeyPlaces {
    var copy = self
    copy.collect(schema, in: place, parent: nil)
    return copy
  }

  /// - Parameter parent: The description of the mapping that contains the keys, which is also used for keys without a
  ///   description.
  private mutating func collect(_ schema: JSON, in place: String, parent: String?) {
    for (key, value) in schema["properties"]?.object ?? [:] {
      let name = place.split(separator: ".").last.map(String.init) ?? place
      let words = value["description"]?.string ?? "key of \(name)\(parent.map { ": \($0)" } ?? "")"
      if let original = AliasNote.key(in: words) {
        aliases[original, default: []].append(key)
        continue
      }
      let occurrence = Occurrence(place: place, words: words)
      if found[key]?.contains(where: { $0.place == place && $0.words == words }) != true {
        found[key, default: []].append(occurrence)
      }
      collect(value, in: "\(place).\(key)", parent: words)
    }
    for form in schema["anyOf"]?.array ?? [] { collect(form, in: place, parent: parent) }
    for inside in [schema["items"], schema["additionalProperties"]].compactMap({ $0 }) {
      collect(inside, in: place, parent: parent)
    }
  }

  func entries(_ topic: GlossaryEntry.Topic) -> [GlossaryEntry] {
    found.compactMap { key, occurrences in
      guard let first = occurrences.first else { return nil }
      return GlossaryEntry(
        topic, key, spellings: Array(aliases[key] ?? []), .informational, meaning: first.words,
        facts: occurrences.map { .init("in", $0.words == first.words ? $0.place : "\($0.place): \($0.words)") },
        advice: "`authflow schema` prints the file's schema, including this key and its values.")
    }
  }
}

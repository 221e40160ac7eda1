import Diagnostics
import Directory
import Documents
import OrderedCollections

/// Something that happens in the world, where a workflow says it: before a scenario begins (`given`), before one of its
/// steps, or as a step. What can happen is declared once, in `Directory`.
package struct ScriptedEvent: Sendable {
  /// An event with the text that says it, as the platform's control interface takes it.
  package struct Written: Sendable {
    package var event: Directory.SimulatedEvent
    package var json: JSON
  }

  package var kind: EventKind
  /// What is said about it; `${…}` are filled in when its time comes.
  package var written: Resolvable<Written>
  /// The same as it is written, `${…}` and all.
  package var said: JSON
  /// Where its word stands.
  package var place: FileSpan

  /// What stands behind the word, where it was written out; nil for a bare word.
  package var details: JSON? { written.literal?.json.object?.values.first }
}

/// The vocabulary of events: past participles or states.
package typealias EventKind = Directory.SimulatedEvent.Word

extension Codec where Value == ScriptedEvent {
  private static let written = Codec<ScriptedEvent.Written>(
    expecting: Directory.SimulatedEvent.codec.expectation, schema: Directory.SimulatedEvent.codec.schema()
  ) { node, problems in
    Directory.SimulatedEvent.codec.read(node, &problems).map { ScriptedEvent.Written(event: $0, json: node.json) }
  }.resolvable

  static let event = Self(
    expecting: written.expectation, schema: withTemplates(Directory.SimulatedEvent.codec.schema())
  ) { node, problems in
    guard let written = written.read(node, &problems) else { return nil }
    let word = node.kind == .mapping ? node.entries.first { _ in true }?.key : node
    guard let word, let kind = EventKind(rawValue: word.string ?? "") else {
      problems.error(
        "unknown-event", "what happens must be a word of its own", help: "write one such as passwordChanged",
        at: node)
      return nil
    }
    return ScriptedEvent(kind: kind, written: written, said: node.json, place: word.place)
  }

  /// The schema, where any value inside may also hold `${…}`.
  private static func withTemplates(_ schema: JSON) -> JSON {
    var schema = schema
    for key in ["anyOf", "oneOf"] {
      if let cases = schema[key]?.array { schema[key] = .array(cases.map(withTemplates)) }
    }
    if let items = schema["items"] { schema["items"] = withTemplates(items) }
    guard let properties = schema["properties"]?.object else { return schema }
    schema["properties"] = .object(
      properties.mapValues { value in
        guard value.object != nil, value["type"] != "string" || value["pattern"] != nil else { return value }
        var value = withTemplates(value)
        let words = value["description"]
        value["description"] = nil
        var either: JSON = ["anyOf": [value, ["type": "string", "pattern": "\\$\\{"]]]
        if let words { either["description"] = words }
        return either
      })
    return schema
  }
}

extension Codec where Value == [ScriptedEvent] {
  /// A list of events, or one.
  static var events: Self {
    let list = Codec<[ScriptedEvent]>.list(of: .event)
    return Self(
      expecting: "a list of events", schema: ["$ref": "#/$defs/events"]
    ) { node, problems in
      if node.kind == .array { return list.read(node, &problems) }
      return Codec<ScriptedEvent>.event.read(node, &problems).map { [$0] }
    }
  }
}

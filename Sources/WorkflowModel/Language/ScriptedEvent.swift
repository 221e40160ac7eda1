import Diagnostics
import Directory
import Documents
import OrderedCollections

/// A simulated event in a workflow: in `given`, in `before`, or as a `simulate` step. The `Directory` module declares
/// all events.
package struct ScriptedEvent: Sendable {
  /// An event and its JSON representation, which the emulator's control interface accepts.
  package struct Source: Sendable {
    package var event: Directory.SimulatedEvent
    package var json: JSON
  }

  package var kind: EventKind
  /// The event, in which `${…}` is resolved when the event occurs.
  package var source: Resolvable<Source>
  /// The event as JSON, with each `${…}` unresolved.
  package var sourceJSON: JSON
  /// The location of the event's keyword.
  package var place: FileSpan

  /// The parameters of the event. Nil for a bare keyword or an event that contains `${…}`.
  package var details: JSON? { source.literal?.json.object?.values.first }
}

/// The event keywords.
package typealias EventKind = Directory.SimulatedEvent.Word

extension Codec where Value == ScriptedEvent {
  private static let sourceCodec = Codec<ScriptedEvent.Source>(
    expecting: Directory.SimulatedEvent.codec.expectation, schema: Directory.SimulatedEvent.codec.schema()
  ) { node, problems in
    Directory.SimulatedEvent.codec.read(node, &problems).map { ScriptedEvent.Source(event: $0, json: node.json) }
  }.resolvable

  static let event = Self(
    expecting: sourceCodec.expectation, schema: withTemplates(Directory.SimulatedEvent.codec.schema())
  ) { node, problems in
    guard let source = sourceCodec.read(node, &problems) else { return nil }
    let keyword = node.kind == .mapping ? node.entries.first { _ in true }?.key : node
    guard let keyword, let kind = EventKind(rawValue: keyword.string ?? "") else {
      problems.error(
        "unknown-event", "`${…}` cannot be used as an event",
        help: "use an event such as `passwordChanged`", at: node)
      return nil
    }
    return ScriptedEvent(kind: kind, source: source, sourceJSON: node.json, place: keyword.place)
  }

  /// Returns the schema with `${…}` allowed as the value of every parameter.
  private static func withTemplates(_ schema: JSON) -> JSON {
    var schema = schema
    for key in ["anyOf", "oneOf"] {
      if let alternatives = schema[key]?.array { schema[key] = .array(alternatives.map(withTemplates)) }
    }
    if let items = schema["items"] { schema["items"] = withTemplates(items) }
    guard let properties = schema["properties"]?.object else { return schema }
    schema["properties"] = .object(
      properties.mapValues { value in
        guard value.object != nil, value["type"] != "string" || value["pattern"] != nil else { return value }
        var value = withTemplates(value)
        let description = value["description"]
        value["description"] = nil
        var valueOrTemplate: JSON = ["anyOf": [value, ["type": "string", "pattern": "\\$\\{"]]]
        if let description { valueOrTemplate["description"] = description }
        return valueOrTemplate
      })
    return schema
  }
}

extension Codec where Value == [ScriptedEvent] {
  /// A list of events, or a single event.
  static var events: Self {
    let list = Codec<[ScriptedEvent]>.list(of: .event)
    return Self(
      expecting: "a list of events", schema: ["$ref": "#/$defs/events"]
    ) { node, problems in
      if node.kind == .array { return list.read(node, &problems) }
      return Codec<ScriptedEvent>.event.read(node, &problems).map { [$0] }
    }
  }

  /// A nonempty list of events, or a single event.
  static var nonEmptyEvents: Self {
    let events = events
    return Self(expecting: events.expectation, schema: events.schema()) { node, problems in
      if node.kind == .array, node.count == 0 {
        problems.error(
          "empty-value", "empty list of events", help: "add an event, such as `passwordChanged`", at: node)
        return nil
      }
      return events.read(node, &problems)
    }
  }
}

import Diagnostics
import Documents

// Reading for who has no problems of their own to collect: the value and what was found wrong, at once.

extension EmulatedDirectory {
  /// Reads a directory document.
  /// - Parameter base: what it is laid over; nil: it stands alone.
  package static func read(
    _ node: Node, over base: EmulatedDirectory? = nil
  ) -> (directory: EmulatedDirectory?, diagnostics: [Diagnostic]) {
    var problems = DiagnosticCollector()
    let directory = read(node, over: base, &problems)
    return (directory, problems.diagnostics)
  }

  /// The JSON Schema (2020-12) of a directory document.
  package static var schema: JSON { fields.schema }
}

extension User {
  /// Reads back what `json` wrote; nil where a required key is missing.
  package init?(_ json: JSON) {
    var user = User()
    var problems = DiagnosticCollector()
    guard User.fields.read(Document.of(json, name: "user").root, into: &user, &problems),
      !problems.diagnostics.hasErrors
    else { return nil }
    self = user
  }
}

extension SimulatedEvent {
  /// Reads a list of events; those that are none are told and left out.
  package static func list(_ node: Node) -> (events: [SimulatedEvent], diagnostics: [Diagnostic]) {
    var problems = DiagnosticCollector()
    let events = Codec.list(of: codec).read(node, &problems) ?? []
    return (events, problems.diagnostics)
  }

  /// The JSON Schema (2020-12) of one event.
  package static var schema: JSON { codec.schema() }
}

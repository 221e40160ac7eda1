import Diagnostics
import Documents

// These variants return the value together with its diagnostics.

extension EmulatedDirectory {
  /// Decodes a directory document.
  /// - Parameter base: The directory to override, or nil.
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
  /// Decodes the result of `json`, or returns nil if a required key is missing.
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
  /// Decodes a list of events. Reports and skips invalid events.
  package static func list(_ node: Node) -> (events: [SimulatedEvent], diagnostics: [Diagnostic]) {
    var problems = DiagnosticCollector()
    let events = Codec.list(of: codec).read(node, &problems) ?? []
    return (events, problems.diagnostics)
  }

  /// The JSON Schema (2020-12) of an event.
  package static var schema: JSON { codec.schema() }
}

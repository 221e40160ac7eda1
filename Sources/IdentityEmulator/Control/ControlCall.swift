import Diagnostics
import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

/// An authorized control request and the platform that it acts on.
struct ControlCall: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest
  /// The values of the placeholders in the path.
  let values: [String]

  /// The isolation name, from the `isolation` query parameter, the `x-authflow-isolation` header, or the host.
  var isolation: String? { exchange.query["isolation"] ?? exchange.isolation }

  private var isJSON: Bool {
    let type = exchange.request.head.headerFields[.contentType]?.lowercased() ?? ""
    return type.prefix { $0 != ";" }.trimmingSpaces() == "application/json"
  }

  /// Checks the size and content type of the body. If `isRequired` is false, the body can be empty.
  func checkBody(isRequired: Bool) throws(ControlError) {
    guard !exchange.request.body.isEmpty || isRequired else { return }
    guard exchange.request.body.count <= GraphLimits.request else {
      throw ControlError("request body exceeds 4 MiB; split it into several requests", status: .contentTooLarge)
    }
    guard isJSON else {
      throw ControlError("request body must be JSON; set the `Content-Type` header to `application/json`")
    }
  }

  /// Parses the body as JSON.
  func body() throws(ControlError) -> JSON {
    do {
      return try JSON(parsing: exchange.request.body)
    } catch {
      throw ControlError("invalid JSON in request body: \(error)")
    }
  }

  /// Parses the body as JSON. Returns an empty object if the request has no body.
  func optionalBody() throws(ControlError) -> JSON { exchange.request.body.isEmpty ? [:] : try body() }

  /// Checks that the body is an object that contains only supported members.
  func members(_ supported: [String], of json: JSON) throws(ControlError) {
    guard let object = json.object else {
      throw ControlError("request body must be a JSON object with \(Self.quoted(supported))")
    }
    let unknown = object.keys.filter { !supported.contains($0) }
    guard unknown.isEmpty else {
      throw ControlError(
        unknown.map { "unknown member `\($0.prefix(60))`; supported members: \(Self.quoted(supported))" })
    }
  }

  private static func quoted(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

  /// Parses the body as a list. A single object counts as a list with one element.
  func list() throws(ControlError) -> [JSON] {
    let json = try body()
    if let list = json.array { return list }
    guard json.object != nil else { throw ControlError("request body must be a JSON list") }
    return [json]
  }

  /// Decodes records in the format of a directory file.
  func records<Record: Sendable>(
    _ list: [JSON], _ fields: Fields<Record>, empty: Record
  ) throws(ControlError) -> [Record] {
    var problems = DiagnosticCollector()
    let node = Document.of(.array(list), name: "request").root
    let records = Codec.list(of: .record(fields, empty: empty)).read(node, &problems) ?? []
    try Self.check(problems.diagnostics)
    return records
  }

  private static func check(_ diagnostics: [Diagnostic]) throws(ControlError) {
    let errors = diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw ControlError(errors.map { [$0.message, $0.help].compactMap { $0 }.joined(separator: "; ") })
    }
  }

  /// Applies a list of events. If any event is invalid, no events are applied.
  func simulate(_ json: JSON) throws(ControlError) {
    guard json.array != nil else {
      throw ControlError("request body must be a JSON list, such as `[{\"wait\": \"1h\"}]`")
    }
    let (events, diagnostics) = SimulatedEvent.list(Document.of(json, name: "request").root)
    try Self.check(diagnostics)
    let worldNow = platform.clock.now
    let isolation = isolation
    let problem = platform.withState { state -> String? in
      var next = state
      for event in events {
        do throws(InvalidEventError) {
          try next.apply(event, now: worldNow + next.clockShift, worldNow: worldNow, isolation: isolation)
        } catch {
          return error.message
        }
      }
      state = next
      return nil
    }
    if let problem { throw ControlError(problem) }
  }

  /// Returns the account with this username, or the directory's first account if the name is nil.
  func account(named name: String?) throws(ControlError) -> GraphState.Account {
    let account = platform.withState { state in
      name.map { state.account(named: $0) } ?? state.graph.accounts.values.first
    }
    guard let account else {
      throw ControlError(
        name.map { "unknown user `\($0.prefix(100))`; `GET /_authflow/users` lists all users" }
          ?? "directory contains no users")
    }
    return account
  }
}

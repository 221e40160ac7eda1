import Diagnostics
import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

/// A control request that was let in, with what its file needs.
struct ControlCall: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest
  /// What stood for the path's segments in braces.
  let values: [String]

  /// The test that asks: by the header, by `?isolation=`, or by the host's name.
  var isolation: String? { exchange.query["isolation"] ?? exchange.isolation }

  private var isJSON: Bool {
    let type = exchange.request.head.headerFields[.contentType]?.lowercased() ?? ""
    return type.prefix { $0 != ";" }.trimmingSpaces() == "application/json"
  }

  /// A body is JSON and says so. Where none is needed, none, or any JSON, will do.
  func checkBody(takes takesBody: Bool) throws(ControlError) {
    guard !exchange.request.body.isEmpty || takesBody else { return }
    guard exchange.request.body.count <= GraphLimits.request else {
      throw ControlError("the body is too large; send it in parts of at most 4 MiB", status: .contentTooLarge)
    }
    guard isJSON else {
      throw ControlError("the body must be JSON; send it with the header Content-Type: application/json")
    }
  }

  /// The body, read.
  func body() throws(ControlError) -> JSON {
    do {
      return try JSON(parsing: exchange.request.body)
    } catch {
      throw ControlError("the body is no JSON: \(error)")
    }
  }

  /// The body where one may be left out: then an empty object.
  func optionalBody() throws(ControlError) -> JSON { exchange.request.body.isEmpty ? [:] : try body() }

  /// The body's members, of which only these may occur.
  func members(_ known: [String], of json: JSON) throws(ControlError) {
    guard let object = json.object else {
      throw ControlError("the body must be a JSON object with \(known.joined(separator: ", "))")
    }
    let unknown = object.keys.filter { !known.contains($0) }
    guard unknown.isEmpty else {
      throw ControlError(
        unknown.map { "\"\($0.prefix(60))\" is not a member here; there are \(known.joined(separator: ", "))" })
    }
  }

  /// A list as it stands, or one thing as a list of one.
  func list() throws(ControlError) -> [JSON] {
    let json = try body()
    if let list = json.array { return list }
    guard json.object != nil else { throw ControlError("the body must be a JSON list") }
    return [json]
  }

  /// Reads records as a directory file writes them.
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
    let mistakes = diagnostics.filter { $0.severity == .error }
    guard mistakes.isEmpty else {
      throw ControlError(mistakes.map { [$0.message, $0.help].compactMap { $0 }.joined(separator: "; ") })
    }
  }

  /// Makes all of these happen, or none.
  func simulate(_ json: JSON) throws(ControlError) {
    guard json.array != nil else { throw ControlError("the body is no JSON list; write [{\"wait\": \"1h\"}]") }
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

  /// The account that a body's `user` names; the directory's first where it names none.
  func account(named name: String?) throws(ControlError) -> GraphState.Account {
    let found = platform.withState { state in
      name.map { state.account(named: $0) } ?? state.graph.accounts.values.first
    }
    guard let found else {
      throw ControlError(
        name.map { "nobody has the username \"\($0.prefix(100))\"; GET /_authflow/users lists who is there" }
          ?? "the directory has no users")
    }
    return found
  }
}

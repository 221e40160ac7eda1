import Documents
import Effects
import HTTPTypes
import OAuth

/// `/_authflow/…`, on every host: what a scenario, or another program's test, makes happen and wants to know.
///
/// Each request is a file of `Requests/`; `EmulatorControl.md` shows them with examples. Answers are JSON
/// with `version: 1`; what is wrong stands in `problems`, in plain words.
struct ControlInterface: Sendable {
  static let root = "_authflow"

  /// The requests there are, in the order of the index.
  static let requests: [ControlRequest] = [
    .index, .state, .trail, .events, .faults, .addFaults, .removeFaults, .clock, .setClock, .misbehaviors,
    .setMisbehaviors, .users, .addUsers, .removeUser, .apps, .addApps, .policies, .addPolicies, .removePolicy,
    .devices, .settleDevice, .notifications, .tokens, .isolations, .bindIsolation, .reset,
  ]

  let platform: Platform
  let exchange: EmulatorRequest

  func answer() async -> ResponseMessage {
    do throws(ControlError) {
      try ControlAccessCheck(platform: platform, exchange: exchange).admit()
      let words = Array(exchange.segments.dropFirst())
      let fitting = Self.requests.compactMap { request in request.match(words).map { (request, $0) } }
      guard let (request, values) = fitting.first(where: { $0.0.method == exchange.method }) else {
        throw unknown(words, methods: fitting.map(\.0.method.rawValue))
      }
      let call = ControlCall(platform: platform, exchange: exchange, values: values)
      try call.checkBody(takes: request.takesBody)
      return ResponseBuilder.control(try await request.perform(call), to: exchange)
    } catch {
      return ResponseBuilder.control(
        ["version": 1, "problems": .array(error.problems.map { .string($0) })], status: error.status, to: exchange)
    }
  }

  /// Former paths and the current ones.
  private static let renamedPaths = ["happenings": "events", "misbehaviours": "misbehaviors"]

  private func unknown(_ words: [String], methods: [String]) -> ControlError {
    let path = "/\(Self.root)/" + words.joined(separator: "/").prefix(100)
    if !methods.isEmpty {
      return ControlError(
        "\(path) takes \(methods.joined(separator: " and ")), not \(exchange.method.rawValue)",
        status: .methodNotAllowed)
    }
    if let former = words.first, let current = Self.renamedPaths[former] {
      let renamed = ([Self.root, current] + words.dropFirst()).joined(separator: "/").prefix(100)
      return ControlError("\(path) is now called /\(renamed)", status: .notFound)
    }
    return ControlError(
      ["there is no control request \(path); there are:"] + Self.requests.map { "\($0.spelled): \($0.words)" },
      status: .notFound)
  }
}

/// Why a control request does nothing.
struct ControlError: Error, Sendable {
  var problems: [String]
  var status: HTTPResponse.Status

  init(_ problems: [String], status: HTTPResponse.Status = .badRequest) {
    self.problems = problems
    self.status = status
  }

  init(_ problem: String, status: HTTPResponse.Status = .badRequest) { self.init([problem], status: status) }
}

extension ResponseBuilder {
  /// JSON that nobody keeps and no page of another site can load as anything.
  static func control(_ json: JSON, status: HTTPResponse.Status = .ok, to exchange: EmulatorRequest) -> ResponseMessage
  {
    var headers = common(exchange)
    headers[.contentType] = "application/json; charset=utf-8"
    headers[.cacheControl] = "no-store"
    headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    headers[.resourcePolicy] = "same-origin"
    return ResponseMessage(status, headers: headers, body: Array(json.text(sortedKeys: false).utf8))
  }
}

extension HTTPField.Name {
  static let resourcePolicy = HTTPField.Name(constant: "cross-origin-resource-policy")
}

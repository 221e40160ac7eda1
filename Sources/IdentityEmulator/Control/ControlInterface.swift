import Documents
import Effects
import HTTPTypes
import OAuth

/// The control interface `/_authflow/…`, available on every host. Scenarios and tests use it to change and inspect the
/// emulator.
///
/// Each file in `Requests/` implements a group of requests. `EmulatorControl.md` documents the requests with examples.
/// Responses are JSON objects with `version: 1`. The `problems` member lists errors.
struct ControlInterface: Sendable {
  static let root = "_authflow"

  /// The supported requests, in index order.
  static let requests: [ControlRequest] = [
    .index, .state, .requestLog, .requestDetails, .events, .faults, .addFaults, .removeFaults, .removeFault, .clock,
    .setClock, .misbehaviors,
    .setMisbehaviors, .users, .addUsers, .removeUser, .apps, .addApps, .policies, .addPolicies, .removePolicy,
    .devices, .resolveDevice, .signIns, .signIn, .resolveSignIn, .addLink, .notifications, .tokens, .isolations,
    .bindIsolation, .reset,
  ]

  let platform: Platform
  let exchange: EmulatorRequest

  func response() async -> ResponseMessage {
    do throws(ControlError) {
      let segments = Array(exchange.segments.dropFirst())
      let fitting = Self.requests.compactMap { request in request.match(segments).map { (request, $0) } }
      let isForPages = fitting.contains { $0.0.isForSignInPages && $0.0.method == exchange.method }
      try ControlAccessCheck(platform: platform, exchange: exchange).check(allowsOwnPages: isForPages)
      guard let (request, values) = fitting.first(where: { $0.0.method == exchange.method }) else {
        throw unknown(segments, methods: fitting.map(\.0.method.rawValue))
      }
      let call = ControlCall(platform: platform, exchange: exchange, values: values)
      try call.checkBody(isRequired: request.requiresBody)
      return ResponseBuilder.control(try await request.perform(call), to: exchange)
    } catch {
      return ResponseBuilder.control(
        ["version": 1, "problems": .array(error.problems.map { .string($0) })], status: error.status, to: exchange)
    }
  }

  /// The current name of each renamed top-level path.
  private static let renamedPaths = ["happenings": "events", "misbehaviours": "misbehaviors"]

  private func unknown(_ segments: [String], methods: [String]) -> ControlError {
    let path = "/\(Self.root)/" + segments.joined(separator: "/").prefix(100)
    if !methods.isEmpty {
      return ControlError(
        "`\(path)` supports \(methods.joined(separator: " and ")), not \(exchange.method.rawValue)",
        status: .methodNotAllowed)
    }
    if let former = segments.first, let current = Self.renamedPaths[former] {
      let renamed = ([Self.root, current] + segments.dropFirst()).joined(separator: "/").prefix(100)
      return ControlError("`\(path)` was renamed to `/\(renamed)`", status: .notFound)
    }
    return ControlError(
      ["unknown control request `\(path)`; supported requests:"]
        + Self.requests.map { "`\($0.methodAndPath)`: \($0.summary)" },
      status: .notFound)
  }
}

/// A rejected control request.
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
  /// Returns a JSON response that must not be cached and that other sites cannot embed.
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

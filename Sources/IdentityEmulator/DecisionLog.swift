import Directory
import Effects
import OAuth
import Synchronization

/// The emulator's decision about a request and the reason, as shown in the request log. A decision contains no secrets.
struct Decision: Hashable, Sendable {
  /// The emulator's response to a request. The request log shows its description as the `decision`.
  enum Action: Hashable, Sendable, CustomStringConvertible {
    case issuedTokens
    case issuedAppToken
    /// The emulator sent an authorization response with these response types, such as `code`.
    case issuedResponse(types: Set<String>)
    case approvedDevice
    case recordedAdminConsent
    case showedPage(Screen?)
    case rejected
    /// The emulator does not support this Graph request.
    case notEmulated
    case injectedFault
    case redirected
    case responded
    case closedConnection

    var description: String {
      switch self {
      case .issuedTokens: "issued tokens"
      case .issuedAppToken: "issued an app token"
      case .issuedResponse(let types): "issued \(types.sorted().joined(separator: " and "))"
      case .approvedDevice: "approved the device"
      case .recordedAdminConsent: "recorded admin consent"
      case .showedPage(let screen): "showed page \(screen?.rawValue ?? "")"
      case .rejected: "rejected"
      case .notEmulated: "not emulated"
      case .injectedFault: "injected a fault"
      case .redirected: "redirected"
      case .responded: "responded"
      case .closedConnection: "closed the connection"
      }
    }
  }

  /// A check that the emulator performed, such as the comparison of the redirect URI, and its result.
  struct Check: Hashable, Sendable {
    /// The checked part of the request, such as `redirect URI`.
    var subject: String
    var result: String
    var isPassed = true
  }

  var action: Action?
  /// The error description, or the cause of the decision.
  var reason: String?
  /// The error code, such as `AADSTS65001`.
  var code: String?
  /// The client ID.
  var client: String?
  /// The username.
  var user: String?
  /// The requested scopes, separated by spaces.
  var scopes: String?
  /// The `grant_type`.
  var grant: String?
  /// The Conditional Access policy that applied.
  var policy: String?
}

/// A log that collects the decision and checks for a request while the emulator processes it.
final class DecisionLog: Sendable {
  private let state = Mutex(Decision())
  private let performed = Mutex<[Decision.Check]>([])

  var decision: Decision { state.withLock { $0 } }
  /// The checks in the order in which the emulator performed them.
  var checks: [Decision.Check] { performed.withLock { $0 } }

  /// The maximum number of checks, and the maximum length of a result in bytes. The limits are necessary because
  /// clients control the content of results.
  private static let checkLimit = (count: 40, bytes: 400)

  /// Records the result of a check. A result must not contain secrets.
  func check(_ subject: String, _ result: String, isPassed: Bool = true) {
    performed.withLock { checks in
      guard checks.count < Self.checkLimit.count else { return }
      checks.append(
        Decision.Check(
          subject: subject, result: String(decoding: result.utf8.prefix(Self.checkLimit.bytes), as: UTF8.self),
          isPassed: isPassed))
    }
  }

  /// Sets the given properties of the decision. A nil argument leaves its property unchanged.
  func record(
    _ action: Decision.Action? = nil, reason: String? = nil, client: String? = nil, user: String? = nil,
    scopes: String? = nil
  ) {
    state.withLock { decision in
      if let action { decision.action = action }
      if let reason { decision.reason = reason }
      if let client { decision.client = client }
      if let user { decision.user = user }
      if let scopes { decision.scopes = scopes }
    }
  }

  func recordError(_ error: ErrorResponse) {
    check("error", "\(error.label): \(error.message)", isPassed: false)
    state.withLock { decision in
      decision.action = .rejected
      decision.code = error.label
      decision.reason = String(error.message.prefix(400))
    }
  }

  func recordPolicy(of requirement: UnmetPolicyRequirement) {
    state.withLock { $0.policy = requirement.policy?.name }
    check("policies", "not met: \(requirement.policy?.name ?? "user's second factor")", isPassed: false)
  }
}

extension Decision {
  /// Fills in the properties that no endpoint recorded, based on the request and its response.
  mutating func complete(_ entry: RequestLogEntry, _ exchange: EmulatorRequest, fault: Fault?) {
    client = client ?? exchange.form["client_id"] ?? exchange.query["client_id"]
    scopes = scopes ?? exchange.form["scope"] ?? exchange.query["scope"]
    grant = exchange.form["grant_type"]
    if let fault {
      action = .injectedFault
      reason = "a fault is installed at \(fault.at.spelled)"
    }
    guard action == nil else { return }
    action =
      switch entry.status {
      case nil: .closedConnection
      case let status? where status >= 400: .rejected
      case let status? where status >= 300: .redirected
      default: .responded
      }
  }
}

extension UnmetPolicyRequirement {
  /// The policy that causes the requirement, or nil if the cause is the user's own second factor or risk.
  var policy: AccessPolicy? {
    switch self {
    case .factor(let policy): policy
    case .tooRisky: nil
    case .freshSignIn(let policy), .device(_, let policy), .externalCheck(let policy), .approvedApp(let policy),
      .newPassword(let policy), .blocked(let policy):
      policy
    }
  }
}

import Directory
import Effects
import OAuth
import Synchronization

/// What was decided about one request, and why: for the control interface's trail. Nothing secret is noted.
struct Decision: Hashable, Sendable {
  /// `issued tokens`, `showed the page password`, `refused`, ….
  var words = ""
  /// The error's own sentence, or what made it so.
  var reason: String?
  /// `AADSTS65001`.
  var code: String?
  /// A client id.
  var client: String?
  /// A username.
  var user: String?
  /// Separated by spaces, as asked for.
  var scopes: String?
  /// The `grant_type`.
  var grant: String?
  /// The conditional access policy that applied.
  var policy: String?
}

/// Where the parts of the emulator that decide note it down, while a request is on its way.
final class DecisionLog: Sendable {
  private let notes = Mutex(Decision())

  var decision: Decision { notes.withLock { $0 } }

  /// The last one to decide has the word; what is nil leaves what was noted before.
  func note(
    _ words: String? = nil, reason: String? = nil, client: String? = nil, user: String? = nil, scopes: String? = nil
  ) {
    notes.withLock { decision in
      if let words { decision.words = words }
      if let reason { decision.reason = reason }
      if let client { decision.client = client }
      if let user { decision.user = user }
      if let scopes { decision.scopes = scopes }
    }
  }

  func refuse(_ refusal: ErrorResponse) {
    notes.withLock { decision in
      decision.words = "refused"
      decision.code = refusal.label
      decision.reason = String(refusal.message.prefix(400))
    }
  }

  func apply(_ condition: UnmetPolicyRequirement) {
    notes.withLock { $0.policy = condition.policy?.name }
  }
}

extension Decision {
  /// Fills in what nobody noted, from the request and its answer.
  mutating func complete(_ entry: RequestLogEntry, _ exchange: EmulatorRequest, fault: Fault?) {
    client = client ?? exchange.form["client_id"] ?? exchange.query["client_id"]
    scopes = scopes ?? exchange.form["scope"] ?? exchange.query["scope"]
    grant = exchange.form["grant_type"]
    if let fault {
      words = "played a fault"
      reason = "a fault is set at \(fault.at.spelled)"
    }
    guard words.isEmpty else { return }
    words =
      switch entry.status {
      case nil: "broke the connection"
      case let status? where status >= 400: "refused"
      case let status? where status >= 300: "redirected"
      default: "answered"
      }
  }
}

extension RequestLogEntry {
  /// The trail is long and its entries quote what strangers send: of each text, this many bytes are kept.
  private static let textLimit = 400

  /// The entry with nothing in it that is longer than people read. The name of the test stays whole: it is compared.
  var shortened: RequestLogEntry {
    func cut(_ text: inout String) {
      guard text.utf8.count > Self.textLimit else { return }
      text = String(decoding: text.utf8.prefix(Self.textLimit - 3), as: UTF8.self) + "…"
    }
    func cut(_ text: inout String?) {
      if var whole = text {
        cut(&whole)
        text = whole
      }
    }
    var entry = self
    cut(&entry.method)
    cut(&entry.url)
    cut(&entry.code)
    cut(&entry.decision.words)
    cut(&entry.decision.reason)
    cut(&entry.decision.code)
    cut(&entry.decision.client)
    cut(&entry.decision.user)
    cut(&entry.decision.scopes)
    cut(&entry.decision.grant)
    cut(&entry.decision.policy)
    return entry
  }
}

extension UnmetPolicyRequirement {
  /// The policy behind it; nil where it is the user's own second factor, or a risk, that asks.
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

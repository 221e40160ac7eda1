import Effects

extension TransportFailure {
  /// The recorded kind and reason, or nil if the failure is not recorded.
  var recorded: (kind: String, reason: String)? {
    switch self {
    case .offline(let reason): ("offline", reason)
    case .hostNotFound(let reason): ("hostNotFound", reason)
    case .cannotConnect(let reason): ("cannotConnect", reason)
    case .connectionLost(let reason): ("connectionLost", reason)
    case .timedOut(let reason): ("timedOut", reason)
    case .tls(let reason): ("tls", reason)
    case .proxy(let reason): ("proxy", reason)
    case .badResponse(let reason): ("badResponse", reason)
    case .tooLong(let reason): ("tooLong", reason)
    // A step that reaches its timeout cancels its request. The replay waits just as long.
    case .canceled: ("timedOut", "request canceled by the app")
    // A request missing from the replayed recording must not appear in a new one.
    case .notRecorded: nil
    }
  }

  static let recordedKinds = [
    "badResponse", "cannotConnect", "connectionLost", "hostNotFound", "offline", "proxy", "timedOut", "tls",
    "tooLong",
  ]

  /// Creates the failure with a recorded kind. Unknown kinds become `connectionLost`.
  init(kind: String, reason: String) {
    self =
      switch kind {
      case "offline": .offline(reason)
      case "hostNotFound": .hostNotFound(reason)
      case "cannotConnect": .cannotConnect(reason)
      case "timedOut": .timedOut(reason)
      case "tls": .tls(reason)
      case "proxy": .proxy(reason)
      case "badResponse": .badResponse(reason)
      case "tooLong": .tooLong(reason)
      default: .connectionLost(reason)
      }
  }
}

import Effects

extension TransportFailure {
  /// The kind and reason to record, or nil if the recording must not contain the failure.
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
    // A step cancels its request when the step's timeout expires. The replay waits for the same amount of time.
    case .canceled: ("timedOut", "request canceled by the app")
    // If the replayed recording does not contain a request, a new recording must not contain it either.
    case .notRecorded: nil
    }
  }

  static let recordedKinds = [
    "badResponse", "cannotConnect", "connectionLost", "hostNotFound", "offline", "proxy", "timedOut", "tls",
    "tooLong",
  ]

  /// Creates a failure from a recorded kind. Treats unknown kinds as `connectionLost`.
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

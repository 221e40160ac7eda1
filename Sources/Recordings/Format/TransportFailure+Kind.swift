import Effects

extension TransportFailure {
  /// The failure's name and its own words, as a recording has them; nil where nobody was asked.
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
    // A step whose time is over cancels what it waits for; in a replay it waits as long again.
    case .cancelled: ("timedOut", "nobody waited any longer")
    // What one recording does not hold is nothing to put on another.
    case .notRecorded: nil
    }
  }

  static let recordedKinds = [
    "badResponse", "cannotConnect", "connectionLost", "hostNotFound", "offline", "proxy", "timedOut", "tls",
    "tooLong",
  ]

  /// The failure of that name.
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

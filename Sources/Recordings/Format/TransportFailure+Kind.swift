import Effects

extension TransportFailure {
  /// The failure's name and its own words, as a tape has them; nil where nobody was asked.
  var taped: (kind: String, why: String)? {
    switch self {
    case .offline(let why): ("offline", why)
    case .hostNotFound(let why): ("hostNotFound", why)
    case .cannotConnect(let why): ("cannotConnect", why)
    case .connectionLost(let why): ("connectionLost", why)
    case .timedOut(let why): ("timedOut", why)
    case .tls(let why): ("tls", why)
    case .proxy(let why): ("proxy", why)
    case .badResponse(let why): ("badResponse", why)
    case .tooLong(let why): ("tooLong", why)
    // A step whose time is over cancels what it waits for; in a replay it waits as long again.
    case .cancelled: ("timedOut", "nobody waited any longer")
    // What one tape does not hold is nothing to put on another.
    case .notRecorded: nil
    }
  }

  static let tapedKinds = [
    "badResponse", "cannotConnect", "connectionLost", "hostNotFound", "offline", "proxy", "timedOut", "tls",
    "tooLong",
  ]

  /// The failure of that name.
  init(kind: String, why: String) {
    self =
      switch kind {
      case "offline": .offline(why)
      case "hostNotFound": .hostNotFound(why)
      case "cannotConnect": .cannotConnect(why)
      case "timedOut": .timedOut(why)
      case "tls": .tls(why)
      case "proxy": .proxy(why)
      case "badResponse": .badResponse(why)
      case "tooLong": .tooLong(why)
      default: .connectionLost(why)
      }
  }
}

import Documents
import Effects
import OAuth
import OrderedCollections

/// How far one sign-in has come. It travels through the pages as a sealed hidden field; the emulator keeps nothing.
struct SignInFlow: Sendable {
  /// The request that started it, as it came: every step reads and checks it anew.
  var parameters: Parameters
  /// The realm's part of the path, `/common` or `/tfp/…`.
  var prefix: String
  var isVersion1 = false
  /// The user code whose device is signed in; nil where a browser flow goes back to an app.
  var userCode: String?
  var startedAt: Instant
  /// What the browser's cookie must say too, so that a page cannot be submitted from another browser.
  var binding: String
  /// The page that the user sees.
  var screen: Screen?

  /// Typed, hinted or picked.
  var username: String?
  /// Proven by password in this flow, or by the session.
  var accountID: String?
  var authenticatedAt: Instant?
  var factorAt: Instant?
  var sessionID: String?
  /// Whether the password was typed in this flow.
  var isFresh = false
  /// Whether the user chose the account on the picker, or typed another.
  var isChosen = false
  /// Whether the consent page was accepted in this flow.
  var isConsented = false
  /// Whether a new password was set in this flow.
  var isPasswordChanged = false
  /// The answer to "Stay signed in?"; nil where it was not asked.
  var stays: Bool?

  init(parameters: Parameters, prefix: String, startedAt: Instant, binding: String) {
    self.parameters = parameters
    self.prefix = prefix
    self.startedAt = startedAt
    self.binding = binding
  }

  var json: JSON {
    var members: OrderedDictionary<String, JSON> = [
      "q": .string(FormCoding.serialize(parameters)), "p": .string(prefix),
      "t": .integer(startedAt.secondsSince1970), "b": .string(binding),
    ]
    func add(_ key: String, _ value: String?) { if let value { members[key] = .string(value) } }
    func add(_ key: String, _ value: Instant?) { if let value { members[key] = .integer(value.secondsSince1970) } }
    func add(_ key: String, _ value: Bool) { if value { members[key] = true } }
    add("v1", isVersion1)
    add("uc", userCode)
    add("scr", screen?.rawValue)
    add("u", username)
    add("a", accountID)
    add("at", authenticatedAt)
    add("ft", factorAt)
    add("sid", sessionID)
    add("fresh", isFresh)
    add("chosen", isChosen)
    add("cons", isConsented)
    add("pwc", isPasswordChanged)
    if let stays { members["stay"] = .bool(stays) }
    return .object(members)
  }

  init?(_ json: JSON?) {
    guard let json, let query = json["q"]?.string, let prefix = json["p"]?.string, let time = json["t"]?.integer,
      let binding = json["b"]?.string
    else { return nil }
    self.init(
      parameters: FormCoding.parse(query), prefix: prefix, startedAt: Instant(secondsSince1970: time), binding: binding)
    func instant(_ key: String) -> Instant? { json[key]?.integer.map { Instant(secondsSince1970: $0) } }
    func flag(_ key: String) -> Bool { json[key]?.bool ?? false }
    isVersion1 = flag("v1")
    userCode = json["uc"]?.string
    screen = json["scr"]?.string.flatMap(Screen.init(rawValue:))
    username = json["u"]?.string
    accountID = json["a"]?.string
    authenticatedAt = instant("at")
    factorAt = instant("ft")
    sessionID = json["sid"]?.string
    isFresh = flag("fresh")
    isChosen = flag("chosen")
    isConsented = flag("cons")
    isPasswordChanged = flag("pwc")
    stays = json["stay"]?.bool
  }
}

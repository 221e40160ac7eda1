import Documents
import Effects
import OAuth
import OrderedCollections

/// The progress of a sign-in. The emulator does not store it, because each page contains it in an encrypted hidden
/// field.
struct SignInFlow: Sendable {
  /// The parameters of the authorization request. The emulator validates them again in every request of the flow.
  var parameters: Parameters
  /// The path prefix of the realm, such as `/common` or `/tfp/…`.
  var prefix: String
  var isVersion1 = false
  /// The user code of a device sign-in, or nil for a sign-in that redirects to an app.
  var userCode: String?
  var startedAt: Instant
  /// The expected value of the browser's cookie. The value prevents another browser from submitting the page.
  var binding: String
  /// The current page.
  var screen: Screen?

  /// The username that the user entered or selected, or the username from the app's login hint.
  var username: String?
  /// The ID of the account that was authenticated by a password in this flow or by the browser's session.
  var accountID: String?
  var authenticatedAt: Instant?
  var factorAt: Instant?
  var sessionID: String?
  /// Whether the user entered a password in this flow.
  var isFresh = false
  /// Whether the user selected the account or entered a username.
  var isChosen = false
  /// Whether the user accepted the consent page in this flow.
  var isConsented = false
  /// Whether the user set a new password in this flow.
  var isPasswordChanged = false
  /// The user's choice on the "Stay signed in?" page, or nil if the page was not shown.
  var staySignedIn: Bool?

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
    if let staySignedIn { members["stay"] = .bool(staySignedIn) }
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
    staySignedIn = json["stay"]?.bool
  }
}

import Documents
import Effects
import RunTrace
import TokenCache

/// Sample tokens, and caches with one signed-in account.
enum Sample {
  static let now = Instant(secondsSince1970: 1_735_689_600)
  static let home = "UID.UTID"
  static let client = "Client-1"
  static let hosts = ["login.windows.net", "login.microsoftonline.com"]

  static func tokens(
    scopes: [String] = ["User.Read", "openid"], client: String = client, home: String = home, realm: String = "UTID",
    access: String = "at", refresh: String? = "rt", family: String? = nil, environment: String = "login.windows.net"
  ) -> TokensToSave {
    var account = AccountRecord(
      homeAccountID: home, environment: environment, realm: realm, localAccountID: "oid", username: "megan@contoso.com")
    account.setDetails(source: "authorization_code", claims: ["name": "Megan Bowen"], clientInfo: nil)
    var tokens = TokensToSave(
      homeAccountID: home, environment: environment, clientID: client, realm: realm, target: scopes,
      expiresOn: now + .seconds(3600))
    tokens.environments = hosts
    tokens.accessToken = Secret(access, kind: .accessToken)
    tokens.refreshToken = refresh.map { Secret($0, kind: .refreshToken) }
    tokens.familyID = family
    tokens.idToken = Secret("h.p.s", kind: .idToken)
    tokens.account = account
    return tokens
  }

  static func contents(_ saves: TokensToSave...) -> CacheContents {
    var contents = CacheContents()
    for tokens in saves { contents.save(tokens, now: now) }
    return contents
  }

  static func query(_ scopes: [String], client: String = client, realm: String = "utid") -> AccessTokenQuery {
    AccessTokenQuery(
      homeAccountID: "uid.utid", environments: hosts, clientID: client, realm: realm, scopes: scopes)
  }
}

extension AccessTokenLookup {
  var secret: String? {
    if case .found(_, let record) = self { record.secret.reveal() } else { nil }
  }
}

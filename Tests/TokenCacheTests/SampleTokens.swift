import Effects
import RunTrace
import TokenCache

/// Sample tokens and caches with one signed-in account.
enum Sample {
  static let now = Instant(secondsSince1970: 1_735_689_600)
  static let home = "UID.UTID"
  static let client = "Client-1"
  static let hosts = ["login.windows.net", "login.microsoftonline.com"]

  static func tokens(
    scopes: [String] = ["User.Read", "openid"], client: String = client, home: String = home, realm: String = "UTID",
    access: String = "at", refresh: String? = "rt", family: String? = nil, environment: String = "login.windows.net"
  ) -> TokensToSave {
    TokensToSave(
      homeAccountID: home, environment: environment, environments: hosts, clientID: client, realm: realm,
      target: scopes,
      accessToken: Secret(access, kind: .accessToken), tokenType: "Bearer", expiresOn: now + .seconds(3600),
      extendedExpiresOn: nil, refreshOn: nil, refreshToken: refresh.map { Secret($0, kind: .refreshToken) },
      familyID: family, idToken: Secret("h.p.s", kind: .idToken),
      account: AccountRecord(
        homeAccountID: home, environment: environment, realm: realm, localAccountID: "oid",
        username: "megan@contoso.com",
        authorityType: "MSSTS", source: "authorization_code", name: "Megan Bowen", givenName: nil, middleName: nil,
        familyName: nil, clientInfo: nil))
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

import Effects
import RunTrace
import Testing
import TokenCache

@Suite("Look-ups")
struct LookupTests {
  @Test("A token with more scopes serves fewer, in any order and case")
  func superset() {
    let contents = Sample.contents(Sample.tokens(scopes: ["User.Read", "openid", "Mail.Send"]))
    for scopes in [["user.read"], ["MAIL.send", "User.Read"], []] {
      #expect(contents.accessToken(Sample.query(scopes)).secret == "at")
    }
  }

  @Test("Which scopes are missing is told")
  func missing() {
    let contents = Sample.contents(
      Sample.tokens(scopes: ["User.Read"]), Sample.tokens(scopes: ["Mail.Send"]))
    guard
      case .scopesMissing(let missing) = contents.accessToken(Sample.query(["User.Read", "Files.Read", "Mail.Send"]))
    else {
      Issue.record("a token was found, or none")
      return
    }
    #expect(missing.map(\.missing) == [["Files.Read", "Mail.Send"], ["User.Read", "Files.Read"]])
    guard case .none = contents.accessToken(Sample.query(["User.Read"], realm: "elsewhere")) else {
      Issue.record("found in another tenant")
      return
    }
  }

  @Test("The first match in the order of the cloud's hosts wins")
  func hosts() {
    let contents = Sample.contents(
      Sample.tokens(client: "c1", access: "net", environment: "login.windows.net"))
    var query = Sample.query([], client: "c1")
    query.environments = ["login.microsoftonline.com"]
    #expect(contents.accessToken(query).secret == nil)
    query.environments = ["login.microsoftonline.com", "LOGIN.windows.net"]
    #expect(contents.accessToken(query).secret == "net")
  }

  @Test(
    "Tokens that are no plain bearer tokens are left alone",
    arguments: [
      #""token_type":"pop""#, #""requested_claims":"{}""#, #""application_cache_identifier":"ext""#,
      #""credential_type":"AccessToken_With_AuthScheme""#, #""secret":"""#, #""secret":7"#,
    ])
  func bound(field: String) throws {
    let name = field.split(separator: ":")[0]
    let text = String(decoding: Sample.contents(Sample.tokens()).bytes, as: UTF8.self)
    let start = try #require(text.firstRange(of: #""secret":"at""#))
    // Written twice, a field is an error; so the old one goes.
    var changed = text
    if name == "\"secret\"" {
      changed.replaceSubrange(start, with: field)
    } else {
      changed = text.replacing(#""token_type":"Bearer","#, with: "")
        .replacing(#""credential_type":"AccessToken","#, with: "")
        .replacing(#""secret":"at""#, with: #""secret":"at","# + field)
    }
    #expect(try CacheContents(bytes: Array(changed.utf8)).accessToken(Sample.query([])).secret == nil)
  }

  @Test("Times are read as seconds, with or without a fraction; what is no time is none")
  func times() {
    let contents = try? CacheContents(
      bytes: Array(
        #"{"AccessToken":{"k":{"home_account_id":"u.t","environment":"e","client_id":"c","realm":"r","target":"s","secret":"x","expires_on":"10","cached_at":"1.500","refresh_on":9,"ext_expires_on":"20"}}}"#
          .utf8))
    let query = AccessTokenQuery(homeAccountID: " U.T ", environments: ["E"], clientID: "C", realm: "R", scopes: ["S"])
    guard case .found("k", let found)? = contents?.accessToken(query) else {
      Issue.record("not found")
      return
    }
    #expect(found.expiresOn?.secondsSince1970 == 10)
    #expect(found.cachedAt?.nanosecondsSince1970 == 1_500_000_000)
    #expect(found.refreshOn == nil)
    #expect(found.extendedExpiresOn?.secondsSince1970 == 20)
  }

  @Test("A tombstone is no refresh token")
  func tombstone() {
    let contents = Sample.contents(Sample.tokens(refresh: RefreshTokenRecord.tombstone))
    #expect(
      contents.refreshToken(homeAccountID: Sample.home, environments: Sample.hosts, clientID: Sample.client) == nil)
  }

  @Test("A bad refresh token is deleted only while it is the one that was sent")
  func compareAndDelete() throws {
    var contents = Sample.contents(Sample.tokens(refresh: "new"))
    let key = try #require(
      contents.refreshToken(homeAccountID: Sample.home, environments: Sample.hosts, clientID: Sample.client)?.key)
    let deletedOther = contents.removeRefreshToken(key, ifSecretIs: Secret("old", kind: .refreshToken))
    #expect(!deletedOther)
    #expect(contents.count(.refreshToken) == 1)
    let deleted = contents.removeRefreshToken(key, ifSecretIs: Secret("new", kind: .refreshToken))
    #expect(deleted)
    #expect(contents.count(.refreshToken) == 0)
  }

  @Test("Id token and account record of a tenant")
  func others() {
    let contents = Sample.contents(Sample.tokens())
    #expect(
      contents.idToken(homeAccountID: Sample.home, environments: Sample.hosts, clientID: "client-1", realm: "UTID")
        != nil)
    #expect(
      contents.idToken(homeAccountID: Sample.home, environments: Sample.hosts, clientID: "client-1", realm: "x") == nil)
    let account = contents.account(homeAccountID: Sample.home, environments: Sample.hosts, realm: "utid")
    #expect(account?.record.username == "megan@contoso.com")
  }
}

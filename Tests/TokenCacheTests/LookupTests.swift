import Documents
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

  @Test("An access token that is past its end is deleted only while it is the one that was read")
  func compareAndDeleteAccessToken() throws {
    var contents = Sample.contents(Sample.tokens(access: "old"))
    guard case .found(let key, let read) = contents.accessToken(Sample.query([])) else {
      Issue.record("not found")
      return
    }
    contents.save(Sample.tokens(access: "new"), now: Sample.now)
    let deletedOther = contents.removeAccessToken(key, ifSecretIs: read.secret)
    #expect(!deletedOther)
    #expect(contents.accessToken(Sample.query([])).secret == "new")
    let deleted = contents.removeAccessToken(key, ifSecretIs: Secret("new", kind: .accessToken))
    #expect(deleted)
    #expect(contents.count(.accessToken) == 0)
    let deletedNothing = contents.removeAccessToken(key, ifSecretIs: read.secret)
    #expect(!deletedNothing)
  }

  @Test(
    "The key that a token is bound to has two names, and blank is none",
    arguments: zip(
      [
        ["kid": "k"], ["key_id": "i"], ["kid": "k", "key_id": "i"], ["kid": "", "key_id": "i"],
        ["kid": " ", "key_id": "i"], ["kid": "", "key_id": " "], ["kid": ""], ["kid": 7], [:],
      ] as [JSON], ["k", "i", "k", "i", "i", nil, nil, nil, nil] as [String?]))
  func keyID(fields: JSON, expected: String?) throws {
    #expect(AccessTokenRecord(fields: try #require(fields.object)).keyID == expected)
  }

  @Test("Odd times and values that are no text are read as none; nothing crashes on them")
  func oddValues() throws {
    let odd: [(JSON, Int64?)] = [
      ("1.5", 1), ("-1.5", -2), ("1735689600.123", 1_735_689_600), ("9223372036854775807", 9_223_372_036),
      ("-9223372036854775808", -9_223_372_037), ("99999999999999999999", nil), ("1e400", nil), ("nan", nil),
      ("inf", nil),
      ("", nil), (" 1", nil), (7, nil), (1.5, nil), (nil, nil), (true, nil), ([1], nil), ([:], nil),
    ]
    for (value, seconds) in odd {
      var contents = Sample.contents(Sample.tokens())
      let text = String(decoding: contents.bytes, as: UTF8.self)
        .replacing(#""cached_at":"1735689600""#, with: #""cached_at":\#(value.text())"#)
      contents = try CacheContents(bytes: Array(text.utf8))
      guard case .found(_, let record) = contents.accessToken(Sample.query([])) else {
        Issue.record("not found with \(value)")
        continue
      }
      #expect(record.cachedAt?.secondsSince1970 == seconds, "\(value)")
      contents.save(Sample.tokens(access: "new"), now: Sample.now)
      #expect(contents.accessToken(Sample.query([])).secret == "new")
    }
    let numbers =
      #"{"AccessToken":{"k":{"home_account_id":1,"environment":2,"client_id":3,"realm":4,"target":5,"secret":6}},"#
      + #""RefreshToken":{"k":{"home_account_id":1,"secret":2,"credential_type":3,"family_id":4}},"#
      + #""Account":{"k":{"home_account_id":1}},"AppMetadata":{"k":{"client_id":1,"family_id":1}}}"#
    var contents = try CacheContents(bytes: Array(numbers.utf8))
    contents.save(Sample.tokens(), now: Sample.now)
    #expect(contents.accessToken(Sample.query([])).secret == "at")
    #expect(contents.accounts(clientID: Sample.client, environments: nil, onlySignedIn: false).count == 1)
    contents.removeEverything()
    #expect(contents.count(.accessToken) == 0)
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

import Documents
import Effects
import RunTrace
import Testing
import TokenCache

@Suite("Lookups")
struct LookupTests {
  @Test("finds a token that includes the requested scopes, in any order and case")
  func superset() {
    let contents = Sample.contents(Sample.tokens(scopes: ["User.Read", "openid", "Mail.Send"]))
    for scopes in [["user.read"], ["MAIL.send", "User.Read"], []] {
      #expect(contents.accessToken(Sample.query(scopes)).secret == "at")
    }
  }

  @Test("reports the missing scopes")
  func missing() {
    let contents = Sample.contents(
      Sample.tokens(scopes: ["User.Read"]), Sample.tokens(scopes: ["Mail.Send"]))
    guard
      case .scopesMissing(let missing) = contents.accessToken(Sample.query(["User.Read", "Files.Read", "Mail.Send"]))
    else {
      Issue.record("expected missing scopes")
      return
    }
    #expect(missing.map(\.missing) == [["Files.Read", "Mail.Send"], ["User.Read", "Files.Read"]])
    guard case .none = contents.accessToken(Sample.query(["User.Read"], realm: "other")) else {
      Issue.record("expected no token in another tenant")
      return
    }
  }

  @Test("finds a token under any alias of the cloud")
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
    "does not return tokens that are not plain bearer tokens",
    arguments: [
      #""token_type":"pop""#, #""requested_claims":"{}""#, #""application_cache_identifier":"ext""#,
      #""credential_type":"AccessToken_With_AuthScheme""#, #""secret":"""#, #""secret":7"#,
    ])
  func bound(field: String) throws {
    let name = field.split(separator: ":")[0]
    let text = String(decoding: Sample.contents(Sample.tokens()).bytes, as: UTF8.self)
    let start = try #require(text.firstRange(of: #""secret":"at""#))
    // Replaces the original field, because an entry with duplicate fields is invalid.
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

  @Test("reads times as seconds with an optional fraction")
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

  @Test("ignores refresh tokens that are tombstones")
  func tombstone() {
    let contents = Sample.contents(Sample.tokens(refresh: RefreshTokenRecord.tombstone))
    #expect(
      contents.refreshToken(homeAccountID: Sample.home, environments: Sample.hosts, clientID: Sample.client) == nil)
  }

  @Test("deletes a rejected refresh token only if it has not been replaced")
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

  @Test("deletes an expired access token only if it has not been replaced")
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
    "reads the ID of the bound key from either of two fields and ignores blank values",
    arguments: zip(
      [
        ["kid": "k"], ["key_id": "i"], ["kid": "k", "key_id": "i"], ["kid": "", "key_id": "i"],
        ["kid": " ", "key_id": "i"], ["kid": "", "key_id": " "], ["kid": ""], ["kid": 7], [:],
      ] as [JSON], ["k", "i", "k", "i", "i", nil, nil, nil, nil] as [String?]))
  func keyID(fields: JSON, expected: String?) throws {
    #expect(AccessTokenRecord(fields: try #require(fields.object)).keyID == expected)
  }

  @Test("ignores invalid times and values that are not strings")
  func invalidValues() throws {
    let values: [(JSON, Int64?)] = [
      ("1.5", 1), ("-1.5", -2), ("1735689600.123", 1_735_689_600), ("9223372036854775807", 9_223_372_036),
      ("-9223372036854775808", -9_223_372_037), ("99999999999999999999", nil), ("1e400", nil), ("nan", nil),
      ("inf", nil),
      ("", nil), (" 1", nil), (7, nil), (1.5, nil), (nil, nil), (true, nil), ([1], nil), ([:], nil),
    ]
    for (value, seconds) in values {
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

  @Test("finds the ID token and the account record of a tenant")
  func tenantRecords() {
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

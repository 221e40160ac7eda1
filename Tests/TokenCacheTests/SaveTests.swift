import Documents
import Effects
import RunTrace
import Testing
import TokenCache

@Suite("Saving tokens")
struct SaveTests {
  @Test("serializes keys and fields exactly as MSAL does")
  func bytes() {
    let contents = Sample.contents(Sample.tokens(scopes: ["User.Read", "Calendars.Read"]))
    #expect(
      String(decoding: contents.bytes, as: UTF8.self)
        == #"{"AccessToken":{"uid.utid-login.windows.net-accesstoken-client-1-utid-calendars.read user.read":"#
        + #"{"credential_type":"AccessToken","secret":"at","home_account_id":"UID.UTID","environment":"login.windows.net","#
        + #""client_id":"Client-1","target":"User.Read Calendars.Read","realm":"UTID","token_type":"Bearer","#
        + #""cached_at":"1735689600","expires_on":"1735693200"}},"#
        + #""RefreshToken":{"uid.utid-login.windows.net-refreshtoken-client-1--calendars.read user.read":"#
        + #"{"credential_type":"RefreshToken","secret":"rt","home_account_id":"UID.UTID","environment":"login.windows.net","#
        + #""client_id":"Client-1","target":"User.Read Calendars.Read","last_modification_time":"1735689600"}},"#
        + #""IdToken":{"uid.utid-login.windows.net-idtoken-client-1-utid-":"#
        + #"{"credential_type":"IdToken","secret":"h.p.s","home_account_id":"UID.UTID","environment":"login.windows.net","#
        + #""realm":"UTID","client_id":"Client-1"}},"#
        + #""Account":{"uid.utid-login.windows.net-utid":"#
        + #"{"home_account_id":"UID.UTID","environment":"login.windows.net","realm":"UTID","local_account_id":"oid","#
        + #""username":"megan@contoso.com","authority_type":"MSSTS","account_source":"authorization_code","#
        + #""name":"Megan Bowen"}},"#
        + #""AppMetadata":{"appmetadata-login.windows.net-Client-1":"#
        + #"{"client_id":"Client-1","environment":"login.windows.net","family_id":""}}}"#)
  }

  @Test("replaces only access tokens with overlapping scopes")
  func overlapping() {
    var contents = Sample.contents(
      Sample.tokens(scopes: ["User.Read"], access: "old"), Sample.tokens(scopes: ["Mail.Send"], access: "mail"),
      Sample.tokens(scopes: ["user.read"], realm: "guest", access: "other realm"),
      Sample.tokens(scopes: ["User.Read"], client: "client-2", access: "other client"),
      Sample.tokens(scopes: ["USER.READ"], home: "x.y", access: "other account"))
    contents.save(Sample.tokens(scopes: ["Calendars.Read", "USER.read"], access: "new"), now: Sample.now)
    #expect(contents.accessToken(Sample.query(["User.Read"])).secret == "new")
    #expect(contents.accessToken(Sample.query(["Mail.Send"])).secret == "mail")
    #expect(contents.accessToken(Sample.query(["User.Read"], realm: "guest")).secret == "other realm")
    #expect(contents.accessToken(Sample.query(["User.Read"], client: "CLIENT-2")).secret == "other client")
    #expect(contents.count(.accessToken) == 5)
  }

  @Test("replaces entries under other aliases of the cloud")
  func aliases() {
    var contents = Sample.contents(Sample.tokens(access: "old", environment: "login.microsoftonline.com"))
    contents.save(Sample.tokens(access: "new"), now: Sample.now)
    #expect(contents.count(.accessToken) == 1)
    #expect(contents.count(.refreshToken) == 1)
  }

  @Test("stores one refresh token per app and account, for all scopes")
  func refreshTokens() {
    let contents = Sample.contents(
      Sample.tokens(scopes: ["a"], refresh: "1"), Sample.tokens(scopes: ["b"], refresh: "2"),
      Sample.tokens(scopes: ["c"], refresh: nil))
    let found = contents.refreshToken(homeAccountID: "uid.utid", environments: Sample.hosts, clientID: "client-1")
    #expect(found?.record.secret.reveal() == "2")
    #expect(contents.count(.refreshToken) == 1)
  }

  @Test("stores a family refresh token for the app and for the family")
  func family() throws {
    var contents = Sample.contents(Sample.tokens(family: "1"))
    #expect(contents.count(.refreshToken) == 2)
    let own = contents.refreshToken(homeAccountID: Sample.home, environments: Sample.hosts, clientID: Sample.client)
    #expect(own?.record.familyID == nil)
    #expect(contents.familyIDToTry(clientID: Sample.client, environments: Sample.hosts) == "1")
    #expect(contents.familyIDToTry(clientID: "unknown", environments: Sample.hosts) == "1")
    let shared = try #require(
      contents.familyRefreshToken(homeAccountID: Sample.home, environments: Sample.hosts, familyID: "1"))
    #expect(shared.key == "uid.utid-login.windows.net-refreshtoken-1--user.read openid")
    #expect(shared.record.secret.reveal() == "rt")
    contents.leaveFamily(clientID: "unknown", environments: Sample.hosts)
    #expect(contents.familyIDToTry(clientID: "unknown", environments: Sample.hosts) == nil)
    contents.save(Sample.tokens(), now: Sample.now)
    #expect(contents.familyIDToTry(clientID: Sample.client, environments: Sample.hosts) == nil)
  }

  @Test("preserves unknown fields and removes outdated known fields of a replaced entry")
  func unknownFields() throws {
    let old =
      #"{"AppMetadata":{"appmetadata-login.windows.net-Client-1":{"environment":"x","client_id":"y","foo":[1],"family_id":"1"}},"#
      + #""AccessToken":{"uid.utid-login.windows.net-accesstoken-client-1-utid-user.read openid":{"refresh_on":"1","bar":null}}}"#
    var contents = try CacheContents(bytes: Array(old.utf8))
    contents.save(Sample.tokens(), now: Sample.now)
    let metadata = contents.section(.appMetadata)["appmetadata-login.windows.net-Client-1"]
    #expect(metadata?["foo"] == [1])
    #expect(metadata?["family_id"] == "")
    let token = contents.section(.accessToken)["uid.utid-login.windows.net-accesstoken-client-1-utid-user.read openid"]
    #expect(token?["bar"] == .null)
    #expect(token?["refresh_on"] == nil)
  }

  @Test(
    "does not copy the binding or the lifetime of a replaced token",
    arguments: [
      "ext_cache_key", "application_cache_identifier", "requested_claims", "kid", "key_id", "enrollment_id",
      "bound_device_id", "ext_expires_on", "extended_expires_on", "refresh_on", "expires_in", "token_type",
      "credential_type", "family_id",
    ])
  func replacedFields(field: String) throws {
    let accessKey = "uid.utid-login.windows.net-accesstoken-client-1-utid-user.read openid"
    let refreshKey = "uid.utid-login.windows.net-refreshtoken-client-1--user.read openid"
    let old: JSON = [
      "AccessToken": [accessKey: ["home_account_id": "uid.utid"]],
      "RefreshToken": [refreshKey: ["home_account_id": "uid.utid"]],
    ]
    let text = old.text().replacing(#""uid.utid"}"#, with: #""uid.utid","\#(field)":"1735693200"}"#)
    var contents = try CacheContents(bytes: Array(text.utf8))
    #expect(contents.section(.accessToken)[accessKey]?[field] == "1735693200")
    contents.save(Sample.tokens(access: "new", refresh: "new"), now: Sample.now)
    guard case .found(accessKey, let access) = contents.accessToken(Sample.query(["User.Read"])) else {
      Issue.record("the new access token is not found")
      return
    }
    #expect(access.secret.reveal() == "new")
    #expect(access.keyID == nil)
    #expect(access.extendedExpiresOn == nil)
    #expect(access.json["enrollment_id"] == nil)
    let refresh = contents.refreshToken(
      homeAccountID: Sample.home, environments: Sample.hosts, clientID: Sample.client)
    #expect(refresh?.record.secret.reveal() == "new")
    // The new access token contains the first two fields. The save preserves the third field, because only refresh
    // tokens use it.
    guard !["token_type", "credential_type", "family_id"].contains(field) else { return }
    #expect(contents.section(.accessToken)[accessKey]?[field] == nil)
  }

  @Test("records changes, but not if the same tokens are saved again")
  func changes() {
    var contents = CacheContents()
    contents.save(Sample.tokens(), now: Sample.now)
    #expect(contents.changes.map(\.kind) == [.added, .added, .added, .added, .added])
    #expect(contents.changes.map(\.section) == [.accessToken, .refreshToken, .idToken, .account, .appMetadata])
    contents.save(Sample.tokens(), now: Sample.now)
    #expect(contents.changes.count == 5)
    contents.save(Sample.tokens(access: "new"), now: Sample.now)
    #expect(contents.changes.last?.kind == .changed)
    #expect(contents.changes.count == 6)
  }

}

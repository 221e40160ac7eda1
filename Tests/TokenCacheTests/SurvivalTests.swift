import Documents
import Effects
import RunTrace
import SimulatedWorld
import Testing
import TokenCache

@Suite("What other libraries wrote")
struct SurvivalTests {
  /// A cache with everything that is not ours: parts, kinds of credentials, fields, spacing, and odd values.
  static let foreign = #"""
    {
        "AccessToken": {
            "k1": {"credential_type": "AccessToken", "secret": "old", "home_account_id": "uid.utid",
                   "environment": "login.microsoftonline.com", "client_id": "Client-1", "target": "User.Read openid",
                   "realm": "utid", "expires_on": "1735693200", "cached_at": "1735689600", "enrollment_id": "e1"},
            "k2": {"credential_type": "AccessToken", "secret": "isolated", "home_account_id": "uid.utid",
                   "environment": "login.windows.net", "client_id": "Client-1", "target": "Files.Read",
                   "realm": "utid", "expires_on": "1735693200", "ext_cache_key": "fmi"},
            "k3": 7, "k4": {"home_account_id": null, "big": 123456789012345678901234567890, "odd": "\ud83d \u00e9"}
        },
        "RefreshToken": {
            "prt": {"credential_type": "PrimaryRefreshToken", "secret": "prt", "home_account_id": "uid.utid",
                    "environment": "login.windows.net", "client_id": "Client-1", "session_key": "k"},
            "bound": {"credential_type": "BoundRefreshToken", "secret": "b", "home_account_id": "uid.utid",
                      "environment": "login.windows.net", "client_id": "Client-1", "bound_device_id": "d"},
            "dead": {"credential_type": "RefreshToken", "secret": "<tombstone>", "home_account_id": "uid.utid",
                     "environment": "login.windows.net", "client_id": "other"},
            "adal": {"credential_type": "LegacySingleResourceToken", "secret": "l", "home_account_id": "uid.utid",
                     "environment": "login.windows.net", "client_id": "Client-1", "resource": "https://graph.windows.net"}
        },
        "IdToken": {"v1": {"credential_type": "V1IdToken", "secret": "h.p.s", "home_account_id": "uid.utid",
                    "environment": "login.windows.net", "client_id": "Client-1", "realm": "utid"}},
        "Account": {"uid.utid-login.windows.net-utid": {"home_account_id": "uid.utid", "environment": "login.windows.net",
                    "realm": "utid", "username": "megan", "alternative_account_id": "a", "sid": [1, {"x": null}]}},
        "AdalTokens": [{"tokenType": "Bearer", "_clientId": "x"}],
        "Extra": {"a": {"b": 1.50}}
    }
    """#

  @Test("survives a save, but for what the save replaces")
  func survival() throws {
    let before = try JSON(parsing: Self.readable(Self.foreign))
    var contents = try CacheContents(bytes: Array(Self.foreign.utf8))
    contents.save(Sample.tokens(refresh: "new"), now: Sample.now)
    let text = String(decoding: contents.bytes, as: UTF8.self)
    for verbatim in [
      #""big": 123456789012345678901234567890"#, #""\ud83d \u00e9""#, #"{"a": {"b": 1.50}}"#, #""k3": 7"#,
    ] {
      #expect(text.contains(verbatim), "\(verbatim)")
    }
    let after = try JSON(parsing: Self.readable(text))
    for part in ["AdalTokens", "Extra", "IdToken"] {
      #expect(before[part] != nil)
      before[part]?.forEachMember { key, entry in #expect(after[part]?[key] == entry, "\(part) \(key)") }
    }
    #expect(after["AdalTokens"] == before["AdalTokens"])
    for key in ["prt", "bound", "dead", "adal"] {
      #expect(after["RefreshToken"]?[key] == before["RefreshToken"]?[key], "\(key)")
    }
    for key in ["k2", "k3", "k4"] { #expect(after["AccessToken"]?[key] == before["AccessToken"]?[key], "\(key)") }
    // The same scopes under another name of the cloud and another key: replaced.
    #expect(after["AccessToken"]?["k1"] == nil)
    let account = after["Account"]?["uid.utid-login.windows.net-utid"]
    #expect(account?["alternative_account_id"] == "a")
    #expect(account?["sid"] == [1, ["x": nil]])
    #expect(account?["username"] == "megan@contoso.com")
  }

  @Test("is not matched where it is of another kind")
  func notMatched() throws {
    let contents = try CacheContents(bytes: Array(Self.foreign.utf8))
    #expect(
      contents.refreshToken(homeAccountID: "uid.utid", environments: Sample.hosts, clientID: Sample.client) == nil)
    #expect(contents.refreshToken(homeAccountID: "uid.utid", environments: Sample.hosts, clientID: "other") == nil)
    #expect(
      contents.idToken(
        homeAccountID: "uid.utid", environments: Sample.hosts, clientID: Sample.client, realm: "utid") == nil)
    #expect(contents.accessToken(Sample.query(["Files.Read"])).secret == nil)
    #expect(contents.accessToken(Sample.query(["User.Read"])).secret == "old")
    #expect(contents.unknownParts == ["AdalTokens", "Extra"])
    #expect(contents.accounts(clientID: Sample.client, environments: nil, onlySignedIn: true).isEmpty)
  }

  @Test("Python's family token, which stands under the app's id, is the family's and not the app's")
  func pythonFamily() throws {
    let text = #"""
      {"RefreshToken": {"u.t-h-refreshtoken-c--s": {"credential_type": "RefreshToken", "secret": "frt",
        "home_account_id": "u.t", "environment": "login.microsoftonline.com", "client_id": "c", "target": "s",
        "last_modification_time": "1", "family_id": "1"}},
       "AppMetadata": {"appmetadata-login.microsoftonline.com-c": {"client_id": "c",
        "environment": "login.microsoftonline.com", "family_id": "1"}},
       "Account": {"u.t-h-t": {"home_account_id": "u.t", "environment": "login.microsoftonline.com", "realm": "t",
        "local_account_id": "u", "username": "x@y", "authority_type": "MSSTS"}}}
      """#
    let contents = try CacheContents(bytes: Array(text.utf8))
    #expect(contents.refreshToken(homeAccountID: "u.t", environments: Sample.hosts, clientID: "c") == nil)
    #expect(
      contents.familyRefreshToken(homeAccountID: "u.t", environments: Sample.hosts, familyID: "1")?.record.secret
        .reveal()
        == "frt")
    for client in ["c", "another"] {
      #expect(
        contents.accounts(clientID: client, environments: Sample.hosts, onlySignedIn: true).map(\.homeAccountID) == [
          "u.t"
        ])
    }
  }

  @Test(
    "What Python filed under the endpoint's name is the home tenant's, where nothing is filed under the tenant",
    arguments: ["common", "organizations", "consumers"])
  func tenantless(realm: String) {
    var contents = Sample.contents(Sample.tokens(realm: realm, access: "of the endpoint"))
    #expect(contents.accessToken(Sample.query(["User.Read"])).secret == "of the endpoint")
    #expect(contents.account(homeAccountID: Sample.home, environments: Sample.hosts, realm: "utid") != nil)
    #expect(contents.accessToken(Sample.query(["User.Read"], realm: "guest")).secret == nil)
    contents.save(Sample.tokens(access: "of the tenant"), now: Sample.now)
    #expect(contents.accessToken(Sample.query(["User.Read"])).secret == "of the tenant")
  }

  @Test("Of two entries of one key the last counts, as in Python")
  func duplicates() throws {
    let text = #"""
      {"Account": {"k": {"home_account_id": "a.a", "username": "first"}, "\u006b": {"home_account_id": "b.b",
       "username": "second"}, "m": {"home_account_id": "A.A "}}}
      """#
    var contents = try CacheContents(bytes: Array(text.utf8))
    #expect(contents.count(.account) == 2)
    #expect(contents.section(.account)["k"]?["username"] == "second")
    contents.removeAccountRecords("b.b")
    #expect(contents.count(.account) == 1)
    contents.removeAccountRecords(" a.A")
    #expect(contents.count(.account) == 0)
    #expect(String(decoding: contents.bytes, as: UTF8.self) == #"{"Account":{}}"#)
  }

  /// Half of a surrogate pair is no text for a strict reader.
  private static func readable(_ text: String) -> String { text.replacing(#"\ud83d"#, with: "?") }
}

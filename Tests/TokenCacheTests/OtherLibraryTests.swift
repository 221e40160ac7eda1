import Documents
import Effects
import RunTrace
import SimulatedWorld
import Testing
import TokenCache

@Suite("Entries from other libraries")
struct OtherLibraryTests {
  /// A cache with unknown sections, credential types, and fields, unusual whitespace, and invalid values.
  static let cache = #"""
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
            "tombstone": {"credential_type": "RefreshToken", "secret": "<tombstone>", "home_account_id": "uid.utid",
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

  @Test("preserves entries that a save does not replace")
  func preserved() throws {
    let before = try JSON(parsing: Self.replacingSurrogates(in: Self.cache))
    var contents = try CacheContents(bytes: Array(Self.cache.utf8))
    contents.save(Sample.tokens(refresh: "new"), now: Sample.now)
    let text = String(decoding: contents.bytes, as: UTF8.self)
    for fragment in [
      #""big": 123456789012345678901234567890"#, #""\ud83d \u00e9""#, #"{"a": {"b": 1.50}}"#, #""k3": 7"#,
    ] {
      #expect(text.contains(fragment), "\(fragment)")
    }
    let after = try JSON(parsing: Self.replacingSurrogates(in: text))
    for section in ["AdalTokens", "Extra", "IdToken"] {
      #expect(before[section] != nil)
      before[section]?.forEachMember { key, entry in #expect(after[section]?[key] == entry, "\(section) \(key)") }
    }
    #expect(after["AdalTokens"] == before["AdalTokens"])
    for key in ["prt", "bound", "tombstone", "adal"] {
      #expect(after["RefreshToken"]?[key] == before["RefreshToken"]?[key], "\(key)")
    }
    for key in ["k2", "k3", "k4"] { #expect(after["AccessToken"]?[key] == before["AccessToken"]?[key], "\(key)") }
    // The save replaces this entry, because it has the same scopes under another alias and key.
    #expect(after["AccessToken"]?["k1"] == nil)
    let account = after["Account"]?["uid.utid-login.windows.net-utid"]
    #expect(account?["alternative_account_id"] == "a")
    #expect(account?["sid"] == [1, ["x": nil]])
    #expect(account?["username"] == "megan@contoso.com")
  }

  @Test("does not find entries with other credential types")
  func notMatched() throws {
    let contents = try CacheContents(bytes: Array(Self.cache.utf8))
    #expect(
      contents.refreshToken(homeAccountID: "uid.utid", environments: Sample.hosts, clientID: Sample.client) == nil)
    #expect(contents.refreshToken(homeAccountID: "uid.utid", environments: Sample.hosts, clientID: "other") == nil)
    #expect(
      contents.idToken(
        homeAccountID: "uid.utid", environments: Sample.hosts, clientID: Sample.client, realm: "utid") == nil)
    #expect(contents.accessToken(Sample.query(["Files.Read"])).secret == nil)
    #expect(contents.accessToken(Sample.query(["User.Read"])).secret == "old")
    #expect(contents.unknownSections == ["AdalTokens", "Extra"])
    #expect(contents.accounts(clientID: Sample.client, environments: nil, onlySignedIn: true).isEmpty)
  }

  @Test("reads an MSAL Python refresh token that has a family ID as a family refresh token")
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
    "finds MSAL Python's entries under a multitenant realm if the home tenant has none",
    arguments: ["common", "organizations", "consumers"])
  func multitenantRealm(realm: String) {
    var contents = Sample.contents(Sample.tokens(realm: realm, access: "multitenant realm"))
    #expect(contents.accessToken(Sample.query(["User.Read"])).secret == "multitenant realm")
    #expect(contents.account(homeAccountID: Sample.home, environments: Sample.hosts, realm: "utid") != nil)
    #expect(contents.accessToken(Sample.query(["User.Read"], realm: "guest")).secret == nil)
    contents.save(Sample.tokens(access: "tenant realm"), now: Sample.now)
    #expect(contents.accessToken(Sample.query(["User.Read"])).secret == "tenant realm")
  }

  @Test("uses the last of several entries with the same key, as MSAL Python does")
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

  /// Replaces the unpaired surrogate, because a strict JSON parser rejects it.
  private static func replacingSurrogates(in text: String) -> String { text.replacing(#"\ud83d"#, with: "?") }
}

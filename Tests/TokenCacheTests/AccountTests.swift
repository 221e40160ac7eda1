import Documents
import RunTrace
import Testing
import TokenCache

@Suite("Accounts and sign-out")
struct AccountTests {
  func visible(_ contents: CacheContents, client: String = Sample.client, onlySignedIn: Bool = true) -> [String] {
    contents.accounts(clientID: client, environments: Sample.hosts, onlySignedIn: onlySignedIn).map(\.homeAccountID)
  }

  @Test("lists accounts that have a refresh token, a family refresh token, or a signed-in state")
  func visibility() {
    var contents = Sample.contents(
      Sample.tokens(), Sample.tokens(home: "a.b", refresh: nil), Sample.tokens(client: "c2", home: "f.f", family: "1"))
    #expect(visible(contents) == ["uid.utid"])
    #expect(visible(contents, client: "new app") == ["f.f"])
    contents.changeAccountMetadata(clientID: Sample.client) { $0.setSignInState(.signedIn, of: "A.B") }
    #expect(visible(contents) == ["uid.utid", "a.b"])
    contents.changeAccountMetadata(clientID: Sample.client) { $0.setSignInState(.signedOut, of: "uid.utid") }
    #expect(visible(contents) == ["a.b"])
    #expect(visible(contents, onlySignedIn: false) == ["uid.utid", "a.b", "f.f"])
    contents.leaveFamily(clientID: "new app", environments: Sample.hosts)
    #expect(visible(contents, client: "new app") == [])
  }

  @Test("merges the records of several tenants into one account")
  func merged() {
    let contents = Sample.contents(Sample.tokens(), Sample.tokens(realm: "guest"), Sample.tokens(home: "z.z"))
    let accounts = contents.accounts(clientID: Sample.client, environments: nil, onlySignedIn: true)
    #expect(accounts.map { $0.records.map(\.realm) } == [["UTID", "guest"], ["UTID"]])
    #expect(contents.accounts(clientID: Sample.client, environments: ["other"], onlySignedIn: true).isEmpty)
    let one = contents.accounts(
      clientID: Sample.client, environments: nil, onlySignedIn: true, homeAccountID: " Z.z")
    #expect(one.map(\.homeAccountID) == ["z.z"])
    #expect(
      contents.accounts(clientID: Sample.client, environments: nil, onlySignedIn: false, homeAccountID: "q.q").isEmpty)
  }

  @Test("stores the authority map under MSAL's key until sign-out")
  func authorityMap() {
    var record = AccountMetadataRecord(clientID: "c")
    record.recordAuthority("https://h/t", for: "https://h/common", instanceAware: false, account: "U.T")
    record.recordAuthority("https://g/t", for: "https://h/common", instanceAware: true, account: "u.t")
    #expect(record.cachedAuthority(for: "https://h/common", instanceAware: false, account: "u.t") == "https://h/t")
    #expect(record.cachedAuthority(for: "https://h/common", instanceAware: true, account: "u.t") == "https://g/t")
    #expect(record.signInState(of: "u.t") == .signedIn)
    #expect(
      record.json["account_metadata_map"]?["u.t"]?["athority_map"] == [
        "URLMap-": ["https://h/common": "https://h/t"],
        "URLMap-instance_aware=YES": ["https://h/common": "https://g/t"],
      ])
    record.setSignInState(.unknown, of: "u.t")
    #expect(record.cachedAuthority(for: "https://h/common", instanceAware: false, account: "u.t") == "https://h/t")
    record.setSignInState(.signedOut, of: "u.t")
    #expect(record.cachedAuthority(for: "https://h/common", instanceAware: false, account: "u.t") == nil)
    record.setSignInState(.signedIn, of: "u.t")
    #expect(record.cachedAuthority(for: "https://h/common", instanceAware: false, account: "u.t") == nil)
    #expect(record.signInState(of: "unknown") == .unknown)
  }

  @Test("serializes account metadata, and removes an account from all apps")
  func metadata() throws {
    var contents = CacheContents()
    for client in ["A", "B"] {
      contents.changeAccountMetadata(clientID: client) {
        $0.setSignInState(.signedIn, of: "u.t")
        $0.setPrincipal(homeAccountID: "u.t", username: "megan", environment: "e")
      }
    }
    var parsed = try CacheContents(bytes: contents.bytes)
    #expect(parsed.accountMetadata(clientID: "a")?.principalUsername == "megan")
    #expect(parsed.accountMetadata(clientID: "A")?.signInState(of: "u.t") == .signedIn)
    parsed.removeAccountMetadata("U.T")
    #expect(parsed.accountMetadata(clientID: "A")?.signInState(of: "u.t") == .unknown)
    #expect(parsed.accountMetadata(clientID: "B")?.homeAccountIDs == [])
    #expect(parsed.accountMetadata(clientID: "B")?.principalHomeAccountID == "u.t")
  }

  @Test("a sign-out removes only the tokens of one client")
  func removeClient() {
    var contents = Sample.contents(
      Sample.tokens(family: "1"), Sample.tokens(client: "c2"), Sample.tokens(home: "x.y"), Sample.tokens(realm: "guest")
    )
    contents.removeCredentials(ofAccount: "UID.utid", clientID: "CLIENT-1")
    #expect(contents.accessToken(Sample.query([])).secret == nil)
    #expect(contents.accessToken(Sample.query([], client: "c2")).secret == "at")
    #expect(contents.count(.accessToken) == 2)
    #expect(contents.count(.idToken) == 2)
    #expect(contents.count(.account) == 3)
    #expect(contents.count(.appMetadata) == 2)
  }

  @Test("wipes one account, or all accounts")
  func wipe() {
    var contents = Sample.contents(Sample.tokens(), Sample.tokens(client: "c2"), Sample.tokens(home: "x.y"))
    contents.removeCredentials(ofAccount: Sample.home, clientID: nil)
    contents.removeAccountRecords(Sample.home)
    #expect(contents.count(.accessToken) == 1)
    #expect(contents.count(.account) == 1)
    contents.removeEverything()
    let sections: [CacheSectionName] = [.accessToken, .refreshToken, .idToken, .account, .appMetadata]
    #expect(sections.map { contents.count($0) } == [0, 0, 0, 0, 0])
  }

  @Test("signs all accounts out of all apps when the cache is wiped, and preserves unknown sections")
  func wipeMetadata() throws {
    let text =
      #"{"Account":{"odd":7},"AccountMetadata":{"strange":[1]},"AppMetadata":{"odd":null},"Extra":{"a":"b"}}"#
    var contents = try CacheContents(bytes: Array(text.utf8))
    for client in [Sample.client, "c2"] {
      contents.save(Sample.tokens(client: client), now: Sample.now)
      contents.changeAccountMetadata(clientID: client) {
        $0.recordAuthority("https://h/t", for: "https://h/common", instanceAware: false, account: "uid.utid")
        $0.setSignInState(.unknown, of: "A.B")
      }
    }
    contents.removeEverything()
    contents = try CacheContents(bytes: contents.bytes)
    for client in [Sample.client, "c2"] {
      let metadata = try #require(contents.accountMetadata(clientID: client))
      #expect(metadata.signInState(of: "uid.utid") == .signedOut)
      #expect(metadata.signInState(of: "a.b") == .signedOut)
      #expect(metadata.json["account_metadata_map"]?["uid.utid"]?["athority_map"] == [:])
    }
    #expect(contents.count(.account) == 0)
    #expect(contents.count(.appMetadata) == 0)
    #expect(contents.unknownSections == ["Extra"])
    #expect(contents.section(.accountMetadata)["strange"] == [1])
    // A later sign-in to another app does not change the sign-in state of these apps.
    contents.save(Sample.tokens(client: "c3", family: "1"), now: Sample.now)
    #expect(visible(contents) == [])
    #expect(visible(contents, client: "c3") == ["uid.utid"])
  }
}

import AuthflowCLI
import Documents
import Effects
import OrderedCollections
import SimulatedWorld
import TestSupport
import Testing

/// `authflow accounts` and the `authflow cache` commands.
@Suite struct CacheCommandTests {
  static let client = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let cacheFile = TerminalSession.state + "/emulated-contoso/cache.json"

  /// Returns a session in which a run has signed Megan in and saved the token cache.
  static func signedIn(console: BufferedConsole = BufferedConsole()) async throws -> TerminalSession {
    let session = try TerminalSession(files: TerminalSession.files(steps: KeptStateTests.pattern), console: console)
    let run = try await session.run("run", "w.yaml")
    #expect(run.status == .success, "\(run.output)\(run.error)")
    return session
  }

  private func cache(_ session: TerminalSession, _ path: String = cacheFile) throws -> JSON {
    try JSON(parsing: Array((try #require(session.files.text(path))).utf8))
  }

  /// Returns the secrets of all records in a cache.
  private func secrets(_ cache: JSON) -> [String] {
    (cache.object ?? [:]).values.flatMap { section in
      (section.object ?? [:]).values.compactMap { $0["secret"]?.string }
    }
  }

  // MARK: accounts

  @Test func listsSignedInAccountsWithoutSecrets() async throws {
    let session = try await Self.signedIn()
    let result = try await session.run("accounts")
    #expect(result.status == .success)
    #expect(result.error == "")
    for text in [
      "megan@contoso.com", "identifier ", "home tenant", "app \(Self.client): signed in", "access token for",
      "refresh token",
    ] {
      #expect(result.output.contains(text), "\(text)\n\(result.output)")
    }
    #expect(result.output.contains("until 20") && result.output.contains(", in "))
    for secret in secrets(try cache(session)) { #expect(!result.output.contains(secret)) }
  }

  @Test func printsAccountsAsJSON() async throws {
    let session = try await Self.signedIn()
    let result = try await session.run("accounts", "--format", "json")
    let caches = try #require(JSON(parsing: Array(result.output.utf8)).array)
    let account = try #require(caches.first?["accounts"]?[0])
    #expect(account["username"] == "megan@contoso.com")
    #expect(account["clients"]?[0]?["clientId"] == .string(Self.client))
    #expect(account["clients"]?[0]?["signInState"] == "signed_in")
    #expect(account["clients"]?[0]?["accessTokens"]?[0]?["expired"] == false)
    #expect(account["tenantProfiles"]?[0]?["isHomeTenant"] == true)
  }

  /// The emulator's virtual clock determines whether a token has expired.
  @Test func aWaitStepExpiresTokens() async throws {
    let session = try await Self.signedIn()
    try session.files.replace(
      "wait.yaml", with: Array("authflow: 1\nsettings: S.yaml\nsteps: [wait: 3h]\n".utf8), privately: false)
    _ = try await session.run("run", "wait.yaml")
    let result = try await session.run("accounts")
    #expect(result.output.contains("expired 20") && result.output.contains(" ago"), "\(result.output)")
  }

  @Test func listsSignedOutAccountsOnlyWithTheAllOption() async throws {
    let session = try await Self.signedIn()
    try session.files.replace(
      "out.yaml", with: Array("authflow: 1\nsettings: S.yaml\nsteps: [loadAccount, signout]\n".utf8), privately: false)
    #expect(try await session.run("run", "out.yaml").status == .success)
    let without = try await session.run("accounts")
    #expect(!without.output.contains("megan@contoso.com"), "\(without.output)")
    #expect(without.output.contains("--all"))
    let all = try await session.run("accounts", "--all")
    #expect(all.output.contains("megan@contoso.com"))
    #expect(all.output.contains("signed out"))
  }

  @Test func settingsSelectTheAccountsOfOneApp() async throws {
    let session = try await Self.signedIn()
    let other = TerminalSession.plainSettings.replacing("6731de76", with: "11111111")
    try session.files.replace("other.yaml", with: Array(other.utf8), privately: false)
    #expect(try await session.run("accounts", "--settings", "S.yaml").output.contains("megan@contoso.com"))
    #expect(!(try await session.run("accounts", "--settings", "other.yaml").output.contains("megan@contoso.com")))
    let missing = try await session.run("accounts", "--settings", "none.yaml")
    #expect(missing.status == .usageError)
  }

  @Test func commandsReportAnEmptyCache() async throws {
    for arguments in [["accounts"], ["cache", "show"], ["cache", "clear"]] {
      let result = try await TerminalSession().run(arguments)
      #expect(result.status == .success, "\(arguments)")
      #expect(!result.output.isEmpty && result.error == "", "\(arguments): \(result.error)")
    }
    let export = try await TerminalSession().run("cache", "export", "--output", "x.json")
    #expect(export.status == .failed)
    #expect(export.error.contains("nothing to export"))
  }

  // MARK: cache show

  @Test func showMasksSecrets() async throws {
    let session = try await Self.signedIn()
    let secrets = secrets(try cache(session))
    #expect(secrets.count >= 3)
    for format in ["text", "json"] {
      let result = try await session.run("cache", "show", "--format", format)
      #expect(result.status == .success)
      for section in ["AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata"] {
        #expect(result.output.contains(section), "\(section)")
      }
      #expect(result.output.contains("‹access token›") && result.output.contains("‹refresh token›"))
      for secret in secrets { #expect(!result.output.contains(secret)) }
    }
  }

  /// Unknown fields can also contain secrets.
  @Test func showMasksSecretsInUnknownFields() async throws {
    let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZWdhbiJ9.c2ln"
    let file = """
      {"RefreshToken": {"k": {"secret": "s3cr3t-value", "home_account_id": "a.b", "environment": "e", "client_id": "c",
        "session_key": "fourth-one", "Secret": "fifth-one", "ssoToken": "sixth-one", "user_assertion_hash": "seventh-one",
        "numbers": [8888888], "odd": "\(token)", "refresh_token": "another-one", "nested": {"access_token": "third-one", "n": 1}}}, "Account": {}}
      """
    for format in ["text", "json"] {
      let result = try await TerminalSession(files: ["cache.json": file]).run(
        "cache", "show", "--cache", "cache.json", "--format", format)
      #expect(result.status == .success, "\(result.error)")
      for secret in [
        "s3cr3t-value", token, "another-one", "third-one", "fourth-one", "fifth-one", "sixth-one",
        "seventh-one", "8888888",
      ] {
        #expect(!result.output.contains(secret), "\(secret)")
      }
      #expect(result.output.contains("home_account_id"))
    }
  }

  // MARK: export and import

  @Test func importReadsAnExportedCache() async throws {
    let session = try await Self.signedIn()
    let export = try await session.run("cache", "export", "--output", "out.json")
    #expect(export.status == .success)
    #expect(export.error.contains("the file contains secrets"))
    #expect(session.files.isPrivate("out.json"))
    #expect(try cache(session, "out.json") == cache(session))
    let imported = try await session.run("cache", "import", "out.json", "--cache", "elsewhere")
    #expect(imported.status == .success, "\(imported.error)")
    #expect(imported.output.contains("added"))
    #expect(try cache(session, "elsewhere/cache.json") == cache(session))
    #expect(session.files.isPrivate("elsewhere/cache.json"))
    // The run uses the imported tokens, so the user does not sign in again.
    let run = try await session.run("run", "w.yaml", "--cache", "elsewhere")
    #expect(run.output.contains("0 interactions"), "\(run.output)")
    let first = try await session.run("cache", "import", "out.json", "--cache", "third")
    let second = try await session.run("cache", "import", "out.json", "--cache", "third", "--format", "json")
    #expect(first.status == .success && second.status == .success)
    let counts = try JSON(parsing: Array(second.output.utf8))
    #expect(counts["added"] == [:] && counts["changed"] == [:])
    #expect(counts["unchanged"]?["AccessToken"] == 1)
  }

  @Test func exportDoesNotPrintTokensToATerminal() async throws {
    let piped = try await Self.signedIn()
    let output = try await piped.run("cache", "export")
    #expect(try JSON(parsing: Array(output.output.utf8)) == cache(piped))
    let terminal = try await Self.signedIn(console: BufferedConsole(terminals: [.output], width: 80))
    let rejected = try await terminal.run("cache", "export")
    #expect(rejected.status == .usageError)
    #expect(rejected.output == "")
    #expect(rejected.error.contains("--output"))
    #expect(try await terminal.run("cache", "export", "--force").status == .success)
  }

  /// A cache file in the format of MSAL for Python, with an unknown field and an unknown section.
  static let pythonCache = """
    {"AccessToken": {"a.b-login.windows.net-accesstoken-c-t-user.read": {"credential_type": "AccessToken", "secret": "at-1",
      "home_account_id": "a.b", "environment": "login.windows.net", "client_id": "c", "target": "User.Read", "realm": "t",
      "token_type": "Bearer", "cached_at": "1000", "expires_on": "4000", "extended_expires_on": "4000", "odd": "kept"}},
     "Account": {"a.b-login.windows.net-t": {"home_account_id": "a.b", "environment": "login.windows.net", "realm": "t",
      "local_account_id": "a", "username": "pat@example.com", "authority_type": "MSSTS"}},
     "Other": {"x": 1}}
    """

  @Test func importKeepsTheNewerToken() async throws {
    let session = try TerminalSession(files: ["old.json": Self.pythonCache])
    _ = try await session.run("cache", "import", "old.json", "--cache", "c")
    let newer = Self.pythonCache.replacing("\"1000\"", with: "\"2000\"").replacing("at-1", with: "at-2").replacing(
      ", \"odd\": \"kept\"", with: "")
    try session.files.replace("new.json", with: Array(newer.utf8), privately: true)
    let changed = try await session.run("cache", "import", "new.json", "--cache", "c")
    #expect(changed.output.contains("updated 1 access token"), "\(changed.output)")
    #expect(session.files.text("c/cache.json")?.contains("at-2") == true)
    #expect(session.files.text("c/cache.json")?.contains("\"odd\":\"kept\"") == true, "an import keeps unknown fields")
    let older = try await session.run("cache", "import", "old.json", "--cache", "c")
    #expect(older.output.contains("skipped 1 access token"), "\(older.output)")
    #expect(session.files.text("c/cache.json")?.contains("at-2") == true)
    let replaced = try await session.run("cache", "import", "old.json", "--cache", "c", "--replace")
    #expect(replaced.output.contains("removed 1 access token"))
    #expect(session.files.text("c/cache.json")?.contains("at-1") == true)
  }

  @Test func importsTheJSONOfKeychainItems() async throws {
    let items = """
      [{"credential_type": "RefreshToken", "secret": "rt", "home_account_id": "A.B", "environment": "login.windows.net",
        "client_id": "C"},
       {"home_account_id": "A.B", "environment": "login.windows.net", "realm": "T", "username": "pat@example.com",
        "authority_type": "MSSTS", "local_account_id": "A"}]
      """
    let session = try TerminalSession(files: ["items.json": items])
    let result = try await session.run("cache", "import", "items.json", "--cache", "c")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("1 refresh token, 1 account record"))
    let accounts = try await session.run("accounts", "--cache", "c")
    #expect(accounts.output.contains("pat@example.com"), "\(accounts.output)")
  }

  @Test(arguments: [
    ("{", "bad.json:1:"), ("[]", "no `AccessToken`"), ("{\"a\": 1}", "no `AccessToken`"),
    ("\u{1}\u{2}ENCRYPTED", "not a token cache"),
    ("{\"AccessToken\": 5}", "no `AccessToken`"), ("", "not a token cache"),
  ]) func importRejectsAFileThatIsNotATokenCache(text: String, message: String) async throws {
    let session = try await Self.signedIn()
    let cacheBefore = session.files.text(Self.cacheFile)
    try session.files.replace("bad.json", with: Array(text.utf8), privately: false)
    let result = try await session.run("cache", "import", "bad.json")
    #expect(result.status == .usageError)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.error.contains("[not-a-cache]"))
    #expect(session.files.text(Self.cacheFile) == cacheBefore)
  }

  @Test func commandsDoNotOverwriteADamagedCache() async throws {
    let session = try TerminalSession(files: ["old.json": Self.pythonCache, "c/cache.json": "{ damaged"])
    for arguments in [
      ["accounts", "--cache", "c"], ["cache", "show", "--cache", "c"], ["cache", "import", "old.json", "--cache", "c"],
      ["cache", "clear", "--cache", "c", "--client", "c"], ["cache", "export", "--cache", "c"],
    ] {
      let result = try await session.run(arguments)
      #expect(result.status == .environmentFailure, "\(arguments)")
      #expect(result.error.contains("c/cache.json: cannot read the token cache"), "\(result.error)")
      #expect(result.error.contains("move the file"))
      #expect(session.files.text("c/cache.json") == "{ damaged")
    }
  }

  /// Commands that discard all records move a damaged cache to another file, unless `--cache` specifies the cache file.
  @Test(arguments: [["clear"], ["import", "old.json", "--replace"]])
  func discardingAllRecordsQuarantinesADamagedCache(arguments: [String]) async throws {
    let session = try TerminalSession(files: [
      "old.json": Self.pythonCache, "c/cache.json": "{ damaged", "f.json": "{ damaged",
    ])
    let result = try await session.run(["cache"] + arguments + ["--cache", "c"])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.error.contains("warning: moved c/cache.json to "))
    let contents = try session.files.list("c").compactMap { session.files.text("c/" + $0) }
    #expect(contents.contains("{ damaged"))
    #expect(session.files.text("c/cache.json")?.contains("at-1") == (arguments[0] == "clear" ? nil : true))
    let file = try await session.run(["cache"] + arguments + ["--cache", "f.json"])
    #expect(file.status == .environmentFailure)
    #expect(session.files.text("f.json") == "{ damaged")
  }

  // MARK: Unknown sections and invalid entries

  @Test func importCopiesUnknownSections() async throws {
    let file = #"{"AccessToken": {}, "PrimaryRefreshToken": {"k": {"secret": "prt"}}, "version": 3}"#
    let session = try TerminalSession(files: ["old.json": Self.pythonCache, "prt.json": file])
    _ = try await session.run("cache", "import", "old.json", "--cache", "c")
    let result = try await session.run("cache", "import", "prt.json", "--cache", "c")
    #expect(result.output.contains("copied 2 unknown sections: PrimaryRefreshToken, version"))
    #expect(try cache(session, "c/cache.json")["PrimaryRefreshToken"]?["k"]?["secret"] == "prt")
    try session.files.replace(
      "more.json", with: Array(file.replacing("\"prt\"}", with: "\"new\"}, \"l\": {}").utf8), privately: true)
    let again = try await session.run("cache", "import", "more.json", "--cache", "c")
    #expect(again.error.contains("section `PrimaryRefreshToken` differs"), "\(again.error)")
    #expect(try cache(session, "c/cache.json")["PrimaryRefreshToken"] == ["k": ["secret": "prt"], "l": [:]])
    let shown = try await session.run("cache", "show", "--cache", "c")
    #expect(shown.output.contains("3 unknown sections: Other, PrimaryRefreshToken, version"))
    #expect(!shown.output.contains("\"prt\""))
    let cleared = try await session.run("cache", "clear", "--cache", "c")
    #expect(cleared.output.contains("not removed: 3 unknown sections"), "\(cleared.output)")
    #expect(try await session.run("cache", "show", "--cache", "c").status == .success)
  }

  @Test(arguments: [
    (#"{"AccessToken": {"k": 5}}"#, "skipped AccessToken entry `k`: not an object"),
    (
      #"{"RefreshToken": {"k": {}}}"#,
      "skipped RefreshToken entry `k`: missing `home_account_id`, `environment`, `secret`"
    ),
    (#"{"Account": {"k": {"home_account_id": "a.b"}}}"#, "skipped Account entry `k`: missing `environment`"),
    (#"{"AppMetadata": {"k": []}}"#, "skipped AppMetadata entry `k`: not an object"),
  ]) func importSkipsAnInvalidEntry(text: String, message: String) async throws {
    let session = try TerminalSession(files: ["junk.json": text])
    let result = try await session.run("cache", "import", "junk.json", "--cache", "c")
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.output.contains("imported nothing") && !result.output.contains("added"), "\(result.output)")
    #expect(session.files.text("c/cache.json") == nil)
  }

  @Test func importReportsAFullDisk() async throws {
    let session = try TerminalSession(files: ["old.json": Self.pythonCache])
    session.files.setCapacity(Self.pythonCache.utf8.count + 100)
    let result = try await session.run("cache", "import", "old.json", "--cache", "c")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("no space left"), "\(result.error)")
    #expect(session.files.text("c/cache.json") == nil)
  }

  // MARK: cache clear

  @Test func clearRemovesTheSelectedRecordsAndCountsThem() async throws {
    let session = try TerminalSession(files: ["old.json": Self.pythonCache])
    func fill() async throws { _ = try await session.run("cache", "import", "old.json", "--cache", "c", "--replace") }
    try await fill()
    let byUsername = try await session.run("cache", "clear", "--cache", "c", "--account", "PAT@example.com")
    #expect(byUsername.output.contains("removed 1 access token, 1 account record"), "\(byUsername.output)")
    #expect(byUsername.output.contains("not removed: 1 unknown section: Other"), "\(byUsername.output)")
    #expect(session.files.text("c/cache.json") == #"{"Other":{"x":1}}"#)
    try await fill()
    let unknown = try await session.run("cache", "clear", "--cache", "c", "--account", "nobody")
    #expect(unknown.status == .usageError)
    #expect(unknown.error.contains("authflow accounts --all"))
    let other = try await session.run("cache", "clear", "--cache", "c", "--client", "other")
    #expect(other.status == .usageError && other.error.contains("app `other` is not in the cache"), "\(other.error)")
    #expect(session.files.text("c/cache.json")?.contains("at-1") == true)
    let app = try await session.run("cache", "clear", "--cache", "c", "--client", "C", "--format", "json")
    #expect(
      try JSON(parsing: Array(app.output.utf8)) == [
        "removed": ["AccessToken": 1, "Account": 1], "unknownSections": ["Other"],
      ])
    try await fill()
    let all = try await session.run("cache", "clear", "--cache", "c")
    #expect(all.output.contains("removed 1 access token, 1 account record"))
  }

  /// Another app can use an account record even if the account is signed out or does not have tokens.
  @Test func clearingAnAppKeepsAccountsOfOtherApps() async throws {
    let files = [
      "c/cache.json": Self.pythonCache.replacing(
        "\"Account\": {", with: #""Account": {"o": {"home_account_id": "x.y", "environment": "e"},"#)
    ]
    let session = try TerminalSession(files: files)
    for client in ["cc", "", " "] {
      let result = try await session.run("cache", "clear", "--cache", "c", "--client", client)
      #expect(result.status == .usageError, "\(client)")
      #expect(result.error.contains(client == "cc" ? "did you mean `c`?" : "`--client` is empty"), "\(result.error)")
      #expect(session.files.text("c/cache.json") == files["c/cache.json"])
    }
    let cleared = try await session.run("cache", "clear", "--cache", "c", "--client", "C")
    #expect(cleared.output.contains("removed 1 access token, 1 account record from"), "\(cleared.output)")
    #expect(session.files.text("c/cache.json")?.contains("x.y") == true)
  }

  @Test func clearingTheCacheRequiresANewSignIn() async throws {
    let session = try await Self.signedIn()
    #expect(try await session.run("cache", "clear").status == .success)
    let run = try await session.run("run", "w.yaml")
    #expect(run.output.contains("1 interaction,"), "\(run.output)")
  }

  // MARK: Output and help

  @Test(arguments: [
    ("cache-show", ["cache", "show", "--cache", "c.json", "--format", "json"]),
    ("accounts", ["accounts", "--all", "--cache", "c.json", "--format", "json"]),
  ]) func jsonMatchesTheGoldenFile(name: String, arguments: [String]) async throws {
    let result = try await TerminalSession(files: ["c.json": Self.pythonCache]).run(arguments)
    #expect(result.status == .success, "\(result.error)")
    let path = "Tests/Golden/\(name).json"
    if ProjectFiles.updatesGoldenFiles { return try ProjectFiles.write(result.output, to: path) }
    #expect(result.output == String(decoding: try ProjectFiles.bytes(of: path), as: UTF8.self))
  }

  @Test(arguments: [["cache", "show"], ["cache", "import"], ["cache", "export"], ["cache", "clear"]])
  func everySubcommandHasAnExample(command: [String]) async throws {
    let result = try await TerminalSession().run(command + ["--help"])
    #expect(result.status == .success)
    #expect(result.output.contains("Examples:\n  authflow \(command.joined(separator: " "))"), "\(result.output)")
  }
}

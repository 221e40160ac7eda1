import AuthflowCLI
import Documents
import Effects
import OAuth
import SimulatedWorld
import Testing

/// `authflow token` and `authflow api`: the ladder of a workflow, for scripts.
@Suite struct TokenTests {
  private static func session(_ variables: [String: String] = [:]) throws -> TerminalSession {
    try TerminalSession(files: ["AuthSettings.yaml": TerminalSession.plainSettings], variables: variables)
  }

  @Test func theSecondTokenIsTheFirstOne() async throws {
    let session = try Self.session()
    let first = try await session.run("token")
    #expect(first.status == .success, "\(first.error)")
    #expect(first.output.wholeMatch(of: /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+\n/) != nil)
    #expect(first.error == "")
    let second = try await session.run("token", "--format", "json")
    let json = try JSON(parsing: Array(second.output.utf8))
    #expect(json["accessToken"]?.string.map { $0 + "\n" } == first.output)
    #expect(json["source"] == "cache" && json["account"] == "megan@contoso.com" && json["tokenType"] == "Bearer")
    // A workflow finds the account, and so does the other way round.
    #expect(try await session.run("accounts").output.contains("megan@contoso.com"))
  }

  @Test func inCINobodyIsThereToSignIn() async throws {
    let session = try Self.session(["CI": "true"])
    let refused = try await session.run("token")
    #expect(refused.status == .failed && refused.output == "")
    #expect(refused.error.contains("help: somebody has to sign in first; --interactive lets them"))
    #expect(try await session.run("token", "--interactive").status == .success)
    #expect(try await session.run("token").status == .success, "the cache is enough now")
    let more = try await session.run("token", "--scopes", "Files.Read")
    #expect(more.status == .failed && more.error.contains("interactionRequired: AADSTS65001"))
  }

  @Test func aProgramTakesOver() async throws {
    let session = try Self.session()
    let token = try await session.run("token").output.dropLast()
    #expect(try await session.run("token", "--exec", "--", "sync", "--days", "7").output == "")
    #expect(try await session.run("token", "--exec", "--env", "T", "--", "sync").status == .success)
    #expect(try await session.run("token", "--exec", "--fd", "4", "--", "sync").status == .success)
    let calls = session.simulation.programs.calls
    #expect(calls.map(\.command) == [["sync", "--days", "7"], ["sync"], ["sync"]])
    #expect(calls[0].variables == ["ACCESS_TOKEN": String(token)] && calls[0].descriptors.isEmpty)
    #expect(calls[1].variables == ["T": String(token)])
    #expect(calls[2].variables.isEmpty && calls[2].descriptors == [4: Array(token.utf8)])
    let missing = try await session.run("token", "--exec", "--", "missing")
    #expect(missing.status == .environmentFailure && missing.error.contains("missing cannot be started: No such file"))
  }

  @Test(arguments: [
    ["--exec"], ["--", "x"], ["--env", "A"], ["--exec", "--env", "a b", "--", "x"], ["--exec", "--fd", "1", "--", "x"],
    ["--exec", "--fd", "4", "--env", "A", "--", "x"], ["--browser", "system"], ["--settings", "nothing.yaml"],
    ["--settings", ""],
  ]) func whatDoesNotGoTogetherIsRefusedBeforeAnythingIsAsked(arguments: [String]) async throws {
    let session = try Self.session()
    let result = try await session.run(["token"] + arguments)
    #expect(result.status == .usageError && result.output == "")
    #expect(result.error.contains("error: ") && !result.error.contains("command line:"))
    #expect(session.simulation.programs.calls.isEmpty)
    #expect(!session.files.paths.contains { $0.hasPrefix(TerminalSession.state) })
  }

  @Test func whereNoAppIsNamedThatIsSaid() async throws {
    let session = try TerminalSession()
    let result = try await session.run("token")
    #expect(result.status == .usageError)
    #expect(result.error.contains("error: no app is named\n  help: say --settings AuthSettings.plist"))
  }

  @Test func graphIsCalledInALine() async throws {
    let session = try Self.session()
    let me = try await session.run("api", "get", "/me")
    #expect(me.status == .success, "\(me.error)")
    #expect(try JSON(parsing: Array(me.output.utf8))["displayName"] == "Megan Bowen")
    let nothing = try await session.run("api", "get", "/me/nothing")
    #expect(nothing.status == .failed)
    #expect(
      try JSON(parsing: Array(nothing.output.utf8))["error"]?["message"] != nil, "the answer is shown all the same")
    for arguments in [["get", "me"], ["post", "/me/events", "--data", "{"], ["get", "/me", "--header", "x"]] {
      #expect(try await session.run(["api"] + arguments).status == .usageError, "\(arguments)")
    }
    let unnamed = try await session.run("api", "get", "/me", "-H", "Bearer hidden-1")
    #expect(unnamed.status == .usageError && unnamed.error.contains("no colon") && !unnamed.error.contains("hidden-1"))
    let named = try await session.run("api", "get", "/me", "-H", "Accept-Language: de", "-H", "X-Mine: 1")
    #expect(named.status == .success, "\(named.error)")
    #expect(try await session.run("api", "-h").output.contains("authflow api get /me"))
  }

  // MARK: Taking a token apart

  @Test func aTokenIsToldClaimByClaim() async throws {
    let session = try Self.session()
    let token = try await session.run("token").output.dropLast()
    let told = try await session.run("token", "decode", "Bearer \(token)")
    #expect(told.status == .success, "\(told.error)")
    for line in ["header\n", "claims\n", "  scp: ", "the delegated permissions", "bytes, neither shown nor checked"] {
      #expect(told.output.contains(line), "\(line)")
    }
    #expect(told.output.contains(/exp: \d+\n +not valid from then on\n +2025-01-01 \d\d:\d\d:\d\d UTC, in \d/))
    #expect(!told.output.contains(try #require(token.split(separator: ".").last)), "the signature stays away")
    try await session.simulation.run {
      try await session.simulation.clock.sleep(for: .seconds(90_000))
    }
    #expect(try await session.run("token", "decode", String(token)).output.contains("ago: expired"))
    #expect(!told.output.contains("expired"))
    let json = try await session.run("token", "decode", String(token), "--format", "json")
    #expect(try JSON(parsing: Array(json.output.utf8))["claims"]?["tid"] != nil)
  }

  @Test("a token is expired at the second of its expiry, and no duration is negative")
  func expiryOfADecodedToken() async throws {
    let session = try Self.session()
    let now = session.simulation.clock.now.secondsSince1970
    for (offset, words) in [(Int64(-1), "1 s ago: expired"), (0, "now: expired"), (1, "in 1 s")] {
      let claims = Array(#"{"exp":\#(now + offset)}"#.utf8)
      let token = "eyJhbGciOiJSUzI1NiJ9.\(Base64URL.encode(claims)).c2ln"
      let told = try await session.run("token", "decode", token)
      #expect(told.output.contains(", \(words)\n"), "\(told.output)\(told.error)")
    }
  }

  @Test(arguments: [
    ("a.b.c", "it may have been cut"), ("a.b.c.d.e", "an encrypted token"), ("0.AX_opaque", "are opaque"),
    ("x y", "more than one word"), (" ", "there is no token"),
    ("eyJhbGciOiJub25lIn0.W10.", "the payload is no JSON object"),
  ]) func whatIsNoTokenIsSaidToBeNone(text: String, words: String) async throws {
    let result = try await Self.session().run("token", "decode", text)
    #expect(result.status == .usageError && result.output == "")
    #expect(result.error.contains(words), "\(result.error)")
  }

  @Test func nothingThatAClaimSaysReachesTheTerminal() async throws {
    let claims = #"{"name":"\u001b[31mred\u202e","exp":99999999999999999999,"iat":-1,"nbf":"x"}"#
    let text = [#"{"alg":"none"}"#, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".") + "."
    let result = try await Self.session().run("token", "decode", text)
    #expect(result.status == .success, "\(result.error)")
    #expect(!result.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }
}

import AuthflowCLI
import Documents
import Effects
import OAuth
import SimulatedWorld
import Testing

/// `authflow token` and `authflow api`.
@Suite struct TokenTests {
  private static func session(_ variables: [String: String] = [:]) throws -> TerminalSession {
    try TerminalSession(files: ["AuthSettings.yaml": TerminalSession.plainSettings], variables: variables)
  }

  @Test func theSecondCallReturnsTheCachedToken() async throws {
    let session = try Self.session()
    let first = try await session.run("token")
    #expect(first.status == .success, "\(first.error)")
    #expect(first.output.wholeMatch(of: /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+\n/) != nil)
    #expect(first.error == "")
    let second = try await session.run("token", "--format", "json")
    let json = try JSON(parsing: Array(second.output.utf8))
    #expect(json["accessToken"]?.string.map { $0 + "\n" } == first.output)
    #expect(json["source"] == "cache" && json["account"] == "megan@contoso.com" && json["tokenType"] == "Bearer")
    // Other commands use the same cache.
    #expect(try await session.run("accounts").output.contains("megan@contoso.com"))
  }

  @Test func doesNotSignInInteractivelyInCI() async throws {
    let session = try Self.session(["CI": "true"])
    let rejected = try await session.run("token")
    #expect(rejected.status == .failed && rejected.output == "")
    #expect(rejected.error.contains("help: use `--interactive` to sign in"))
    #expect(try await session.run("token", "--interactive").status == .success)
    #expect(try await session.run("token").status == .success, "the cache contains a token now")
    let otherScope = try await session.run("token", "--scopes", "Files.Read")
    #expect(otherScope.status == .failed && otherScope.error.contains("interactionRequired: AADSTS65001"))
  }

  @Test func execRunsAProgramWithTheToken() async throws {
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
    #expect(missing.status == .environmentFailure && missing.error.contains("cannot start missing: No such file"))
  }

  @Test(arguments: [
    ["--exec"], ["--", "x"], ["--env", "A"], ["--exec", "--env", "a b", "--", "x"], ["--exec", "--fd", "1", "--", "x"],
    ["--exec", "--fd", "4", "--env", "A", "--", "x"], ["--browser", "system"], ["--settings", "missing.yaml"],
    ["--settings", ""],
  ]) func rejectsInvalidOptionsBeforeAnyRequest(arguments: [String]) async throws {
    let session = try Self.session()
    let result = try await session.run(["token"] + arguments)
    #expect(result.status == .usageError && result.output == "")
    #expect(result.error.contains("error: ") && !result.error.contains("command line:"))
    #expect(session.simulation.programs.calls.isEmpty)
    #expect(!session.files.paths.contains { $0.hasPrefix(TerminalSession.state) })
  }

  @Test func reportsMissingSettings() async throws {
    let session = try TerminalSession()
    let result = try await session.run("token")
    #expect(result.status == .usageError)
    #expect(result.error.contains("error: no settings found\n  help: pass `--settings AuthSettings.plist`"))
  }

  @Test func apiCallsMicrosoftGraph() async throws {
    let session = try Self.session()
    let me = try await session.run("api", "get", "/me")
    #expect(me.status == .success, "\(me.error)")
    #expect(try JSON(parsing: Array(me.output.utf8))["displayName"] == "Megan Bowen")
    let notFound = try await session.run("api", "get", "/me/nothing")
    #expect(notFound.status == .failed)
    #expect(
      try JSON(parsing: Array(notFound.output.utf8))["error"]?["message"] != nil, "the response is printed")
    for arguments in [["get", "me"], ["post", "/me/events", "--data", "{"], ["get", "/me", "--header", "x"]] {
      #expect(try await session.run(["api"] + arguments).status == .usageError, "\(arguments)")
    }
    let invalidHeader = try await session.run("api", "get", "/me", "-H", "Bearer hidden-1")
    #expect(invalidHeader.status == .usageError && invalidHeader.error.contains("`--header` requires"))
    #expect(!invalidHeader.error.contains("hidden-1"))
    let withHeaders = try await session.run("api", "get", "/me", "-H", "Accept-Language: de", "-H", "X-Mine: 1")
    #expect(withHeaders.status == .success, "\(withHeaders.error)")
    #expect(try await session.run("api", "-h").output.contains("authflow api get /me"))
  }

  // MARK: decode

  @Test func decodeDescribesEachClaim() async throws {
    let session = try Self.session()
    let token = try await session.run("token").output.dropLast()
    let decoded = try await session.run("token", "decode", "Bearer \(token)")
    #expect(decoded.status == .success, "\(decoded.error)")
    for line in ["header\n", "claims\n", "  scp: ", "the delegated permissions", "bytes, not shown and not verified"] {
      #expect(decoded.output.contains(line), "\(line)")
    }
    #expect(decoded.output.contains(/exp: \d+\n +when the token expires\n +2025-01-01 \d\d:\d\d:\d\d UTC, in \d/))
    let signature = try #require(token.split(separator: ".").last)
    #expect(!decoded.output.contains(signature), "the output contains the signature")
    try await session.simulation.run {
      try await session.simulation.clock.sleep(for: .seconds(90_000))
    }
    #expect(try await session.run("token", "decode", String(token)).output.contains("ago: expired"))
    #expect(!decoded.output.contains("expired"))
    let json = try await session.run("token", "decode", String(token), "--format", "json")
    #expect(try JSON(parsing: Array(json.output.utf8))["claims"]?["tid"] != nil)
  }

  @Test("a token expires at the time in `exp`, and the remaining time is never negative")
  func tokenExpiry() async throws {
    let session = try Self.session()
    let now = session.simulation.clock.now.secondsSince1970
    for (offset, text) in [(Int64(-1), "1 s ago: expired"), (0, "now: expired"), (1, "in 1 s")] {
      let claims = Array(#"{"exp":\#(now + offset)}"#.utf8)
      let token = "eyJhbGciOiJSUzI1NiJ9.\(Base64URL.encode(claims)).c2ln"
      let decoded = try await session.run("token", "decode", token)
      #expect(decoded.output.contains(", \(text)\n"), "\(decoded.output)\(decoded.error)")
    }
  }

  @Test(arguments: [
    ("a.b.c", "is complete and unchanged"), ("a.b.c.d.e", "(JWE)"), ("0.AX_opaque", "are opaque"),
    ("x y", "contains spaces"), (" ", "missing token"),
    ("eyJhbGciOiJub25lIn0.W10.", "the payload is not a JSON object"),
  ]) func decodeRejectsInvalidTokens(token: String, message: String) async throws {
    let result = try await Self.session().run("token", "decode", token)
    #expect(result.status == .usageError && result.output == "")
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func decodeEscapesControlCharactersInClaims() async throws {
    let claims = #"{"name":"\u001b[31mred\u202e","exp":99999999999999999999,"iat":-1,"nbf":"x"}"#
    let text = [#"{"alg":"none"}"#, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".") + "."
    let result = try await Self.session().run("token", "decode", text)
    #expect(result.status == .success, "\(result.error)")
    #expect(!result.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }
}

import AuthflowCLI
import Documents
import Effects
import OrderedCollections
import SimulatedWorld
import TestSupport
import Testing

/// `authflow explain` for terms, codes, files, and pasted errors.
@Suite struct ExplainTests {
  @Test(
    "explains terms from sign-in, MSAL, and Info.plist",
    arguments: [
      ("PKCE", "RFC 7636"), (".default", "all permissions"), ("MSALPublicClientApplication", "without a secret"),
      ("CFBundleURLTypes", "URL schemes"), ("LSApplicationQueriesSchemes", "msauthv3"), ("MSALResult", "access token"),
      ("acquireTokenSilent", "step type"), ("CFBundleURLSchemes", "msauth.BUNDLE_ID"),
    ]) func terms(term: String, definition: String) async throws
  {
    let result = try await TerminalSession().run("explain", term)
    #expect(result.status == .success, "\(result.error)")
    let text = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(definition), "\(result.output)")
  }

  @Test(arguments: [
    ("AADSTS65001", ["consented", "consent_required", "interactively", "Workflows/"]),
    ("-50002", ["MSALErrorInteractionRequired", "acquireToken", "Workflows/"]),
    ("50002", ["MSALErrorInteractionRequired"]),
    ("-42400", ["MSAL 0.x", "-50005"]),
    ("MSALErrorServerDeclinedScopes", ["MSALGrantedScopesKey", "(-50003)", "Workflows/declined-scopes.yaml"]),
    (
      "interaction_required",
      ["OpenID Connect Core", "Cause", "claims", "Workflows/errors/interaction-required.yaml"]
    ),
    ("silent", ["step type", "forceRefresh", "interactionRequired"]),
    ("interactive-fallback", ["when: fallback", "userCanceled"]),
    ("app-id-placeholder", ["`authflow validate` rule"]),
    ("xms_cc", ["token claim", "CP1"]),
    ("MSALInternalErrorCodeKey", ["userInfo", "MSALErrorInternal"]),
  ]) func explainsATermOrCode(term: String, parts: [String]) async throws {
    let result = try await TerminalSession().run("explain", term)
    #expect(result.status == .success, "\(result.error)")
    #expect(result.error == "")
    for part in parts { #expect(result.output.contains(part), "\(term): \(part)\n\(result.output)") }
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test func severalArgumentsFormOneCodeOrSeveralTerms() async throws {
    let one = try await TerminalSession().run("explain", "AADSTS", "65001")
    #expect(one.status == .success)
    #expect(one.output.hasPrefix("AADSTS65001 "))
    let two = try await TerminalSession().run("explain", "-50005", "invalid_grant")
    #expect(two.status == .success)
    #expect(two.output.contains("MSALErrorUserCanceled") && two.output.contains("\ninvalid_grant "))
    let partial = try await TerminalSession().run("explain", "-50005", "invalid_grnt")
    #expect(partial.status == .usageError)
    #expect(partial.output.contains("MSALErrorUserCanceled"))
    #expect(partial.error.contains("did you mean") && partial.error.contains("invalid_grant"))
  }

  @Test(arguments: [
    (["interactionRequird"], "did you mean"), (["qqqqqqqqqqqqq"], "--list"), ([], "missing argument"),
    (["--fromat", "json", "silent"], "unknown option `--fromat`"), (["-x"], "unknown option `-x`"),
    (["--list", "nothing"], "unknown topic"),
  ]) func rejectsUnknownTermsAndOptions(arguments: [String], message: String) async throws {
    let result = try await TerminalSession().run(["explain"] + arguments)
    #expect(result.status == .usageError, "\(result.output)")
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test(arguments: ["./nofile.yaml", "Workflows/none", "silent.YML", "S.json", "/none/a.plist"])
  func reportsAMissingFile(path: String) async throws {
    let result = try await TerminalSession().run("explain", path)
    #expect(result.status == .usageError)
    #expect(result.error.contains("error: \(path): no such file"), "\(result.error)")
  }

  @Test(arguments: ["bad\u{1B}[31mword", "--b\u{1B}[31md", "a\u{1B}[2J/none"])
  func escapesControlCharacters(term: String) async throws {
    let result = try await TerminalSession().run("explain", term)
    #expect(result.status == .usageError)
    #expect(result.error.contains("␛[") && !result.error.contains("\u{1B}"), "\(result.error)")
  }

  @Test func readsPastedUTF16() async throws {
    for isLittleEndian in [true, false] {
      let units = Array("\u{FEFF}error AADSTS65001: consent\r\n".utf16)
      let bytes = units.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isLittleEndian ? [low, high] : [high, low]
      }
      let result = try await TerminalSession(bytes: ["/dev/stdin": bytes]).run("explain", "-")
      #expect(result.status == .success, "\(result.error)")
      #expect(result.output.contains("AADSTS65001"))
    }
  }

  @Test func doesNotPrintATokenFromTheArguments() async throws {
    let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZWdhbiJ9.c2ln"
    for arguments in [["explain", token], ["explain", token, "--format", "json"]] {
      let result = try await TerminalSession().run(arguments)
      #expect(result.status == .usageError)
      #expect(!(result.output + result.error).contains(token))
    }
  }

  @Test func failsForACodeThatIsNotInTheTable() async throws {
    let result = try await TerminalSession().run("explain", "AADSTS9999123")
    #expect(result.status == .failed)
    #expect(result.output.contains("not in authflow's table"))
    #expect(result.output.contains("https://login.microsoftonline.com/error?code=9999123"))
    #expect(result.error == "")
  }

  // MARK: Pasted errors

  static let pasted = """
    Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={MSALOAuthErrorKey=invalid_grant,
    MSALSTSErrorCodesKey=(50173), MSALCorrelationIDKey=EF0E0F78-758C-4293-8A1E-37CDA1C0C579, access_token=secret-in-a-log}
    """

  @Test func readsAPastedErrorFromStandardInput() async throws {
    let session = try TerminalSession(bytes: ["/dev/stdin": Array(Self.pasted.utf8)])
    let result = try await session.run("explain", "-")
    #expect(result.status == .success)
    let positions = ["AADSTS50173", "MSALErrorInteractionRequired", "invalid_grant  OAuth error"].map {
      result.output.firstRange(of: $0)?.lowerBound
    }
    #expect(!positions.contains(nil), "\(result.output)")
    #expect(positions.compactMap { $0 } == positions.compactMap { $0 }.sorted(), "the most specific entry is first")
    #expect(result.output.contains("correlation ID ef0e0f78-758c-4293-8a1e-37cda1c0c579"))
    #expect(!result.output.contains("secret-in-a-log"))
  }

  @Test func readsAPastedErrorFromAnArgumentOrAFile() async throws {
    let argument = try await TerminalSession().run("explain", Self.pasted)
    #expect(argument.status == .success)
    #expect(argument.output.contains("AADSTS50173"))
    let file = try await TerminalSession(files: ["app.log": Self.pasted]).run("explain", "app.log")
    #expect(file.status == .success)
    #expect(file.output.contains("AADSTS50173"))
    let response = try await TerminalSession(files: ["a.json": #"{"error":"invalid_grant","error_codes":[65001]}"#])
      .run("explain", "a.json")
    #expect(response.output.contains("AADSTS65001"), "\(response.output)\(response.error)")
  }

  @Test func readsAPastedErrorFromATerminal() async throws {
    let lines = Self.pasted.split(separator: "\n").map(String.init)
    let session = try TerminalSession(
      console: BufferedConsole(input: lines, terminals: [.output, .error], width: 80))
    let result = try await session.run("explain", "-")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("AADSTS50173"))
  }

  @Test func rejectsTextWithoutKnownTerms() async throws {
    for text in ["", "Dear reader", "\u{0}\u{1}\u{2}"] {
      let session = try TerminalSession(bytes: ["/dev/stdin": Array(text.utf8)])
      let result = try await session.run("explain", "-")
      #expect(result.status == .usageError)
      #expect(result.error.contains("paste the complete error"))
    }
  }

  // MARK: Files

  @Test func anExistingFileTakesPrecedenceOverATerm() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(steps: "- silent").merging(["silent": "AADSTS50076"]) { $1 })
    let result = try await session.run("explain", "silent")
    #expect(result.output.contains("AADSTS50076"))
  }

  @Test func explainsAWorkflow() async throws {
    let result = try await TerminalSession(shipped: true).run("explain", "Workflows/me.yaml")
    #expect(result.status == .success, "\(result.error)")
    for part in [
      "Read my profile", "1. loadAccount", "notFound: falls back to interactive-fallback",
      "anything else: the workflow fails",
      "runs silent again with the claims", "returning user",
    ] { #expect(result.output.contains(part), "\(part)\n\(result.output)") }
    let json = try await TerminalSession(shipped: true).run("explain", "Workflows/me.yaml", "--format", "json")
    let workflow = try JSON(parsing: Array(json.output.utf8))["workflow"]
    #expect(workflow?["steps"]?.array?.count == 5)
  }

  @Test func explainsSettingsAndDirectoryFiles() async throws {
    let session = try TerminalSession(files: [
      "S.yaml": TerminalSession.plainSettings, "D.yaml": "directory: 1\ntenants: []\n",
      "w.yaml": "authflow: 1\nsteps: [silnt]\n",
    ])
    let settings = try await session.run("explain", "S.yaml")
    #expect(settings.status == .success)
    #expect(settings.output.contains("authflow settings S.yaml --explain"))
    #expect(try await session.run("explain", "D.yaml").output.contains("directory"))
    let invalid = try await session.run("explain", "w.yaml")
    #expect(invalid.status == .usageError)
    #expect(invalid.error.contains("w.yaml:2:"))
    let folder = try await session.run("explain", ".")
    #expect(folder.status == .usageError)
    #expect(folder.error.contains("directory"))
  }

  // MARK: Output

  @Test func listsAllEntriesOrThoseOfATopic() async throws {
    let all = try await TerminalSession().run("explain", "--list")
    #expect(all.status == .success)
    for name in ["AADSTS65001", "MSALErrorUserCanceled (-50005)", "AADB2C90118", "silent", "GraphScopes"] {
      #expect(all.output.contains(name))
    }
    let suberrors = try await TerminalSession().run("explain", "--list", "suberror")
    #expect(suberrors.output.contains("bad_token") && !suberrors.output.contains("AADSTS"))
    let json = try await TerminalSession().run("explain", "--list", "--format", "json")
    let entries = try #require(JSON(parsing: Array(json.output.utf8)).array)
    #expect(entries.count > 400)
    #expect(entries.allSatisfy { $0["meaning"]?.string?.isEmpty == false && $0["advice"]?.string?.isEmpty == false })
  }

  @Test(arguments: [
    ("explain-code", ["MSALInternalErrorInvalidState"]), ("explain-unlisted", ["AADSTS9999123"]),
    ("explain-pasted", ["-"]),
  ]) func jsonMatchesTheGoldenFile(name: String, arguments: [String]) async throws {
    let session = try TerminalSession(bytes: ["/dev/stdin": Array(Self.pasted.utf8)])
    let result = try await session.run(["explain"] + arguments + ["--format", "json"])
    // Remove the shipped workflows from the output, so that new workflows do not change the golden files.
    let json = try JSON(parsing: Array(result.output.utf8)).withoutWorkflows.text(pretty: true) + "\n"
    let path = "Tests/Golden/\(name).json"
    if ProjectFiles.updatesGoldenFiles { return try ProjectFiles.write(json, to: path) }
    #expect(json == String(decoding: try ProjectFiles.bytes(of: path), as: UTF8.self))
  }

  @Test func wrapsTextToTheWidthOfTheTerminal() async throws {
    for width in [40, 72, 100] {
      let session = try TerminalSession(
        variables: ["LANG": "C.UTF-8"], console: BufferedConsole(terminals: [.output], width: width))
      let result = try await session.run("explain", "AADSTS50076")
      #expect(result.output.contains("\u{1B}[1m"))
      let plain = result.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      for line in plain.split(separator: "\n") where !line.contains("https://") && !line.contains("MSAL") {
        #expect(line.count <= max(width, 40), "\(line)")
      }
    }
  }

  /// MSAL's documented reaction to an OAuth error matches the outcome of `interactive` in a run with this error.
  @Test(arguments: ["token", "authorize"]) func documentedReactionsMatchInteractiveRequests(endpoint: String)
    async throws
  {
    let list = try await TerminalSession().run("explain", "--list", "oauth-error", "--format", "json")
    for entry in try #require(JSON(parsing: Array(list.output.utf8)).array) {
      let name = try #require(entry["name"]?.string)
      guard let reaction = entry["msal"]?.string, !["invalid_instance", "invalid_request"].contains(name) else {
        continue
      }
      let files = TerminalSession.files(
        steps: "- simulate: [{fault: {at: \(endpoint), response: {error: \(name)}}}]\n- interactive")
      let result = try await TerminalSession(files: files).run("run", "w.yaml", "--fresh", "--format", "json")
      let outcome = try #require(JSON(parsing: Array(result.output.utf8))["outcome"]?.string)
      let symbol = try await symbol(of: outcome)
      #expect(
        reactions(in: reaction).interactive.contains(symbol),
        "\(name) at \(endpoint): \(outcome) (\(symbol)), documented: \(reaction)")
    }
  }

  /// The documented reaction of MSAL to an OAuth error matches the outcome of `silent` if a refresh fails with this
  /// error.
  @Test func documentedReactionsMatchSilentRequests() async throws {
    let list = try await TerminalSession().run("explain", "--list", "oauth-error", "--format", "json")
    for entry in try #require(JSON(parsing: Array(list.output.utf8)).array) {
      let name = try #require(entry["name"]?.string)
      guard let reaction = entry["msal"]?.string else { continue }
      let files = TerminalSession.files(
        steps: """
          - id: signIn
            interactive: {}
          - simulate: [{fault: {at: token, response: {error: \(name)}}}]
          - silent: {forceRefresh: true}
          """)
      let result = try await TerminalSession(files: files).run("run", "w.yaml", "--fresh", "--format", "json")
      let outcome = try #require(JSON(parsing: Array(result.output.utf8))["outcome"]?.string)
      let symbol = try await symbol(of: outcome)
      #expect(
        reactions(in: reaction).silent.contains(symbol), "\(name): \(outcome) (\(symbol)), documented: \(reaction)")
    }
  }

  /// Splits a documented reaction into the texts for interactive and silent requests, which can be the same text.
  private func reactions(in text: String) -> (interactive: String, silent: String) {
    let parts = text.split(separator: "; silent, from the token endpoint: ").map(String.init)
    #expect(parts.count == 2 || text.hasSuffix(" in silent and interactive calls."), "\(text)")
    return (parts.first ?? "", parts.last ?? "")
  }

  /// Returns MSAL's error code symbol for an outcome, or the outcome itself if it has no symbol.
  private func symbol(of outcome: String) async throws -> String {
    let result = try await TerminalSession().run("explain", outcome, "--format", "json")
    let entries = try JSON(parsing: Array(result.output.utf8))["found"]?.array ?? []
    return entries.first { $0["topic"]?.string?.hasPrefix("msal") == true }?["name"]?.string ?? outcome
  }
}

extension JSON {
  fileprivate var withoutWorkflows: JSON {
    switch self {
    case .object(let members): .object(members.filter { $0.key != "workflows" }.mapValues { $0.withoutWorkflows })
    case .array(let elements): .array(elements.map(\.withoutWorkflows))
    default: self
    }
  }
}

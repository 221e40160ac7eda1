import AuthflowCLI
import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Testing

/// Attacks with malicious files in a pull request. See "Trust boundaries" in SECURITY.md.
@Suite("Untrusted files") struct UntrustedFileTests {
  private static let workflow = "authflow: 1\nsettings: S.yaml\n"
  private static let home = [
    TerminalSession.home + "/.netrc": "machine example password Fake-Netrc-1\n",
    TerminalSession.home + "/.bashrc": "PATH=/usr/bin\n", "/etc/hostname": "builder\n",
  ]

  private static func session(
    _ text: String, files: [String: String] = [:], variables: [String: String] = [:],
    http: any HTTPTransport = StubTransport.unreachable()
  ) throws -> TerminalSession {
    let all = ["S.yaml": TerminalSession.plainSettings, "w.yaml": text].merging(home) { $1 }.merging(files) { $1 }
    return try TerminalSession(files: all, variables: variables, http: http)
  }

  // MARK: Reading

  @Test(
    "rejects settings outside the project",
    arguments: ["../.netrc", "/home/dev/.netrc", "/etc/hostname", "sub/../../.netrc", ".git/config", ".env"])
  func rejectsSettingsOutsideTheProject(path: String) async throws {
    let text =
      "authflow: 1\nsettings: \(path)\nsteps: [interactive]\nscenarios: { s: { expect: { outcome: success } } }\n"
    let session = try Self.session(
      text, files: [".git/config": "token Fake-Netrc-1\n", ".env": "X=Fake-Netrc-1\n", "sub/x": ""])
    for command in [
      ["run", "w.yaml"], ["validate", "w.yaml"], ["test", "w.yaml"], ["explore", "w.yaml"], ["validate", "."],
      ["validate", "w.yaml", "--format", "sarif"],
    ] {
      let result = try await session.run(command)
      let shown = result.output + result.error
      #expect(result.status != .success, "\(command)")
      #expect(shown.contains("(trust rule `reads`)"), "\(command): \(shown)")
      #expect(!shown.contains("Fake-Netrc-1") && !shown.contains("builder"), "\(command): \(shown)")
      // The error is reported at the location of the reference.
      #expect(shown.contains("w.yaml:2:11") || command.contains("sarif"), "\(command): \(shown)")
    }
  }

  @Test(
    "rejects other kinds of references to files outside the project",
    arguments: [
      "directory: ../.netrc\nsettings: S.yaml\nsteps: [interactive]\n",
      "settings: S.yaml\nscenarios: ../.netrc\nsteps: [interactive]\n",
      "settings: S.yaml\nsteps: [{ use: ../.netrc }]\n",
    ]) func rejectsOtherReferences(text: String) async throws
  {
    let session = try Self.session("authflow: 1\n" + text)
    for command in ["validate", "graph", "explain", "explore"] {
      let result = try await session.run(command, "w.yaml")
      let shown = result.output + result.error
      #expect(!shown.contains("Fake-Netrc-1"), "\(command): \(shown)")
      if command == "validate" {
        #expect(result.status == .failed && shown.contains("(trust rule `reads`)"), "\(shown)")
      }
    }
  }

  @Test("reads a file outside the project if the user allows its folder") func namedRoots() async throws {
    let text = "authflow: 1\nsettings: /srv/shared/S.yaml\nsteps: [interactive]\n"
    let session = try Self.session(text, files: ["/srv/shared/S.yaml": TerminalSession.plainSettings])
    #expect(try await session.run("run", "w.yaml").status == .usageError)
    #expect(try await session.run("run", "w.yaml", "--root", "/srv/shared").status == .success)
    #expect(try await session.run("validate", "w.yaml", "--root", "/srv/shared").status == .success)
  }

  @Test("rejects links to files outside the project, even on the command line") func rejectsLinks() async throws {
    let session = try Self.session(Self.workflow + "steps: [interactive]\n")
    session.files.link("link.yaml", to: TerminalSession.home + "/.netrc")
    for command in ["validate", "run", "test", "graph", "explain", "explore", "settings"] {
      let result = try await session.run(command, "link.yaml")
      let shown = result.output + result.error
      #expect(result.status == .usageError, "\(command)")
      #expect(shown.contains("(trust rule `reads`)") && !shown.contains("Fake-Netrc-1"), "\(command): \(shown)")
    }
  }

  @Test("rejects a request body from a file outside the project", arguments: ["../.netrc", "/etc/hostname", ".env"])
  func outsideBody(path: String) async throws {
    let steps = "steps:\n  - interactive\n  - callGraph: { put: \"/me/photo/$value\", body: { file: \(path) } }\n"
    let session = try Self.session(Self.workflow + steps, files: [".env": "X=Fake-Netrc-1"])
    let result = try await session.run("run", "w.yaml", "-v", "--trace", "t.jsonl")
    #expect(result.status == .failed && result.output.contains("(trust rule `reads`)"), "\(result.output)")
    #expect(!(session.files.text("t.jsonl") ?? "").contains(#""method":"PUT""#))
  }

  @Test("rejects recordings and caches outside the project") func outsideRecordings() async throws {
    let replay = try Self.session(Self.workflow + "platform: { replay: ../.netrc }\nsteps: [interactive]\n")
    let replayed = try await replay.run("run", "w.yaml")
    #expect(replayed.status == .usageError && replayed.error.contains("(trust rule `reads`)"), "\(replayed.error)")
    let cache = try Self.session(
      Self.workflow + "steps: [{ simulate: { cacheLoaded: ../.netrc } }]\n"
        + "scenarios: { s: { expect: { outcome: success } } }\n")
    let loaded = try await cache.run("test", "w.yaml")
    let shown = loaded.output + loaded.error
    #expect(loaded.status != .success && shown.contains("(trust rule `reads`)"), "\(shown)")
    #expect(!shown.contains("Fake-Netrc-1"))
  }

  // MARK: Writing

  @Test(
    "rejects output files outside the output folder",
    arguments: ["/home/dev/.bashrc", "../.bashrc", ".bashrc", "${env:HOME}/.bashrc", "a/../../.bashrc", ".git/config"])
  func outsideOutput(path: String) async throws {
    let steps = "steps:\n  - interactive\n  - callGraph: { get: /me, saveTo: \"\(path)\" }\n"
    let session = try Self.session(Self.workflow + steps)
    for options in [[], ["--env", "HOME"], ["--overwrite", "--env", "HOME"]] {
      let result = try await session.run(["run", "w.yaml"] + options)
      #expect(result.status != .success, "\(options)")
      let shown = result.output + result.error
      #expect(shown.contains("(trust rule `writes`)") || shown.contains("(trust rule `variables`)"), "\(shown)")
    }
    #expect(session.files.text(TerminalSession.home + "/.bashrc") == "PATH=/usr/bin\n")
  }

  @Test("overwrites its own output, but not the user's files") func replacesOwnOutput() async throws {
    let steps = "steps:\n  - interactive\n  - callGraph: { get: /me, saveTo: me.json }\n"
    let session = try Self.session(Self.workflow + steps, files: ["me.json": "mine"])
    let rejected = try await session.run("run", "w.yaml")
    #expect(rejected.status == .failed && rejected.output.contains("--overwrite"), "\(rejected.output)")
    #expect(session.files.text("me.json") == "mine")
    #expect(try await session.run("run", "w.yaml", "--overwrite").status == .success)
    #expect(session.files.text("me.json")?.contains("Megan") == true)
    #expect(try await session.run("run", "w.yaml").status == .success, "the previous output is overwritten")
    try session.files.replace("me.json", with: Array("edited".utf8), privately: false)
    #expect(try await session.run("run", "w.yaml").status == .failed, "the user has edited the output")
    #expect(session.files.text("me.json") == "edited")
  }

  @Test("writes to the existing folder passed to `--output`") func writesToTheOutputFolder() async throws {
    let steps = "steps:\n  - interactive\n  - callGraph: { get: /me, saveTo: me.json }\n"
    let session = try Self.session(Self.workflow + steps, files: ["/srv/out/other.txt": ""])
    #expect(try await session.run("run", "w.yaml", "--output", "/srv/out").status == .success)
    #expect(session.files.text("/srv/out/me.json")?.contains("Megan") == true)
    #expect(try await session.run("run", "w.yaml", "--output", "/srv/none").status == .usageError)
  }

  // MARK: Variables

  @Test("passes variables and secrets only if the user allows them", arguments: ["env", "secret"])
  func passesNamedVariables(kind: String) async throws {
    let steps = "steps:\n  - interactive\n  - callGraph: { get: /me, headers: { x-word: \"${\(kind):WORD}\" } }\n"
    let session = try Self.session(
      Self.workflow + steps, files: ["v.env": "WORD=from-the-file\n"], variables: ["WORD": "Fake-Word-1"])
    let rejected = try await session.run("run", "w.yaml", "-v")
    #expect(rejected.status == .failed && rejected.output.contains("--\(kind) WORD"), "\(rejected.output)")
    #expect(rejected.output.contains("(trust rule `variables`)"))
    #expect(try await session.run("run", "w.yaml", "--\(kind)", "WORD").status == .success)
    #expect(try await session.run("run", "w.yaml", "--env-file", "v.env").status == .success)
  }

  @Test("fails if a secret in the `user` block is missing") func missingSecret() async throws {
    let text =
      Self.workflow + "user: { username: megan@contoso.com, password: \"${secret:PASSWORD}\" }\nsteps: [interactive]\n"
    let session = try Self.session(text, variables: ["PASSWORD": "Fake-Megan-1"])
    let rejected = try await session.run("run", "w.yaml")
    #expect(rejected.status == .failed, "\(rejected.output)")
    #expect(rejected.output.contains("invalidParameter"))
    #expect(rejected.output.contains("secret `PASSWORD` was not passed"))
    #expect(try await session.run("run", "w.yaml", "--secret", "PASSWORD").status == .success)
  }

  @Test("uses `--env-file` only for workflows and settings") func ignoresOtherVariables() async throws {
    let session = try Self.session(
      Self.workflow + "steps: [interactive]\n",
      files: ["v.env": "XDG_STATE_HOME=/home/dev/app/state\nBROWSER=/bin/false\nHOME=/home/dev/app\n"])
    #expect(try await session.run("run", "w.yaml", "--env-file", "v.env").status == .success)
    #expect(
      !session.files.paths.contains { $0.hasPrefix("/home/dev/app/state") || $0.hasPrefix("/home/dev/app/.local") })
    #expect(session.files.paths.contains { $0.hasPrefix(TerminalSession.state) })
  }

  @Test("exported variables override `--env-file`, including in settings") func prefersExportedValues() async throws {
    let settings = "AppId: ${APP_ID}\nGraphScopes: [User.Read]\nBundleId: com.contoso.graphtutorial\n"
    let session = try Self.session(
      Self.workflow + "steps: [interactive]\n", files: ["S.yaml": settings, "v.env": "APP_ID=wrong\n"],
      variables: ["APP_ID": "6731de76-14a6-49ae-97bc-6eba6914391e"])
    #expect(try await session.run("run", "w.yaml", "--env-file", "v.env").status == .success)
    let shown = try await session.run("settings", "S.yaml", "--env-file", "v.env")
    #expect(shown.output.contains("6731de76-14a6-49ae-97bc-6eba6914391e"), "\(shown.error)")
    #expect(
      try await session.run("settings", "S.yaml").status == .usageError, "exported values require an option")
  }

  // MARK: Live service and tokens

  @Test("runs on the live service only if the user chooses it") func liveChoice() async throws {
    let transport = StubTransport { _ throws(TransportFailure) in throw .cannotConnect("login.microsoftonline.com") }
    let session = try Self.session(Self.workflow + "platform: live\nsteps: [interactive]\n", http: transport)
    let rejected = try await session.run("run", "w.yaml")
    #expect(rejected.status == .usageError && rejected.error.contains("(trust rule `live`)"), "\(rejected.error)")
    #expect(transport.requests.isEmpty)
    let path = TerminalSession.home + "/.config/authflow/config.yaml"
    try session.files.makeDirectory(TerminalSession.home + "/.config/authflow", privately: true)
    try session.files.replace(path, with: Array("live: true\nhosts: [api.contoso.com]\n".utf8), privately: true)
    let allowed = try await session.run("run", "w.yaml")
    #expect(allowed.status == .environmentFailure && !transport.requests.isEmpty, "\(allowed.error)")
  }

  @Test("lists the hosts, variables, and secrets of a live run before sending any request")
  func liveAccess() async throws {
    let steps = """
      steps:
        - interactive
        - callGraph: { put: "/me/photo/$value", body: { file: photo.jpg } }
        - callAPI: { url: "https://api.contoso.com/items", headers: { x: "${secret:WORD}" } }

      """
    let session = try Self.session(
      Self.workflow + steps, variables: ["WORD": "Fake-Word-1", "TENANT": "contoso"],
      http: StubTransport { _ throws(TransportFailure) in throw .cannotConnect("login.microsoftonline.com") })
    let result = try await session.run(
      "run", "w.yaml", "--platform", "live", "--secret", "WORD", "--env", "TENANT", "--allow-host", "api.contoso.com")
    for line in [
      "hosts: login.microsoftonline.com, graph.microsoft.com, api.contoso.com", "variables: TENANT", "secrets: WORD",
      "files: w.yaml, S.yaml, photo.jpg",
    ] {
      #expect(result.error.contains(line), "\(line): \(result.error)")
    }
    #expect(!result.error.contains("Fake-Word-1"))
  }

  @Test(
    "rejects a Graph endpoint that is not a Graph host",
    arguments: ["https://evil.example", "http://graph.microsoft.com", "https://graph.microsoft.com.evil.example"])
  func untrustedGraph(endpoint: String) async throws {
    let session = try Self.session(
      Self.workflow + "steps: [interactive, { callGraph: /me }]\n",
      files: ["S.yaml": TerminalSession.plainSettings + "GraphEndpoint: \(endpoint)\n"])
    for command in [
      ["validate", "."], ["run", "w.yaml"], ["run", "w.yaml", "--platform", "live"],
      ["api", "get", "/me", "--settings", "S.yaml", "--platform", "live"],
    ] {
      let result = try await session.run(command)
      let shown = result.output + result.error
      #expect(result.status == .failed || result.status == .usageError, "\(command)")
      #expect(
        shown.contains("graph-endpoint-host") || shown.contains("graph-endpoint-malformed"), "\(command): \(shown)")
    }
  }

  @Test("validates API URLs and output paths") func validatesRules() async throws {
    let steps = """
      steps:
        - interactive
        - callAPI: { url: "http://api.contoso.com/items" }
        - { id: second, callGraph: { get: /me, saveTo: ../me.json } }

      """
    let session = try Self.session(Self.workflow + steps)
    let result = try await session.run("validate", "w.yaml")
    #expect(result.status == .failed)
    #expect(result.output.contains("never sent over http"), "\(result.output)")
    #expect(
      result.output.contains("output-path") && result.output.contains("(trust rule `writes`)"), "\(result.output)")
  }

  @Test(
    "reports errors in the user's configuration",
    arguments: ["lve: true\n", "hosts: ['*.contoso.com']\n", "roots: [shared]\n", "live: maybe\n", "live: [\n"])
  func reportsConfigurationErrors(text: String) async throws {
    let session = try Self.session(
      Self.workflow + "steps: [interactive]\n",
      files: [TerminalSession.home + "/.config/authflow/config.yaml": text])
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError && result.error.contains("config.yaml:"), "\(result.error)")
  }
}

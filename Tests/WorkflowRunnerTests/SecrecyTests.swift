import Documents
import Effects
import HTTPTypes
import RunTrace
import SimulatedWorld
import Testing

/// What a trace shows, and what it never shows. That no token, code, password or cookie of the wire stands in any event
/// is checked for every run of every test here; these tests check that the check would notice.
@Suite struct SecrecyTests {
  @Test func theWireHoldsSecretsAndTheTraceTheirMasks() async throws {
    let scene = try RunScene()
    let outcome = try await scene.run("calendar.json")
    let secrets = scene.wire.secrets
    // Three tokens, a code, a verifier, a password, cookies.
    #expect(secrets.count >= 7, "\(secrets.count)")
    #expect(secrets.contains("Fake-Megan-1"))
    for mask in [
      "‹access token #1›", "‹refresh token #1›", "‹id token #1›", "‹authorization code #1›", "‹code verifier #1›",
      "‹password #1›", "‹cookie #1›", "‹state #1›",
    ] {
      #expect(outcome.lines.contains(mask), "\(mask)")
    }
  }

  @Test func oneTokenHasOneNameInTheWholeTrace() async throws {
    let scene = try RunScene()
    let outcome = try await scene.run("me.yaml")
    let answer = try #require(
      outcome.events(.httpResponse).first { $0["body"]?["json"]?["access_token"] != nil }?["body"]?["json"])
    let call = try #require(
      outcome.events(.httpRequest).first { $0["url"]?.string?.hasSuffix("/v1.0/me") == true })
    let sent = call["headers"]?["authorization"] ?? call["headers"]?["Authorization"]
    #expect(sent?.string == "Bearer \(answer["access_token"]?.string ?? "")")
    #expect(answer["access_token"]?.string == "‹access token #1›")
  }

  @Test(arguments: ["env", "secret"]) func aNamedSecretIsMaskedWhereverItWouldStand(kind: String) async throws {
    let scene = try RunScene(environment: ["WORD": "open-sesame-42"])
    scene.wire.serve("graph.microsoft.us") { request in
      .json(#"{"echo": "you said \#(request.head.headerFields[.init("x-word") ?? .accept] ?? "nothing")"}"#)
    }
    let outcome = try await scene.run(
      steps: """
        - interactive
        - callGraph: { get: /echo, headers: { x-word: "${\(kind):WORD}" } }
          capture: { echo: $.echo }
        - { assert: { echo: "nothing at all" }, on: { violated: next } }
        - { id: last, callGraph: "/echo/${echo}", on: { error: end } }
        """, "settings: Graph.yaml",
      files: ["Graph.yaml": RunScene.settings + "\nGraphEndpoint: https://graph.microsoft.us"])
    #expect(outcome.facts("callGraph")["$"]?["echo"]?.string == "you said open-sesame-42")
    #expect(outcome.lines.contains("open-sesame-42") == (kind == "env"))
    #expect(outcome.lines.contains("‹secret #1›") == (kind == "secret"))
  }

  struct Written: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var isShown = false
  }

  static let head = "authflow: 1\nsettings: Settings.yaml\nsteps: [interactive]\n"

  /// The first event carries the whole source.
  @Test(arguments: [
    Written(testDescription: "the document's user", text: head + "user: { password: Open-Sesame-9 }\n"),
    Written(
      testDescription: "a list of sittings", text: head + "user: [{}, { newPassword: Open-Sesame-9, password: x }]\n"),
    Written(testDescription: "a seed", text: head + "user: { mfa: { totp: Open-Sesame-9 } }\n"),
    Written(
      testDescription: "a step's user",
      text: "authflow: 1\nsettings: Settings.yaml\nsteps: [{ interactive: {}, user: { password: Open-Sesame-9 } }]\n"),
    Written(
      testDescription: "a scenario's user",
      text: head + "scenarios: { one: { user: { password: Open-Sesame-9 }, expect: { outcome: userCanceled } } }\n"),
    Written(
      testDescription: "the directory",
      text: head
        + "directory: { directory: 1, tenants: [{ name: T, domains: [t.example], users: [{ username: u@t.example, password: Open-Sesame-9 }] }] }\n"
    ),
    Written(testDescription: "with escapes", text: head + "user: { password: \"Open-\\x53esame-9\" }\n"),
    Written(testDescription: "an innocent word", text: head + "description: Open-Sesame-9\n", isShown: true),
  ]) func whatIsWrittenInTheWorkflowAsASecretIsMasked(written: Written) async throws {
    let scene = try RunScene(files: ["w.yaml": written.text])
    let outcome = try await scene.run("w.yaml")
    #expect(outcome.lines.contains("Open-Sesame-9") == written.isShown)
    #expect(!outcome.lines.contains("x53esame"))
    #expect(outcome.events.first?.json["source"]?.string?.contains("settings: Settings.yaml") == true)
  }

  @Test func aPasswordOfTheWorkflowIsMasked() async throws {
    let scene = try RunScene(environment: ["PASS": "Fake-Megan-1"])
    let outcome = try await scene.run(
      steps: "- interactive",
      "settings: Settings.yaml\nuser: { username: megan@contoso.com, password: \"${secret:PASS}\" }")
    #expect(outcome.ending == "success")
    #expect(!outcome.lines.contains("Fake-Megan-1"))
  }

  /// The longer one first, whatever order they were met in: no half of a secret is left over.
  @Test(arguments: [["Open-Sesame", "Open-Sesame-And-More"], ["Open-Sesame-And-More", "Open-Sesame"]])
  func aSecretInsideAnotherIsMaskedWhole(passwords: [String]) async throws {
    let scene = try RunScene(files: [
      "w.yaml": Self.head + "user: [{ password: \(passwords[0]) }, { password: \(passwords[1]) }]\n"
    ])
    let lines = try await scene.run("w.yaml").lines
    #expect(!lines.contains("Open-Sesame"))
    #expect(!lines.contains("And-More"))
  }

  @Test func aMissingSecretIsToldAndEndsTheRun() async throws {
    let outcome = try await RunScene().run(
      steps: "- interactive\n- callGraph: { get: /me, headers: { x-word: \"${secret:NONE}\" } }")
    #expect(outcome.ending != "success")
    #expect(outcome.lines.contains("NONE"))
  }

  @Test func theFirstEventHoldsWhatAReportNeeds() async throws {
    let outcome = try await RunScene().run("me.yaml")
    let start = try #require(outcome.events.first?.json)
    #expect(start["format"]?.integer == 2)
    #expect(start["file"]?.string == "me.yaml")
    #expect(start["name"]?.string == "Read my profile")
    #expect(start["source"]?.string?.contains("interactive-fallback") == true)
    #expect(start["machine"]?.object != nil)
    #expect(start["settings"]?["app"]?["clientId"]?.string == RunScene.app)
    #expect(start["platform"]?.string == "emulated")
  }

  @Test func requestsAndAnswersAreNumberedInPairs() async throws {
    let outcome = try await RunScene().run("me.yaml")
    let asked = outcome.events(.httpRequest).compactMap { $0["id"]?.integer }
    let answered = outcome.events(.httpResponse).compactMap { $0["id"]?.integer }
    #expect(asked == Array(1...Int64(asked.count)))
    #expect(answered.sorted() == asked)
    #expect(outcome.events(.httpRequest).allSatisfy { $0["step"]?.string != nil })
    let from = Set(outcome.events(.httpRequest).compactMap { $0["from"]?.string })
    #expect(from == ["app", "browser"])
  }

  @Test func everyFinishedStepSaysWhereItLeads() async throws {
    let outcome = try await RunScene().run("me.yaml")
    let steps = outcome.events(.stepFinished)
    #expect(steps.map { $0["next"]?.string } == ["interactive-fallback", "callGraph", "signout", "success"])
    #expect(steps.map { $0["verdict"]?.string } == ["handled", "ok", "ok", "ok"])
    #expect(steps.allSatisfy { $0["rule"]?.string?.isEmpty == false })
    let started = outcome.events(.stepStarted)
    #expect(started.map { $0["number"]?.integer } == [1, 2, 3, 4])
    #expect(started.map { $0["place"]?["line"]?.integer } == [16, 18, 19, 20])
  }

  @Test func hostileNamesFromTheNetworkStayText() async throws {
    let scene = try RunScene(
      directory: """
        directory: 1
        tenants:
          - name: Contoso
            users:
              - { username: megan@contoso.com, displayName: "Meg\\u001b[31m\\nan\\u202e\\u0000" }
        """)
    let outcome = try await scene.run("me.yaml")
    #expect(outcome.ending == "success")
    for event in outcome.events {
      // One event is one line, whatever a name holds.
      #expect(event.line.filter { $0 == "\n" }.count == 1)
      #expect(!event.line.unicodeScalars.dropLast().contains { $0.value < 0x20 })
    }
  }
}

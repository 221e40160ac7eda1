import Documents
import Effects
import HTTPTypes
import RunTrace
import SimulatedWorld
import Testing

/// Tests masking in traces. `RunHarness` searches the trace of every run for secrets. These tests verify that search
/// and cover other cases.
@Suite struct SecrecyTests {
  @Test func tracesContainPlaceholdersInsteadOfSecrets() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run("calendar.json")
    let secrets = harness.wire.secrets
    // The run has these secrets: three tokens, a code, a verifier, a password, and cookies.
    #expect(secrets.count >= 7, "\(secrets.count)")
    #expect(secrets.contains("Fake-Megan-1"))
    for placeholder in [
      "‹access token #1›", "‹refresh token #1›", "‹id token #1›", "‹authorization code #1›", "‹code verifier #1›",
      "‹password #1›", "‹cookie #1›", "‹state #1›",
    ] {
      #expect(outcome.lines.contains(placeholder), "\(placeholder)")
    }
  }

  @Test func usesOnePlaceholderForAllOccurrencesOfAToken() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run("me.yaml")
    let response = try #require(
      outcome.events(.httpResponse).first { $0["body"]?["json"]?["access_token"] != nil }?["body"]?["json"])
    let call = try #require(
      outcome.events(.httpRequest).first { $0["url"]?.string?.hasSuffix("/v1.0/me") == true })
    let sent = call["headers"]?["authorization"] ?? call["headers"]?["Authorization"]
    #expect(sent?.string == "Bearer \(response["access_token"]?.string ?? "")")
    #expect(response["access_token"]?.string == "‹access token #1›")
  }

  @Test(arguments: ["env", "secret"]) func masksSecretVariablesButNotEnvironmentVariables(kind: String) async throws {
    let harness = try RunHarness(environment: ["VALUE": "open-sesame-42"])
    harness.wire.serve("graph.microsoft.us") { request in
      .json(#"{"echo": "received \#(request.head.headerFields[.init("x-value") ?? .accept] ?? "nothing")"}"#)
    }
    let outcome = try await harness.run(
      steps: """
        - interactive
        - callGraph: { get: /echo, headers: { x-value: "${\(kind):VALUE}" } }
          capture: { echo: $.echo }
        - { assert: { echo: "other" }, on: { violated: next } }
        - { id: last, callGraph: "/echo/${echo}", on: { error: end } }
        """, "settings: Graph.yaml",
      files: ["Graph.yaml": RunHarness.settings + "\nGraphEndpoint: https://graph.microsoft.us"])
    #expect(outcome.facts("callGraph")["$"]?["echo"]?.string == "received open-sesame-42")
    #expect(outcome.lines.contains("open-sesame-42") == (kind == "env"))
    #expect(outcome.lines.contains("‹secret #1›") == (kind == "secret"))
  }

  struct Source: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var isShown = false
  }

  static let head = "authflow: 1\nsettings: Settings.yaml\nsteps: [interactive]\n"

  /// The first event contains the complete source.
  @Test(arguments: [
    Source(testDescription: "the document's user", text: head + "user: { password: Open-Sesame-9 }\n"),
    Source(
      testDescription: "a list of user behaviors",
      text: head + "user: [{}, { newPassword: Open-Sesame-9, password: x }]\n"),
    Source(testDescription: "a TOTP seed", text: head + "user: { mfa: { totp: Open-Sesame-9 } }\n"),
    Source(
      testDescription: "a step's user",
      text: "authflow: 1\nsettings: Settings.yaml\nsteps: [{ interactive: {}, user: { password: Open-Sesame-9 } }]\n"),
    Source(
      testDescription: "a scenario's user",
      text: head + "scenarios: { one: { user: { password: Open-Sesame-9 }, expect: { outcome: userCanceled } } }\n"),
    Source(
      testDescription: "the directory",
      text: head
        + "directory: { directory: 1, tenants: [{ name: T, domains: [t.example], users: [{ username: u@t.example, password: Open-Sesame-9 }] }] }\n"
    ),
    Source(testDescription: "with escapes", text: head + "user: { password: \"Open-\\x53esame-9\" }\n"),
    Source(testDescription: "a description", text: head + "description: Open-Sesame-9\n", isShown: true),
  ]) func masksSecretsInTheSource(source: Source) async throws {
    let harness = try RunHarness(files: ["w.yaml": source.text])
    let outcome = try await harness.run("w.yaml")
    #expect(outcome.lines.contains("Open-Sesame-9") == source.isShown)
    #expect(!outcome.lines.contains("x53esame"))
    #expect(outcome.events.first?.json["source"]?.string?.contains("settings: Settings.yaml") == true)
  }

  @Test func masksPasswordsFromVariables() async throws {
    let harness = try RunHarness(environment: ["PASS": "Fake-Megan-1"])
    let outcome = try await harness.run(
      steps: "- interactive",
      "settings: Settings.yaml\nuser: { username: megan@contoso.com, password: \"${secret:PASS}\" }")
    #expect(outcome.ending == "success")
    #expect(!outcome.lines.contains("Fake-Megan-1"))
  }

  /// Masks longer secrets first, so that no part of a secret remains.
  @Test(arguments: [["Open-Sesame", "Open-Sesame-And-More"], ["Open-Sesame-And-More", "Open-Sesame"]])
  func masksOverlappingSecrets(passwords: [String]) async throws {
    let harness = try RunHarness(files: [
      "w.yaml": Self.head + "user: [{ password: \(passwords[0]) }, { password: \(passwords[1]) }]\n"
    ])
    let lines = try await harness.run("w.yaml").lines
    #expect(!lines.contains("Open-Sesame"))
    #expect(!lines.contains("And-More"))
  }

  @Test func theRunFailsIfASecretIsMissing() async throws {
    let outcome = try await RunHarness().run(
      steps: "- interactive\n- callGraph: { get: /me, headers: { x-value: \"${secret:NONE}\" } }")
    #expect(outcome.ending != "success")
    #expect(outcome.lines.contains("NONE"))
  }

  @Test func theFirstEventContainsTheDataForReports() async throws {
    let outcome = try await RunHarness().run("me.yaml")
    let start = try #require(outcome.events.first?.json)
    #expect(start["format"]?.integer == 2)
    #expect(start["file"]?.string == "me.yaml")
    #expect(start["name"]?.string == "Read my profile")
    #expect(start["source"]?.string?.contains("interactive-fallback") == true)
    #expect(start["machine"]?.object != nil)
    #expect(start["settings"]?["app"]?["clientId"]?.string == RunHarness.app)
    #expect(start["platform"]?.string == "emulated")
  }

  @Test func aRequestAndItsResponseHaveTheSameNumber() async throws {
    let outcome = try await RunHarness().run("me.yaml")
    let requests = outcome.events(.httpRequest).compactMap { $0["id"]?.integer }
    let responses = outcome.events(.httpResponse).compactMap { $0["id"]?.integer }
    #expect(requests == Array(1...Int64(requests.count)))
    #expect(responses.sorted() == requests)
    #expect(outcome.events(.httpRequest).allSatisfy { $0["step"]?.string != nil })
    let from = Set(outcome.events(.httpRequest).compactMap { $0["from"]?.string })
    #expect(from == ["app", "browser"])
  }

  @Test func finishedStepsRecordTheirTransition() async throws {
    let outcome = try await RunHarness().run("me.yaml")
    let steps = outcome.events(.stepFinished)
    #expect(steps.map { $0["next"]?.string } == ["interactive-fallback", "callGraph", "signout", "success"])
    #expect(steps.map { $0["verdict"]?.string } == ["handled", "ok", "ok", "ok"])
    #expect(steps.allSatisfy { $0["rule"]?.string?.isEmpty == false })
    let started = outcome.events(.stepStarted)
    #expect(started.map { $0["number"]?.integer } == [1, 2, 3, 4])
    #expect(started.map { $0["place"]?["line"]?.integer } == [16, 18, 19, 20])
  }

  @Test func escapesControlCharactersInNames() async throws {
    let harness = try RunHarness(
      directory: """
        directory: 1
        tenants:
          - name: Contoso
            users:
              - { username: megan@contoso.com, displayName: "Meg\\u001b[31m\\nan\\u202e\\u0000" }
        """)
    let outcome = try await harness.run("me.yaml")
    #expect(outcome.ending == "success")
    for event in outcome.events {
      // An event is always one line.
      #expect(event.line.filter { $0 == "\n" }.count == 1)
      #expect(!event.line.unicodeScalars.dropLast().contains { $0.value < 0x20 })
    }
  }
}

import Directory
import Documents
import Effects
import IdentityEmulator
import OrderedCollections
import RunTrace
import TestSupport
import Testing
import WorkflowModel
import WorkflowRunner

/// Tests all scenarios of the relying-party tests in `Workflows/conformance`.
@Suite struct ConformancePackTests {
  /// The OpenID Foundation's names for tests that apply to a public native client, and the attacks in RFC 9700.
  static let required: Set<String> = [
    "base", "invalid-iss", "missing-sub", "invalid-aud", "missing-iat", "kid-absent-single-jwks",
    "kid-absent-multiple-jwks", "idtoken-sig-rs256", "idtoken-sig-none", "invalid-sig-rs256", "invalid-sig-es256",
    "invalid-sig-hs256", "missing-aud", "nonce-invalid", "userinfo-invalid-sub", "discovery-openid-config",
    "discovery-jwks-uri-keys", "discovery-issuer-mismatch", "signing-key-rotation",
    "signing-key-rotation-just-before-signing", "refresh-token", "refresh-token-invalid-issuer",
    "refresh-token-invalid-sub", "rp-init-logout", "rp-init-logout-no-state", "rp-init-logout-other-state", "mix-up",
    "mix-up-issuer-missing", "code-injection", "state-missing", "pkce-downgrade", "token-endpoint-redirect",
    "token-oversized", "token-endless", "discovery-oversized", "discovery-endless", "keys-oversized", "keys-endless",
    "userinfo-oversized", "userinfo-endless",
  ]

  static let folder = "Workflows/conformance"

  /// The files in the folder by name: the tests, the settings, and the table.
  static let texts: [String: String] = {
    var texts: [String: String] = [:]
    for name in (try? ProjectFiles.names(in: folder)) ?? [] {
      texts[name] = (try? ProjectFiles.bytes(of: "\(folder)/\(name)")).map { String(decoding: $0, as: UTF8.self) }
    }
    return texts
  }()

  static let names = texts.keys.filter { $0.hasSuffix(".yaml") && $0.first?.isLowercase == true }
    .map { String($0.dropLast(5)) }.sorted()

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var scenario: Scenario
    var testDescription: String { "\(name): \(scenario.name)" }
  }

  static let cases: [Case] = names.flatMap { name in
    (read(name)?.scenarios ?? []).map { Case(name: name, scenario: $0) }
  }

  /// The cases in which only the provider misbehaves and the network works.
  static let withoutNetworkFaults = cases.filter { $0.scenario.body.before.isEmpty && $0.scenario.body.given == nil }

  static func read(_ name: String) -> Workflow? {
    let path = "\(name).yaml"
    let (workflow, diagnostics) = WorkflowDecoder.read(
      DocumentReader.read(Array((texts[path] ?? "").utf8), named: path)
    ) { other in DocumentReader.read(Array((texts[other] ?? "").utf8), named: other) }
    for diagnostic in diagnostics { Issue.record("\(path): \(diagnostic)") }
    return workflow
  }

  /// Returns the misbehaviors that a file uses.
  static func misbehaviors(of name: String) -> Set<String> {
    Set((texts["\(name).yaml"] ?? "").matches(of: /misbehaves: ([a-z-]+)/).map { String($0.output.1) })
  }

  /// Returns a harness with the test file and the settings of the scenario.
  private func harness(for test: Case, _ change: (String) -> String = { $0 }) throws -> RunHarness {
    var files: [String: String] = [:]
    for (name, text) in Self.texts { files["conformance/\(name)"] = text }
    var text = change(try #require(Self.texts["\(test.name).yaml"]))
    text = text.replacing("\nsettings: Provider.yaml\n", with: "\nsettings: \(settings(test))\n", maxReplacements: 1)
    files["conformance/test.yaml"] = text
    return try RunHarness(seed: test.testDescription, files: files)
  }

  private func counts(_ harness: RunHarness) async throws -> [String: Int] {
    let request = try #require(RequestMessage(url: "https://login.microsoftonline.com/_authflow/state"))
    let state = try JSON(parsing: await harness.emulator.respond(to: request).body)
    var counts: [String: Int] = [:]
    for name in ["authorize", "token", "discovery", "keys", "userinfo", "logout", "graph"] {
      counts[name] = state["requests"]?[name]?.integer.map { Int($0) }
    }
    return counts
  }

  @Test func includesEveryRequiredTest() {
    #expect(Self.required.subtracting(Self.names) == [])
    #expect(Self.names.allSatisfy { name in Self.withoutNetworkFaults.contains { $0.name == name } })
  }

  @Test(arguments: names) func everyFileIsValid(name: String) throws {
    let workflow = try #require(Self.read(name))
    let findings = WorkflowChecks.run(workflow).map { "\($0)" }
    #expect(findings == [])
    #expect(workflow.document.root["description"]?.string?.contains("§") == true || name == "missing-client-info")
  }

  @Test func coversEveryMisbehavior() {
    let covered = Self.names.reduce(into: Set<String>()) { $0.formUnion(Self.misbehaviors(of: $1)) }
    #expect(covered == Set(Misbehavior.allCases.map(\.rawValue)))
  }

  @Test func theTableListsAllTests() throws {
    let lines = try #require(Self.texts["README.md"]).split(separator: "\n")
    for name in Self.names {
      let row = lines.first { $0.hasPrefix("| [\(name)](\(name).yaml) |") }
      #expect(row != nil, "missing from the table: \(name)")
      for misbehavior in Self.misbehaviors(of: name) {
        #expect(row?.contains("`\(misbehavior)`") == true, "\(name): \(misbehavior)")
      }
    }
    let rows = lines.filter { $0.hasPrefix("| [") }
    #expect(rows.count == Self.names.count)
  }

  /// Tests that after a rejection, the client does not send requests or cache tokens. It never sends requests to other
  /// hosts. `ShippedScenariosTests` checks the outcomes.
  @Test(arguments: withoutNetworkFaults) func theClientStopsAfterARejection(test: Case) async throws {
    let harness = try harness(for: test)
    let outcome = try await harness.run("conformance/test.yaml")
    let counts = try await counts(harness)
    for exchange in harness.wire.exchanges { #expect(!exchange.host.contains("evil"), "\(exchange.url)") }
    #expect(counts["graph"] == 0)

    if !outcome.path.contains(where: { $0.hasPrefix("refresh.") }) { checkCounts(counts, test, outcome) }
    if outcome.path.contains(where: { $0.hasPrefix("signIn.") && $0 != "signIn.success" }) {
      #expect(outcome.events(.cacheWritten).isEmpty, "tokens of a rejected sign-in were cached")
    }
    if outcome.path.contains("refresh.invalidResponse") {
      let written = outcome.events(.cacheWritten).map { $0["seq"]?.integer ?? 0 }
      let signedIn = outcome.finished("signIn")["seq"]?.integer ?? 0
      #expect(written.allSatisfy { $0 < signedIn }, "tokens of a rejected refresh were cached")
    }
  }

  /// The tests in which the client reads the key set again before it rejects a token, because the keys may have
  /// changed.
  private static let tokensWithUnknownKeys: Set<String> = ["kid-unknown", "no-keys"]

  /// Checks that the client sends each sign-in request once, and sends no requests after the rejected response.
  private func checkCounts(_ counts: [String: Int], _ test: Case, _ outcome: RunHarness.Outcome) {
    let reason = outcome.facts("signIn")["error"]?["description"]?.string ?? ""
    let isVerified =
      outcome.path.contains("signIn.success") || reason.hasPrefix("invalid ID token")
      || test.name.hasPrefix("keys-") || test.name.hasPrefix("userinfo")
    let isStarted = !(test.name.hasPrefix("discovery-") && !reason.isEmpty)
    let hasCode = isStarted && !["state", "mix-up"].contains { test.name.hasPrefix($0) }
    #expect(counts["discovery"] == 1)
    #expect(counts["authorize"] == (isStarted ? 1 : 0))
    #expect(counts["token"] == (hasCode ? 1 : 0), "the code was sent to another host, or twice")
    #expect(counts["keys"] == (isVerified ? (Self.tokensWithUnknownKeys.contains(test.name) ? 2 : 1) : 0))
    #expect(counts["userinfo"] == (test.name.hasPrefix("userinfo") ? 1 : 0))
    #expect(counts["logout"] == (test.name.hasPrefix("rp-init-logout") ? 1 : 0))
  }

  /// Returns the name of the settings file that the scenario or the test file uses.
  private func settings(_ test: Case) -> String {
    let usesMicrosoftSettings =
      !test.scenario.body.settings.isEmpty
      || Self.texts["\(test.name).yaml"]?.contains("\nsettings: Microsoft.yaml\n") == true
    return usesMicrosoftSettings ? "Microsoft.yaml" : "Provider.yaml"
  }

  /// Proves that only the misbehavior causes the failure.
  @Test(arguments: withoutNetworkFaults) func stepsSucceedWithoutTheMisbehavior(test: Case) async throws {
    let harness = try harness(for: test) { text in text.replacing(/{ misbehaves: [a-z-]+ }/, with: "online") }
    let outcome = try await harness.run("conformance/test.yaml")
    for step in ["signIn", "refresh", "call", "signout"] {
      let finished = outcome.finished(step)
      if finished.isNull { continue }
      #expect(finished["outcome"] == "success", "\(outcome.facts(step)["error"]?["description"] ?? .null)")
    }
  }

  @Test func stepsSucceedAfterTheMisbehaviorStops() async throws {
    let harness = try RunHarness()
    await harness.simulate([["misbehaves": "wrong-issuer"], ["misbehaves": "missing-nonce"]])
    #expect(try await harness.run(steps: "- interactive").ending == "invalidResponse")
    await harness.simulate([["stopsMisbehaving": "wrong-issuer"]])
    #expect(try await harness.run(steps: "- interactive").ending == "invalidResponse")
    await harness.simulate(["stopsMisbehaving"])
    #expect(try await harness.run(steps: "- interactive").ending == "success")
  }
}

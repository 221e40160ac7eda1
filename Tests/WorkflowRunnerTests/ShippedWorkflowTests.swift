import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Testing
import WorkflowRunner

/// Tests the paths of the shipped workflows.
@Suite struct ShippedWorkflowTests {
  struct ExpectedRun: Sendable, CustomTestStringConvertible {
    var file: String
    /// The scenario that provides the user behavior.
    var scenario: String?
    var path: [String]
    var outcome = "success"
    var interactions = 1

    var testDescription: String { file + (scenario.map { ": \($0)" } ?? "") }
  }

  static let expectedRuns: [ExpectedRun] = [
    ExpectedRun(
      file: "me.yaml",
      path: ["loadAccount.notFound", "interactive-fallback.success", "callGraph.success", "signout.success"]),
    ExpectedRun(
      file: "calendar.json",
      path: ["loadAccount.notFound", "interactive-fallback.success", "callGraph.success"]),
    ExpectedRun(
      file: "calendar.json", scenario: "calendar consent declined",
      path: ["loadAccount.notFound", "interactive-fallback.userCanceled"], outcome: "userCanceled"),
    ExpectedRun(
      file: "sign-out.plist",
      path: [
        "loadAccount.notFound", "interactive-fallback.success", "signout.success", "loadAgain.notFound",
      ]),
    ExpectedRun(
      file: "multi-account.yaml",
      path: [
        "startSignedOut.success", "first.success", "second.success", "listAccounts.found", "ambiguous.ambiguousAccount",
        "loadMegan.found",
        "asMegan.success", "callGraph.success", "asAlex.success", "signout.success", "browserSignOut.success",
      ], interactions: 2),
    ExpectedRun(
      file: "incremental-consent.yaml",
      path: [
        "signIn.success", "profile.success", "openCalendar.interactionRequired", "requestCalendar.success",
        "calendar.success", "signout.success",
      ], interactions: 2),
    ExpectedRun(
      file: "incremental-consent.yaml", scenario: "calendar permission declined",
      path: [
        "signIn.success", "profile.success", "openCalendar.interactionRequired", "requestCalendar.userCanceled",
      ], outcome: "userCanceled", interactions: 2),
    ExpectedRun(
      file: "b2c.yaml",
      path: ["loadAccount.notFound", "interactive-fallback.success", "callAPI.success"]),
    ExpectedRun(
      file: "b2c.yaml", scenario: "forgotten password",
      path: ["loadAccount.notFound", "interactive-fallback.userCanceled", "resetPassword.success"],
      interactions: 2),
    ExpectedRun(
      file: "default-scope.yaml",
      path: [
        "graph.success", "callGraph.success", "management.interactionRequired", "requestManagement.success",
        "cached.success", "signout.success",
      ], interactions: 2),
    ExpectedRun(
      file: "b2b-guest.yaml",
      path: [
        "startSignedOut.success", "homeTenant.success", "guestTenant.success", "organization.success",
        "guestCached.success",
        "homeCached.success",
        "listAccounts.found", "signout.success", "browserSignOut.success",
      ]),
    ExpectedRun(
      file: "national-cloud.yaml",
      path: [
        "cloudSignIn.success", "cloudGraph.success", "redirected.success", "sameCloud.success",
        "otherCloud.interactionRequired",
      ], interactions: 2),
    ExpectedRun(
      file: "claims-challenge.yaml",
      path: [
        "startSignedOut.success", "loadAccount.notFound", "interactive-fallback.success", "firstCall.success",
        "revokeSessions.success",
        "secondCall.claimsChallenge", "silent.interactionRequired", "interactive-fallback.success",
        "secondCall.success",
        "assert.holds", "signout.success",
      ], interactions: 2),
    ExpectedRun(
      file: "device-code.yaml",
      path: [
        "loadAccount.notFound", "otherDevice.success", "callGraph.success", "cached.success", "signout.success",
      ]),
    ExpectedRun(
      file: "device-code.yaml", scenario: "code never entered",
      path: ["loadAccount.notFound", "otherDevice.expiredToken"], outcome: "expiredToken"),
    ExpectedRun(
      file: "adal-migration.yaml",
      path: [
        "byName.notFound", "signIn.success", "firstSilent.success", "renamed.success", "refreshed.success",
        "byOldName.notFound", "byIdentifier.found", "restoreOldName.success", "signout.success",
      ]),
    ExpectedRun(
      file: "throttled.yaml",
      path: [
        "signIn.success", "injectFault.success", "rejected.unhandledResponse", "throttled.unhandledResponse",
        "cached.success",
        "wait.success", "retried.success",
      ]),
    ExpectedRun(
      file: "outage.yaml",
      path: [
        "signIn.success", "later.success", "startOutage.success", "extended.success", "throttled.unhandledResponse",
        "muchLater.success", "afterExtension.unhandledResponse",
      ]),
    ExpectedRun(
      file: "declined-scopes.yaml",
      path: [
        "resetConsent.success", "requestBoth.serverDeclinedScopes", "granted.success", "callGraph.success",
        "calendar.interactionRequired",
      ]),
    ExpectedRun(
      file: "forgotten-consent.yaml",
      path: [
        "signIn.success", "revokeConsent.success", "cached.success", "wait.success", "rejected.interactionRequired",
        "consentAgain.success", "assert.holds", "callGraph.success",
      ], interactions: 2),
    ExpectedRun(
      file: "shared-device.yaml",
      path: [
        "deviceInfo.success", "startSignedOut.success", "firstShift.success", "mailAccount.found", "notesAccount.found",
        "notesToken.interactionRequired", "notesSignIn.success", "deviceSignOut.success", "mailSignedOut.notFound",
        "secondShift.success", "notesSwitched.found",
      ], interactions: 3),
    ExpectedRun(
      file: "family.yaml",
      path: [
        "mailSignIn.success", "notesAccount.found", "notesToken.success", "callGraph.success", "notesSignOut.success",
        "notesGone.notFound", "mailToken.success", "notesSignIn.success", "removeAccount.success",
      ], interactions: 2),
  ]

  @Test(arguments: expectedRuns) func theRunTakesTheExpectedPath(expected: ExpectedRun) async throws {
    let outcome = try await RunHarness(directoryOf: expected.file).run(expected.file, scenario: expected.scenario)
    #expect(outcome.path == expected.path)
    #expect(outcome.ending == expected.outcome)
    #expect(outcome.record.interactions == expected.interactions)
    #expect(outcome.record.succeeded == (expected.outcome == "success"))
  }

  @Test func coversEveryShippedWorkflow() throws {
    let shipped = try RunHarness.shipped.filter { !$0.hasSuffix("ettings.plist") && !$0.contains(".scenarios.") }
    #expect(shipped == Set(Self.expectedRuns.map(\.file)).sorted())
  }

  @Test(arguments: Set(expectedRuns.map(\.file)).sorted())
  func theSameSeedProducesTheSameTrace(file: String) async throws {
    let first = try await RunHarness(seed: "same", directoryOf: file).run(file).lines
    let second = try await RunHarness(seed: "same", directoryOf: file).run(file).lines
    #expect(first == second)
    let other = try await RunHarness(seed: "other", directoryOf: file).run(file).lines
    #expect(first != other, "the trace does not depend on the seed")
  }

  @Test func theSecondCalendarRunIsSilent() async throws {
    let harness = try RunHarness()
    let first = try await harness.run("calendar.json")
    #expect((first.record.requests["graph"] ?? 0) > 1, "pages are followed")
    let previousCount = harness.wire.exchanges.count
    let second = try await harness.run("calendar.json")
    #expect(
      second.path == [
        "loadAccount.found", "silent.success", "interactive-fallback.skipped", "callGraph.success",
      ])
    #expect(second.facts("silent")["tokenSource"]?.string == "cache")
    #expect(second.record.interactions == 0)
    #expect(second.record.requests["token"] == nil)
    // As in MSAL, each process discovers the authority once. All other requests go to Graph.
    let others = harness.wire.exchanges[previousCount...].filter { $0.host != "graph.microsoft.com" }
    #expect(others.allSatisfy { $0.path == "/common/discovery/instance" }, "\(others.map(\.url))")
    #expect(
      first.facts("callGraph")["$"]?["value"]?.array?.count == second.facts("callGraph")["$"]?["value"]?.array?.count)
  }

  @Test func theRequestContainsTheInputs() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run("calendar.json", inputs: ["timeZone": "W. Europe Standard Time"])
    #expect(outcome.ending == "success")
    let call = try #require(harness.wire.exchanges.first { $0.path == "/v1.0/me/calendarView" })
    #expect(
      call.request.head.headerFields[.init("prefer") ?? .accept] == #"outlook.timezone="W. Europe Standard Time""#)
    #expect(call.url.contains("startDateTime=2025-01-06T00"))
  }

  @Test func signOutEndsTheBrowserSession() async throws {
    let harness = try RunHarness()
    _ = try await harness.run("sign-out.plist")
    let again = try await harness.run("me.yaml")
    let screens = again.facts("interactive-fallback")["screens"]?.array?.compactMap(\.string) ?? []
    #expect(screens.contains("password"), "\(screens)")
  }

  @Test func appSignOutKeepsTheBrowserSession() async throws {
    let harness = try RunHarness()
    _ = try await harness.run("me.yaml")
    let again = try await harness.run("me.yaml")
    let screens = again.facts("interactive-fallback")["screens"]?.array?.compactMap(\.string) ?? []
    #expect(!screens.contains("password"), "\(screens)")
    #expect(again.ending == "success")
  }
}

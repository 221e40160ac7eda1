import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Testing
import WorkflowRunner

/// The workflows that are shipped, each by the way that it is meant to go.
@Suite struct ShippedWorkflowTests {
  struct Lesson: Sendable, CustomTestStringConvertible {
    var file: String
    /// Whose user sits there.
    var scenario: String?
    var path: [String]
    var outcome = "success"
    var interactions = 1

    var testDescription: String { file + (scenario.map { ": \($0)" } ?? "") }
  }

  static let lessons: [Lesson] = [
    Lesson(
      file: "me.yaml",
      path: ["loadAccount.notFound", "interactive-fallback.success", "callGraph.success", "signout.success"]),
    Lesson(
      file: "calendar.json",
      path: ["loadAccount.notFound", "interactive-fallback.success", "callGraph.success"]),
    Lesson(
      file: "calendar.json", scenario: "calendar consent declined",
      path: ["loadAccount.notFound", "interactive-fallback.userCanceled"], outcome: "userCanceled"),
    Lesson(
      file: "sign-out.plist",
      path: [
        "loadAccount.notFound", "interactive-fallback.success", "signout.success", "lookAgain.notFound",
      ]),
    Lesson(
      file: "multi-account.yaml",
      path: [
        "nobodyYet.success", "first.success", "second.success", "listAccounts.found", "whichOne.ambiguousAccount",
        "pickMegan.found",
        "asMegan.success", "callGraph.success", "asAlex.success", "signout.success", "leaves.success",
      ], interactions: 2),
    Lesson(
      file: "incremental-consent.yaml",
      path: [
        "signIn.success", "hello.success", "openCalendar.interactionRequired", "askForCalendar.success",
        "calendar.success", "signout.success",
      ], interactions: 2),
    Lesson(
      file: "incremental-consent.yaml", scenario: "the calendar is declined",
      path: [
        "signIn.success", "hello.success", "openCalendar.interactionRequired", "askForCalendar.userCanceled",
      ], outcome: "userCanceled", interactions: 2),
    Lesson(
      file: "b2c.yaml",
      path: ["loadAccount.notFound", "interactive-fallback.success", "callAPI.success"]),
    Lesson(
      file: "b2c.yaml", scenario: "the password is forgotten",
      path: ["loadAccount.notFound", "interactive-fallback.userCanceled", "resetPassword.success"],
      interactions: 2),
    Lesson(
      file: "default-scope.yaml",
      path: [
        "graph.success", "callGraph.success", "management.interactionRequired", "askForManagement.success",
        "again.success", "signout.success",
      ], interactions: 2),
    Lesson(
      file: "b2b-guest.yaml",
      path: [
        "nobodyYet.success", "atHome.success", "asGuest.success", "contoso.success", "again.success",
        "stillAtHome.success",
        "listAccounts.found", "signout.success", "leaves.success",
      ]),
    Lesson(
      file: "national-cloud.yaml",
      path: [
        "inTheCloud.success", "itsGraph.success", "handedOver.success", "itsAuthority.success",
        "otherCloud.interactionRequired",
      ], interactions: 2),
    Lesson(
      file: "claims-challenge.yaml",
      path: [
        "nobodyYet.success", "loadAccount.notFound", "interactive-fallback.success", "before.success",
        "revoked.success",
        "after.claimsChallenge", "silent.interactionRequired", "interactive-fallback.success", "after.success",
        "assert.holds", "signout.success",
      ], interactions: 2),
    Lesson(
      file: "device-code.yaml",
      path: [
        "loadAccount.notFound", "otherDevice.success", "callGraph.success", "silentNow.success", "signout.success",
      ]),
    Lesson(
      file: "device-code.yaml", scenario: "nobody types it",
      path: ["loadAccount.notFound", "otherDevice.expiredToken"], outcome: "expiredToken"),
    Lesson(
      file: "adal-migration.yaml",
      path: [
        "byName.notFound", "signIn.success", "firstSilent.success", "renamed.success", "refreshed.success",
        "byOldName.notFound", "byIdentifier.found", "oldNameAgain.success", "signout.success",
      ]),
    Lesson(
      file: "throttled.yaml",
      path: [
        "signIn.success", "busy.success", "refused.unhandledResponse", "heldBack.unhandledResponse", "cached.success",
        "wait.success", "afterwards.success",
      ]),
    Lesson(
      file: "outage.yaml",
      path: [
        "signIn.success", "later.success", "down.success", "stillServed.success", "heldBack.unhandledResponse",
        "muchLater.success", "notForever.unhandledResponse",
      ]),
    Lesson(
      file: "declined-scopes.yaml",
      path: [
        "nothingGranted.success", "askForAll.serverDeclinedScopes", "whatWasGranted.success", "callGraph.success",
        "calendar.interactionRequired",
      ]),
    Lesson(
      file: "forgotten-consent.yaml",
      path: [
        "signIn.success", "takenBack.success", "stillGood.success", "wait.success", "refused.interactionRequired",
        "askAgain.success", "assert.holds", "callGraph.success",
      ], interactions: 2),
    Lesson(
      file: "shared-device.yaml",
      path: [
        "deviceInfo.success", "nobodyIsThere.success", "shiftBegins.success", "mailLooks.found", "notesLooks.found",
        "notesAsks.interactionRequired", "notesSignsIn.success", "shiftEnds.success", "mailSees.notFound",
        "nextShift.success", "notesSees.found",
      ], interactions: 3),
    Lesson(
      file: "family.yaml",
      path: [
        "mailSignsIn.success", "notesKnows.found", "notesIsIn.success", "callGraph.success", "notesSignsOut.success",
        "notesIsOut.notFound", "mailIsStillIn.success", "notesIsBack.success", "forget.success",
      ], interactions: 2),
  ]

  @Test(arguments: lessons) func aLessonGoesItsWay(lesson: Lesson) async throws {
    let outcome = try await RunScene(directoryOf: lesson.file).run(lesson.file, scenario: lesson.scenario)
    #expect(outcome.path == lesson.path)
    #expect(outcome.ending == lesson.outcome)
    #expect(outcome.record.interactions == lesson.interactions)
    #expect(outcome.record.succeeded == (lesson.outcome == "success"))
  }

  @Test func everyShippedWorkflowIsRunHere() throws {
    let shipped = try RunScene.shipped.filter { !$0.hasSuffix("ettings.plist") && !$0.contains(".scenarios.") }
    #expect(shipped == Set(Self.lessons.map(\.file)).sorted())
  }

  @Test(arguments: Set(lessons.map(\.file)).sorted())
  func aLessonTwiceFromTheSameSeedIsTheSameTrace(file: String) async throws {
    let first = try await RunScene(seed: "same", directoryOf: file).run(file).lines
    let second = try await RunScene(seed: "same", directoryOf: file).run(file).lines
    #expect(first == second)
    let other = try await RunScene(seed: "other", directoryOf: file).run(file).lines
    #expect(first != other, "nothing in the trace depends on the seed")
  }

  @Test func theSecondRunOfTheCalendarIsSilent() async throws {
    let scene = try RunScene()
    let first = try await scene.run("calendar.json")
    #expect((first.record.requests["graph"] ?? 0) > 1, "pages are followed")
    let before = scene.wire.exchanges.count
    let second = try await scene.run("calendar.json")
    #expect(
      second.path == [
        "loadAccount.found", "silent.success", "interactive-fallback.skipped", "callGraph.success",
      ])
    #expect(second.facts("silent")["tokenSource"]?.string == "cache")
    #expect(second.record.interactions == 0)
    #expect(second.record.requests["token"] == nil)
    // Whether the authority is a cloud's own is asked once in each process, as MSAL does; beyond that only Graph is.
    let others = scene.wire.exchanges[before...].filter { $0.host != "graph.microsoft.com" }
    #expect(others.allSatisfy { $0.path == "/common/discovery/instance" }, "\(others.map(\.url))")
    #expect(
      first.facts("callGraph")["$"]?["value"]?.array?.count == second.facts("callGraph")["$"]?["value"]?.array?.count)
  }

  @Test func inputsReachTheRequest() async throws {
    let scene = try RunScene()
    let outcome = try await scene.run("calendar.json", inputs: ["timeZone": "W. Europe Standard Time"])
    #expect(outcome.ending == "success")
    let call = try #require(scene.wire.exchanges.first { $0.path == "/v1.0/me/calendarView" })
    #expect(
      call.request.head.headerFields[.init("prefer") ?? .accept] == #"outlook.timezone="W. Europe Standard Time""#)
    #expect(call.url.contains("startDateTime=2025-01-06T00"))
  }

  @Test func signOutClosesTheBrowsersSession() async throws {
    let scene = try RunScene()
    _ = try await scene.run("sign-out.plist")
    let again = try await scene.run("me.yaml")
    let screens = again.facts("interactive-fallback")["screens"]?.array?.compactMap(\.string) ?? []
    #expect(screens.contains("password"), "\(screens)")
  }

  @Test func signingOutOfTheAppAloneKeepsTheBrowsersSession() async throws {
    let scene = try RunScene()
    _ = try await scene.run("me.yaml")
    let again = try await scene.run("me.yaml")
    let screens = again.facts("interactive-fallback")["screens"]?.array?.compactMap(\.string) ?? []
    #expect(!screens.contains("password"), "\(screens)")
    #expect(again.ending == "success")
  }
}

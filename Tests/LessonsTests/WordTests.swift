import Handbook
import IdentityPlatform
import Lessons
import Testing
import WorkflowModel

/// Every name in a chapter is one that there is: a step, an outcome, a key, a code, a command, a name of MSAL.
@Suite struct ResultFieldTests {
  /// Names that stand in no table: of HTTP, of files, and values of a workflow.
  static let others: Set<String> = [
    "WWW-Authenticate", "Retry-After", "claims=", "CP1", "common", "openid", "profile", "offline_access", "User.Read",
    "Calendars.Read", "https://graph.microsoft.com", "https://graph.microsoft.com/.default", "exercise.yaml", "who",
    "claimsRequest", "on", "id", "maxRuns", "prompt", "upn",
  ]
  static let msal: Set<String> = [
    "getCurrentAccountWithParameters:completionBlock:", "acquireTokenSilentWithParameters:completionBlock:",
    "acquireTokenWithParameters:completionBlock:",
  ]

  static func isKnown(_ name: String, in chapter: Chapter) -> Bool {
    if name.hasPrefix("authflow ") { return true }  // these are run by the command line's own tests
    if others.contains(name) || msal.contains(name) { return true }
    if StepKind.named(name) != nil || StepKind.outcomesByName[name] != nil { return true }
    if case .known = Glossary.whole.lookUp(up: name) { return true }
    // Anything that stands in one of the chapter's own workflows.
    return (chapter.workflow + chapter.exerciseText + chapter.solutionText).contains(name)
  }

  @Test(arguments: Chapter.all.map(\.number))
  func everyNameInATextIsOneThatThereIs(number: Int) throws {
    let chapter = try #require(Chapter.meant(by: String(number)))
    for text in chapter.texts {
      #expect(text.count { $0 == "`" } % 2 == 0, "\(text)")
      for name in text.names { #expect(Self.isKnown(name, in: chapter), "\(chapter.name): `\(name)`") }
    }
  }

  @Test func anUnknownNameWouldBeSeen() throws {
    let chapter = try #require(Chapter.meant(by: "1"))
    for name in ["loadAcount", "acquireTokenLoudly", "--chekc"] { #expect(!Self.isKnown(name, in: chapter), "\(name)") }
  }

  /// Every kind of step that has a counterpart in MSAL stands in some chapter or in the code of an app.
  @Test func everyKindOfStepIsTaughtOrHasCode() {
    let untaught = StepKind.all.filter { kind in
      AppCode.named(kind.key) == nil && !["assert", "wait", "simulate", "use", "parallel"].contains(kind.key)
    }
    #expect(untaught.map(\.key) == [])
  }
}

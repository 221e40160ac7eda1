import Handbook
import IdentityPlatform
import Lessons
import Testing
import WorkflowModel

/// Tests that names in chapter texts exist: steps, outcomes, keys, codes, commands, and MSAL names.
@Suite struct ChapterNameTests {
  /// Names that do not appear in any table: HTTP terms, files, and values in workflows.
  static let others: Set<String> = [
    "WWW-Authenticate", "Retry-After", "claims=", "CP1", "common", "openid", "profile", "offline_access", "User.Read",
    "Calendars.Read", "https://graph.microsoft.com", "https://graph.microsoft.com/.default", "exercise.yaml", "who",
    "claimsRequest", "on", "id", "maxRuns", "prompt", "upn",
  ]
  static let msal: Set<String> = [
    "getCurrentAccountWithParameters:completionBlock:", "acquireTokenSilentWithParameters:completionBlock:",
    "acquireTokenWithParameters:completionBlock:",
  ]

  static func isOutcome(_ name: String) -> Bool {
    OutcomeName(rawValue: name).map { StepKind.outcomesByName[$0] != nil } ?? false
  }

  static func isKnown(_ name: String, in chapter: Chapter) -> Bool {
    if name.hasPrefix("authflow ") { return true }  // AuthflowCLITests runs them
    if others.contains(name) || msal.contains(name) { return true }
    if StepKind.named(name) != nil || isOutcome(name) { return true }
    if case .known = Glossary.whole.lookUp(name) { return true }
    // These names are in the chapter's own workflows.
    return (chapter.workflow + chapter.exerciseText + chapter.solutionText).contains(name)
  }

  @Test(arguments: Chapter.all.map(\.number))
  func containsOnlyExistingNames(number: Int) throws {
    let chapter = try #require(Chapter.named(String(number)))
    for text in chapter.texts {
      #expect(text.count { $0 == "`" } % 2 == 0, "\(text)")
      for name in text.names { #expect(Self.isKnown(name, in: chapter), "\(chapter.name): `\(name)`") }
    }
  }

  @Test func detectsUnknownNames() throws {
    let chapter = try #require(Chapter.named("1"))
    for name in ["loadAcount", "acquireTokenQuickly", "--chekc"] {
      #expect(!Self.isKnown(name, in: chapter), "\(name)")
    }
  }

  @Test func everyStepTypeWithAnMSALCounterpartHasCode() {
    let withoutCode = StepKind.all.filter { kind in
      AppCode.named(kind.key) == nil && !["assert", "wait", "simulate", "use", "parallel"].contains(kind.key)
    }
    #expect(withoutCode.map(\.key) == [])
  }
}

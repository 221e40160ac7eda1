import Diagnostics
import Documents
import Effects
import Lessons
import Reports
import Scenarios
import SimulatedWorld
import TestSupport
import Testing
import WorkflowModel
import WorkflowRunner

/// Tests the text, demonstrations, exercises, and progress of the chapters in `authflow learn`.
@Suite struct ChapterTests {
  static let world = Simulation(seed: "chapters").world

  @Test func numbersAreConsecutiveAndNamesAreUnique() {
    #expect(Chapter.all.map(\.number) == Array(1...Chapter.all.count))
    #expect(Set(Chapter.all.map(\.name)).count == Chapter.all.count)
    #expect(Chapter.all.count >= 10)
    #expect(Chapter.all.first?.name == "account" && Chapter.all.contains { $0.name == "adal" })
  }

  @Test func findsChaptersByNumberOrName() {
    for word in ["2", "02", "silent", "SILENT", "02-silent", "sil"] {
      #expect(Chapter.named(word)?.number == 2, "\(word)")
    }
    for word in ["0", "12", "-1", "a", "", "account-", "2.0", "９"] {
      #expect(Chapter.named(word) == nil, "\(word)")
    }
    #expect(Chapter.named("accounts")?.number == 9 && Chapter.named("account")?.number == 1)
  }

  @Test(arguments: Chapter.all.map(\.number))
  func demonstrationsPass(number: Int) async throws {
    let chapter = try #require(Chapter.named(String(number)))
    #expect(!chapter.demonstrations.isEmpty)
    let (loaded, diagnostics) = chapter.own(chapter.workflow)
    #expect(diagnostics.filter { $0.severity == .error }.isEmpty, "\(diagnostics.map(\.message))")
    let scenarios = try #require(loaded).workflow.scenarios.map(\.name)
    #expect(scenarios == chapter.demonstrations, "every scenario is demonstrated, in order")
    for name in chapter.demonstrations {
      let test = try #require(chapter.demonstration(name))
      let report = await test.run(in: Self.world, tool: "test")
      #expect(report.verdict == .passed, "\(chapter.name): \(name): \(report.result?.path ?? [])")
    }
  }

  @Test(arguments: Chapter.all.map(\.number))
  func chaptersMentionOnlyDemonstratedOutcomes(number: Int) async throws {
    let chapter = try #require(Chapter.named(String(number)))
    var demonstrated: Set<String> = []
    for name in chapter.demonstrations {
      let report = await (try #require(chapter.demonstration(name))).run(in: Self.world, tool: "test")
      for entry in report.result?.path ?? [] { demonstrated.insert(String(entry.drop { $0 != "." }.dropFirst())) }
    }
    for failure in (Self.failures[chapter.folder] ?? [:]).values where !failure.contains("$") {
      demonstrated.insert(String(failure.drop { $0 != "." }.dropFirst()))
    }
    let mentionedOnly: Set<String> = [
      "serverDeclinedScopes", "skipped", "success", "interactionRequired", "userCanceled", "notFound",
    ]
    for text in chapter.texts {
      for word in text.names where ChapterNameTests.isOutcome(word) && StepKind.named(word) == nil {
        #expect(demonstrated.contains(word) || mentionedOnly.contains(word), "\(chapter.name) names \(word)")
      }
    }
  }

  // MARK: Exercises

  /// The expected failures of each exercise, by scenario. A failure is a path entry or a failed expectation.
  static let failures: [String: [String: String]] = [
    "01-account": ["first run": "silent.interactionRequired", "second run": "interactions"],
    "02-silent": ["a minute later": "silent.tokenSource"],
    "03-interactive": ["later days": "interactions"],
    "04-scopes": ["calendar opened for the first time": "calendar.forbidden"],
    "05-errors": ["window closed": "outcome", "password changed": "silent.interactionRequired"],
    "06-rules": [
      "multifactor authentication required": "interactive-fallback.interactionRequired",
      "request denied": "interactive-fallback.interactionRequired",
    ],
    "07-claims": ["sessions revoked": "callGraph.exhausted"],
    "08-throttling": [
      "Graph throttled briefly": "callGraph.throttled", "Graph throttled permanently": "requests.graph",
      "token endpoint down": "interactions",
    ],
    "09-accounts": ["user Alex": "callGraph.$.userPrincipalName", "user Megan": "accounts"],
    "10-adal": ["username changed": "secondStart.notFound"],
    "11-tests": [
      "Graph unavailable once": "callGraph.serviceUnavailable", "cached token": "loadAccount.notFound",
      "password changed": "loadAccount.notFound",
    ],
  ]

  static func check(_ chapter: Chapter, _ text: String) -> ExerciseCheck {
    ExerciseCheck(chapter, file: "authflow-learn/\(chapter.folder)/exercise.yaml") { path, options in
      guard path.hasSuffix("exercise.yaml") else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", "file not found", at: .file(path))])
      }
      return DocumentReader.read(text, named: path, options: options)
    }
  }

  static func run(_ check: ExerciseCheck) async -> [TestResult] {
    let runner = SuiteRunner(world: world, tool: "test")
    return await runner.run(check.cases.enumerated().map { SuiteEntry(number: $0 + 1, test: $1) }).tests
  }

  @Test(arguments: Chapter.all.map(\.number))
  func exercisesFailForTheExpectedReasons(number: Int) async throws {
    let chapter = try #require(Chapter.named(String(number)))
    let check = Self.check(chapter, chapter.exerciseText)
    #expect(!check.diagnostics.contains { $0.severity == .error }, "\(check.diagnostics.map(\.message))")
    #expect(check.notes.isEmpty)
    let tests = await Self.run(check)
    let failures = try #require(Self.failures[chapter.folder])
    for test in tests {
      guard let reason = failures[test.name] else {
        #expect(test.verdict == .passed || test.failure != nil, "\(test.name)")
        continue
      }
      #expect(test.verdict == .failed, "\(chapter.name): \(test.name) is \(test.verdict)")
      let path = test.failure?.path ?? []
      let rules = test.failure?.problems.map(\.rule) ?? []
      #expect(path.contains(reason) || rules.contains(reason), "\(chapter.name): \(test.name): \(path) \(rules)")
    }
    for name in failures.keys { #expect(tests.contains { $0.name == name }, "\(name)") }
  }

  @Test(arguments: Chapter.all.map(\.number))
  func solutionsPass(number: Int) async throws {
    let chapter = try #require(Chapter.named(String(number)))
    let check = Self.check(chapter, chapter.solutionText)
    #expect(!check.diagnostics.contains { $0.severity == .error }, "\(check.diagnostics.map(\.message))")
    #expect(check.notes.isEmpty && check.canBeRun)
    for test in await Self.run(check) {
      #expect(
        test.verdict == .passed, "\(chapter.name): \(test.name): \(test.failure?.problems.map(\.message) ?? [])")
    }
    #expect(!check.cases.isEmpty)
  }

  @Test(arguments: Chapter.all.map(\.number))
  func solutionsChangeOnlyTheSteps(number: Int) throws {
    let chapter = try #require(Chapter.named(String(number)))
    #expect(chapter.exercise.broken != chapter.exercise.solution)
    #expect(chapter.exercise.hints.count >= 2)
    let exercise = try #require(DocumentReader.read(chapter.exerciseText, named: "a.yaml").document).root
    let solution = try #require(DocumentReader.read(chapter.solutionText, named: "b.yaml").document).root
    for key in ["authflow", "name", "settings", "inputs", "scenarios"] {
      #expect(exercise[key]?.json == solution[key]?.json)
    }
    for line in chapter.exerciseText.split(separator: "\n") { #expect(line.count <= 132, "\(line)") }
  }

  // MARK: Wrong solutions

  @Test func failsWrongSolutionsWithChangedExpectations() async throws {
    let chapter = try #require(Chapter.named("silent"))
    let text = chapter.exerciseText.replacing("silent.tokenSource: cache", with: "silent.tokenSource: refreshToken")
      .replacing("token: 0", with: "token: 1")
    let check = Self.check(chapter, text)
    #expect(check.notes.count == 1 && check.notes[0].contains("Only the chapter's scenarios count."))
    #expect(!check.canBeRun)
    #expect(await Self.run(check).contains { $0.verdict == .failed })
    let withoutScenarios = Self.check(
      chapter, String(text[..<(try #require(text.firstRange(of: "scenarios:"))).lowerBound]))
    #expect(withoutScenarios.cases.count == check.cases.count)
  }

  @Test func rejectsSolutionsThatChangeTheEnvironment() async throws {
    let chapter = try #require(Chapter.named("rules"))
    let directory = "directory: { directory: 1, extends: contoso }\nuser: { mfa: approve }\nsteps:"
    let check = Self.check(chapter, chapter.exerciseText.replacing("steps:", with: directory))
    #expect(check.notes.contains { $0.contains("`directory`, `user`") })
    #expect(await Self.run(check).contains { $0.verdict == .failed })
    for step in [
      "  - simulate: [policyRemoved: Everybody]\n", "  - wait: 1h\n",
      "  - parallel: [silent, { simulate: [online] }]\n",
      "  - id: other\n    silent: {}\n    user: adele@contoso.com\n",
    ] {
      let check = Self.check(chapter, chapter.exerciseText.replacing("steps:\n", with: "steps:\n" + step))
      #expect(check.diagnostics.contains { $0.rule == "exercise-world" }, "\(step)")
      #expect(check.cases.isEmpty)
    }
  }

  /// The ADAL exercise requires an event in its steps.
  @Test func failsSolutionsWithoutARequiredEvent() async throws {
    let chapter = try #require(Chapter.named("adal"))
    #expect(!Self.check(chapter, chapter.exerciseText).diagnostics.contains { $0.rule == "exercise-world" })
    let without = chapter.exerciseText.replacing(
      "simulate: [usernameChanged: { to: megan.bowen@contoso.com }]", with: "silent: {}")
    #expect(await Self.run(Self.check(chapter, without)).contains { $0.verdict == .failed })
  }

  @Test(arguments: ["", "authflow: 1\n", "steps: []\n", "{", "\u{0}", "authflow: 1\nsteps:\n  - sillent\n", "- a\n"])
  func reportsInvalidWorkflows(text: String) throws {
    let check = Self.check(try #require(Chapter.named("1")), text)
    #expect(check.cases.isEmpty)
    #expect(check.diagnostics.contains { $0.severity == .error })
  }

  // MARK: Progress

  @Test func recordsAndReadsProgress() throws {
    var progress = LearningProgress()
    #expect(progress.next?.number == 1 && progress.doneCount == 0)
    let silent = try #require(Chapter.named("silent"))
    progress[silent].failures = 1
    #expect(progress.hint(for: silent) == silent.exercise.hints.first)
    progress[silent].failures = 9
    #expect(progress.hint(for: silent) == silent.exercise.hints.last)
    progress[silent].done = "2025-01-01T00:00:00Z"
    #expect(
      progress.json.text() == #"{"chapters":{"silent":{"done":"2025-01-01T00:00:00Z","failures":9}},"version":1}"#)
    #expect(LearningProgress(Array(progress.json.text().utf8)) == progress)
    #expect(progress.isDone(silent) && progress.next?.number == 1)
    progress.forget(silent)
    #expect(progress == LearningProgress())
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"chapters":1}"#, "\u{FF}", #"{"version":1,"chapters":[1]}"#,
  ]) func rejectsInvalidProgressFiles(text: String) { #expect(LearningProgress(Array(text.utf8)) == nil) }

  @Test func ignoresInvalidProgressEntries() throws {
    let text = #"{"chapters":{"silent":{"failures":-5,"done":"\u001b[31m"},"nothing":{"done":"x"},"adal":7}}"#
    let progress = try #require(LearningProgress(Array(text.utf8)))
    #expect(progress.doneCount == 0)
    #expect(progress[try #require(Chapter.named("silent"))].failures == 0)
  }
}

extension String {
  /// The names in backticks.
  var names: [String] {
    split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
      String($0.element)
    }
  }
}

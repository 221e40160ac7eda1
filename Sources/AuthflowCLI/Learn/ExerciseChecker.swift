import Diagnostics
import Documents
import Effects
import Lessons
import Reports
import Scenarios

/// Runs the scenarios of a chapter on the user's file.
struct ExerciseChecker {
  let session: Session
  let store: LearningStore
  let chapter: Chapter
  let format: OutputFormat

  func perform() async throws(ExitStatus) {
    let path = store.exercise(of: chapter)
    guard session.world.files.kind(of: path) != nil else {
      throw session.report(
        .usageError, "\(CaretFrame.visible(path)): no such file",
        help: "run `authflow learn \(chapter.number)` to create it, or pass its location with `--folder`")
    }
    let check = ExerciseCheck(chapter, file: path, load: session.load(inputs: [path]))
    session.show(check.diagnostics)
    guard !check.diagnostics.hasErrors, !check.cases.isEmpty else {
      throw session.report(.usageError, "cannot check \(CaretFrame.visible(path)): the file has errors")
    }
    let tests = try await run(check)
    let isSolved = tests.allSatisfy { $0.verdict == .passed }
    let now = session.world.clock.now.rfc3339()
    let progress = store.change { progress in
      if isSolved {
        if progress[chapter].done == nil { progress[chapter].done = now }
      } else {
        progress[chapter].failures += 1
      }
    }
    switch format {
    case .json: printJSON(tests, check, progress, isSolved)
    case .text: printText(tests, check, progress, isSolved)
    }
    if !isSolved { throw .failed }
  }

  private func run(_ check: ExerciseCheck) async throws(ExitStatus) -> [TestResult] {
    var runner = SuiteRunner(world: session.world, tool: "authflow \(Version.text)")
    runner.excerptWidth = session.style(for: .output).width - 12
    let entries = check.cases.enumerated().map { SuiteEntry(number: $0 + 1, test: $1) }
    var (tests, ending) = await runner.run(entries)
    guard ending != .interrupted else { throw .interrupted }
    for index in tests.indices where tests[index].failure != nil {
      // If the check uses only part of the file, `authflow run` would show a different result.
      let scenario = ShellWord.option("--scenario", tests[index].name)
      let watch = "authflow run \(ShellWord.file(tests[index].file)) \(scenario)"
      tests[index].failure?.rerun = check.canBeRun ? "authflow learn \(chapter.number) --check" : ""
      tests[index].failure?.watch = watch
    }
    return tests
  }

  private func printText(
    _ tests: [TestResult], _ check: ExerciseCheck, _ progress: LearningProgress, _ isSolved: Bool
  ) {
    let style = session.style(for: .output)
    let text = LearnText(style: style)
    var output = text.heading(chapter) + "\n"
    for note in check.notes { output += text.note(note) }
    for test in tests {
      output += test.failure == nil ? text.passed(test.name) : SuiteText(style: style).failure(test) + "\n"
    }
    output += isSolved ? text.solved(chapter, progress) : text.notSolved(chapter, hint: progress.hint(for: chapter))
    session.printLine(output)
  }

  private func printJSON(
    _ tests: [TestResult], _ check: ExerciseCheck, _ progress: LearningProgress, _ isSolved: Bool
  ) {
    var json = chapter.summaryJSON
    json["solved"] = .bool(isSolved)
    json["file"] = .string(store.exercise(of: chapter))
    json["notes"] = .array(check.notes.map { .string($0) })
    json["scenarios"] = .array(tests.map { SuiteJSON.json($0) })
    json["hint"] = isSolved ? .null : progress.hint(for: chapter).map { .string($0) } ?? .null
    json["next"] = progress.next.map { .string($0.name) } ?? .null
    session.printJSON(json)
  }
}

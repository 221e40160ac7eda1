import Diagnostics
import Documents
import Effects
import Lessons
import Reports
import Scenarios

/// `authflow learn N --check`: the chapter's own scenarios on the learner's file.
struct ExerciseChecker {
  let session: Session
  let shelf: LearningStore
  let chapter: Chapter
  let format: OutputFormat

  func perform() async throws(ExitStatus) {
    let path = shelf.exercise(of: chapter)
    guard session.world.files.kind(of: path) != nil else {
      session.printStatus(
        "error: \(CaretFrame.visible(path)): no such file\n  help: `authflow learn \(chapter.number)` writes it; --folder says where"
      )
      throw .usageError
    }
    let check = ExerciseCheck(chapter, file: path, load: session.load(inputs: [path]))
    session.show(check.diagnostics)
    guard !check.diagnostics.hasErrors, !check.cases.isEmpty else {
      session.printStatus("error: nothing was checked: \(CaretFrame.visible(path)) cannot be used as it is")
      throw .usageError
    }
    let tests = try await run(check)
    let isRepaired = tests.allSatisfy { $0.verdict == .passed }
    let now = session.world.clock.now.rfc3339()
    let progress = shelf.change { progress in
      if isRepaired {
        if progress[chapter].done == nil { progress[chapter].done = now }
      } else {
        progress[chapter].failures += 1
      }
    }
    switch format {
    case .json: tellJSON(tests, check, progress, isRepaired)
    case .text: printText(tests, check, progress, isRepaired)
    }
    if !isRepaired { throw .failed }
  }

  private func run(_ check: ExerciseCheck) async throws(ExitStatus) -> [TestResult] {
    var runner = SuiteRunner(world: session.world, tool: "authflow \(Version.text)")
    runner.excerptWidth = session.style(for: .output).width - 12
    let entries = check.cases.enumerated().map { SuiteEntry(number: $0 + 1, test: $1) }
    var (tests, ending) = await runner.run(entries)
    guard ending != .interrupted else { throw .interrupted }
    for index in tests.indices where tests[index].failure != nil {
      // The chapter's scenarios are checked by the chapter; a run shows the same where nothing of the file is left out.
      let scenario = ShellWord.option("--scenario", tests[index].name)
      let watch = "authflow run \(ShellWord.file(tests[index].file)) \(scenario)"
      tests[index].failure?.rerun = check.canBeRun ? "authflow learn \(chapter.number) --check" : ""
      tests[index].failure?.watch = watch
    }
    return tests
  }

  private func printText(
    _ tests: [TestResult], _ check: ExerciseCheck, _ progress: LearningProgress, _ isRepaired: Bool
  ) {
    let style = session.style(for: .output)
    let text = LearnText(style: style)
    var told = text.heading(chapter) + "\n"
    for note in check.notes { told += text.note(note) }
    for test in tests {
      told += test.failure == nil ? text.passed(test.name) : SuiteText(style: style).failure(test) + "\n"
    }
    told += isRepaired ? text.done(chapter, progress) : text.notYet(chapter, hint: progress.hint(for: chapter))
    session.printLine(told)
  }

  private func tellJSON(
    _ tests: [TestResult], _ check: ExerciseCheck, _ progress: LearningProgress, _ isRepaired: Bool
  ) {
    var json = chapter.summaryJSON
    json["repaired"] = .bool(isRepaired)
    json["file"] = .string(shelf.exercise(of: chapter))
    json["notes"] = .array(check.notes.map { .string($0) })
    json["scenarios"] = .array(tests.map { SuiteJSON.json($0) })
    json["hint"] = isRepaired ? .null : progress.hint(for: chapter).map { .string($0) } ?? .null
    json["next"] = progress.next.map { .string($0.name) } ?? .null
    session.printLine(json.text(pretty: true), as: .json)
  }
}

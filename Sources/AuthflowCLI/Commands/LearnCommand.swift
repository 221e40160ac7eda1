import ArgumentParser
import Diagnostics
import Documents
import Effects
import Lessons
import Reports

struct LearnCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn", abstract: "Learn how apps sign in users, with examples and exercises",
    discussion: """
      Each chapter contains a short text, demonstrations that run on the emulator, and an exercise: a workflow to fix. The \
      command writes the exercise's files to a folder and does not overwrite files that you have changed. On a \
      terminal, it pauses between the parts of a chapter.

      `--check` runs the chapter's scenarios on your file. The exit code is 1 if a scenario fails, and 2 if the file is \
      invalid.

      Examples:
        authflow learn
        authflow learn silent
      """)

  @Argument(
    help: ArgumentHelp("Number or name of a chapter (default: list the chapters)", valueName: "chapter"),
    completion: .list(Chapter.all.map(\.name)))
  var chapter: String?
  @Flag(help: "Check the exercise, and mark the chapter as done if it is solved") var check = false
  @Flag(help: "Show the hints for the exercise") var hint = false
  @Flag(help: "Show the solution to the exercise") var solution = false
  @Flag(help: "Restore the exercise, or clear all progress if no chapter is specified")
  var reset = false
  @Option(help: ArgumentHelp("Store the exercises in this folder", valueName: "folder"), completion: .directory)
  var folder = "authflow-learn"
  @Option(help: "Select the output format") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let actions = [check, hint, solution, reset].count { $0 }
    guard actions < 2 else {
      throw session.report(.usageError, "`--check`, `--hint`, `--solution`, and `--reset` cannot be used together")
    }
    let store = LearningStore(session: session, folder: folder)
    guard let argument = chapter else {
      guard actions == 0 || reset else {
        throw session.report(
          .usageError, "missing chapter", help: "pass its number or name, as in `authflow learn 1 --check`")
      }
      if reset { try store.removeProgress() }
      return list(store)
    }
    guard let chapter = Chapter.named(argument) else { throw unknownChapter(argument, in: session) }
    if check {
      return try await ExerciseChecker(session: session, store: store, chapter: chapter, format: format).perform()
    }
    if hint {
      return show(chapter, "hints", .array(chapter.exercise.hints.map { .string($0) }), in: session) {
        $0.hints(chapter)
      }
    }
    if solution {
      return show(chapter, "solution", .string(chapter.solutionText), in: session) { $0.solution(chapter) }
    }
    if reset { return try restore(chapter, store) }
    try await ChapterRunner(session: session, store: store, chapter: chapter, format: format).perform()
  }

  private func unknownChapter(_ name: String, in session: Session) -> ExitStatus {
    let names = Chapter.all.map(\.name)
    let help =
      Suggestion.nearest(to: name.lowercased(), among: names).map { "did you mean `\($0)`?" }
      ?? "use a number from 1 to \(names.count), or one of \(names.joined(separator: ", "))"
    return session.report(
      .usageError, "unknown chapter `\(CaretFrame.visible(String(name.prefix(40))))`", help: help)
  }

  private func list(_ store: LearningStore) {
    let progress = store.progress()
    switch format {
    case .text: store.session.printLine(LearnText(style: store.session.style(for: .output)).list(progress))
    case .json:
      let chapters = Chapter.all.map { chapter -> JSON in
        var json = chapter.summaryJSON
        json["done"] = .bool(progress.isDone(chapter))
        json["doneAt"] = progress[chapter].done.map { .string($0) } ?? .null
        return json
      }
      store.session.printJSON([
        "chapters": .array(chapters), "done": .integer(Int64(progress.doneCount)), "folder": .string(folder),
        "next": progress.next.map { .string($0.name) } ?? .null,
      ])
    }
  }

  private func restore(_ chapter: Chapter, _ store: LearningStore) throws(ExitStatus) {
    let files = try store.write(chapter, restoring: true)
    store.change { $0.forget(chapter) }
    show(chapter, "files", .array(files.map(\.json)), in: store.session) { $0.files(files) }
  }

  /// Prints text, or JSON with the chapter summary and one additional member.
  private func show(
    _ chapter: Chapter, _ key: String, _ value: JSON, in session: Session, text: (LearnText) -> String
  ) {
    switch format {
    case .text: session.printLine(text(LearnText(style: session.style(for: .output))))
    case .json:
      var json = chapter.summaryJSON
      json[key] = value
      session.printJSON(json)
    }
  }
}

extension Chapter {
  /// The common members of all JSON results about a chapter.
  var summaryJSON: JSON {
    [
      "number": .integer(Int64(number)), "name": .string(name), "title": .string(title), "summary": .string(summary),
    ]
  }
}

import ArgumentParser
import Diagnostics
import Documents
import Effects
import Lessons
import Reports

struct LearnCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn", abstract: "A guided tour: how an app signs people in, chapter by chapter.",
    discussion: """
      Each chapter is a short text with demonstrations that are really run, on the embedded platform and a clock of their \
      own, and an exercise: a workflow to repair. Its files are written to a folder, and a file that you have changed stays \
      as it is. On a terminal a chapter pauses between its parts.

      --check runs the chapter's own scenarios on your file, so that the way out leads through the steps. It ends with 1 \
      where something is not right yet, with 2 where the file cannot be used.

      Example: authflow learn 1

      Others:
        authflow learn                  (the chapters, and which are done)
        authflow learn silent --check
      """)

  @Argument(
    help: ArgumentHelp("A chapter's number or name; without one the chapters are listed.", valueName: "chapter"),
    completion: .list(Chapter.all.map(\.name)))
  var chapter: String?
  @Flag(help: "Check the exercise, and mark the chapter as done where it is repaired.") var check = false
  @Flag(help: "Show the hints of the exercise.") var hint = false
  @Flag(help: "Show the exercise repaired; nothing is written.") var solution = false
  @Flag(
    help:
      "Write the exercise anew and forget that the chapter was done; without a chapter, forget that for all of them.")
  var reset = false
  @Option(help: ArgumentHelp("Where the exercises are.", valueName: "folder"), completion: .directory) var folder =
    "authflow-learn"
  @Option(help: "text or json.") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let asked = [check, hint, solution, reset].count { $0 }
    guard asked < 2 else {
      session.printStatus("error: --check, --hint, --solution and --reset are asked one at a time")
      throw .usageError
    }
    let shelf = LearningStore(session: session, folder: folder)
    guard let word = chapter else {
      guard asked == 0 || reset else {
        session.printStatus("error: say which chapter, such as `authflow learn 1 --check`")
        throw .usageError
      }
      if reset { try shelf.forgetAll() }
      return list(shelf)
    }
    guard let chapter = Chapter.meant(by: word) else { throw unknown(word, in: session) }
    if check {
      return try await ExerciseChecker(session: session, shelf: shelf, chapter: chapter, format: format).perform()
    }
    if hint { return tell(chapter, "hints", chapter.exercise.hints, in: session) }
    if solution { return tellSolution(of: chapter, in: session) }
    if reset { return try start(anew: chapter, shelf) }
    try await ChapterRunner(session: session, shelf: shelf, chapter: chapter, format: format).perform()
  }

  private func unknown(_ word: String, in session: Session) -> ExitStatus {
    let names = Chapter.all.map(\.name)
    let near = Suggestion.nearest(to: word.lowercased(), among: names).map { "did you mean \($0)? " } ?? ""
    session.printStatus(
      "error: there is no chapter \(CaretFrame.visible(String(word.prefix(40))))\n  help: \(near)1 to \(names.count), or \(names.joined(separator: ", "))"
    )
    return .usageError
  }

  private func list(_ shelf: LearningStore) {
    let progress = shelf.progress()
    switch format {
    case .text: shelf.session.printLine(LearnText(style: shelf.session.style(for: .output)).list(progress))
    case .json:
      let chapters = Chapter.all.map { chapter -> JSON in
        var json = chapter.summaryJSON
        json["done"] = .bool(progress.isDone(chapter))
        json["doneAt"] = progress[chapter].done.map { .string($0) } ?? .null
        return json
      }
      shelf.session.printLine(
        ([
          "chapters": .array(chapters), "done": .integer(Int64(progress.doneCount)), "folder": .string(folder),
          "next": progress.next.map { .string($0.name) } ?? .null,
        ] as JSON).text(pretty: true), as: .json)
    }
  }

  private func tell(_ chapter: Chapter, _ key: String, _ texts: [String], in session: Session) {
    switch format {
    case .text: session.printLine(LearnText(style: session.style(for: .output)).hints(chapter))
    case .json:
      var json = chapter.summaryJSON
      json[key] = .array(texts.map { .string($0) })
      session.printLine(json.text(pretty: true), as: .json)
    }
  }

  private func tellSolution(of chapter: Chapter, in session: Session) {
    switch format {
    case .text: session.printLine(LearnText(style: session.style(for: .output)).solution(chapter))
    case .json:
      var json = chapter.summaryJSON
      json["solution"] = .string(chapter.solutionText)
      session.printLine(json.text(pretty: true), as: .json)
    }
  }

  private func start(anew chapter: Chapter, _ shelf: LearningStore) throws(ExitStatus) {
    let written = try shelf.write(chapter, anew: true)
    shelf.change { $0.forget(chapter) }
    switch format {
    case .text: shelf.session.printLine(LearnText(style: shelf.session.style(for: .output)).files(written))
    case .json:
      var json = chapter.summaryJSON
      json["files"] = .array(written.map(\.json))
      shelf.session.printLine(json.text(pretty: true), as: .json)
    }
  }
}

extension Chapter {
  /// What every JSON answer about a chapter begins with.
  var summaryJSON: JSON {
    [
      "number": .integer(Int64(number)), "name": .string(name), "title": .string(title), "summary": .string(summary),
    ]
  }
}

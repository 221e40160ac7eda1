import AuthflowCLI
import Documents
import Effects
import Lessons
import SimulatedWorld
import TestSupport
import Testing

/// `authflow learn`: chapters, exercises, and progress.
@Suite struct LearnTests {
  static let exercise = "authflow-learn/02-silent/exercise.yaml"

  static func text(_ session: TerminalSession, _ path: String) throws -> String {
    String(decoding: try session.files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  @Test func listsTheChapters() async throws {
    let session = try TerminalSession()
    let result = try await session.run("learn")
    #expect(result.status == .success && result.error == "")
    for chapter in Chapter.all { #expect(result.output.contains("\(chapter.number). \(chapter.title)")) }
    #expect(result.output.contains(" 1. Accounts  next"))
    #expect(!result.output.contains("done\n"))
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test(arguments: Chapter.all.map(\.number)) func showsAllPartsOfAChapter(number: Int) async throws {
    let session = try TerminalSession()
    let result = try await session.run("learn", String(number))
    #expect(result.status == .success, "\(result.error)")
    #expect(result.error == "")
    let chapter = try #require(Chapter.named(String(number)))
    #expect(result.output.hasPrefix("Chapter \(number) of \(Chapter.all.count): \(chapter.title)"))
    for name in chapter.demonstrations { #expect(result.output.contains("Demonstration: \(name)")) }
    #expect(result.output.contains("authflow learn \(number) --check"))
    for file in chapter.files {
      #expect(try Self.text(session, "authflow-learn/\(chapter.folder)/\(file.name)") == file.text)
    }
    #expect(!result.output.contains("Fake-"), "no password is shown")
  }

  @Test(arguments: [60, 100, 200]) func linesFitTheWidthOfTheTerminal(width: Int) async throws {
    let console = BufferedConsole(terminals: [.output, .error], width: width)
    let session = try TerminalSession(variables: ["LANG": "C.UTF-8", "NO_COLOR": "1"], console: console)
    let result = try await session.run("learn", "silent")
    #expect(result.status == .success)
    for line in result.output.split(separator: "\n")
    where !line.contains("https://") && !line.contains("authflow-learn/") {
      #expect(line.count <= min(width, 100), "\(line.count): \(line)")
    }
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test func usesASCIIWithoutAUnicodeLocale() async throws {
    let console = BufferedConsole(input: ["", "", "", "", ""], terminals: [.output, .error], width: 80)
    let result = try await TerminalSession(variables: ["LANG": "C", "TERM": "dumb"], console: console).run("learn", "3")
    #expect(result.status == .success)
    #expect(result.output.utf8.allSatisfy { $0 < 0x80 })
    #expect(result.output.contains("> Demonstration: first sign-in"))
  }

  // MARK: Pauses

  @Test func pausesOnATerminalUntilTheUserQuits() async throws {
    let console = BufferedConsole(input: ["", "q"], terminals: [.output, .error], width: 80)
    let session = try TerminalSession(variables: ["LANG": "C.UTF-8"], console: console)
    let result = try await session.run("learn", "2")
    #expect(result.status == .success)
    #expect(result.error.split(separator: "[").count - 1 == 2, "\(result.error)")
    for name in ["a minute later", "two hours later"] { #expect(result.output.contains("Demonstration: \(name)")) }
    #expect(!result.output.contains("Demonstration: three months later"))
    #expect(!result.output.contains("authflow learn 2 --check"))
    #expect(session.files.kind(of: Self.exercise) == nil)
    #expect(result.error.contains("authflow learn 2"))
  }

  @Test func showsAllPartsWithoutAPauseIfThereIsNoInput() async throws {
    for (terminals, variables) in [
      ([ConsoleStream.output, .error], [:]), ([.output], [:]), ([.output, .error], ["CI": "true"]),
    ] as [([ConsoleStream], [String: String])] {
      let console = BufferedConsole(terminals: Set(terminals), width: 80)
      let result = try await TerminalSession(variables: variables, console: console).run("learn", "2")
      #expect(result.status == .success)
      #expect(result.output.contains("authflow learn 2 --check"))
    }
  }

  // MARK: Exercises

  @Test func solvingTheExerciseCompletesTheChapter() async throws {
    let session = try TerminalSession()
    let early = try await session.run("learn", "2", "--check")
    #expect(early.status == .usageError && early.error.contains("authflow learn 2"))
    _ = try await session.run("learn", "2")
    let first = try await session.run("learn", "silent", "--check")
    #expect(first.status == .failed, "\(first.error)")
    #expect(first.output.contains("expected silent.tokenSource to be \"cache\", found \"refreshToken\""))
    let chapter = try #require(Chapter.named("2"))
    #expect(first.output.contains("Hint: The path is correct."))
    let second = try await session.run("learn", "2", "--check")
    #expect(second.output.contains("Hint: MSAL detects expired tokens"))
    try session.files.replace(Self.exercise, with: Array(chapter.solutionText.utf8), privately: false)
    let third = try await session.run("learn", "02-silent", "--check")
    #expect(third.status == .success, "\(third.output)\(third.error)")
    #expect(third.output.contains("Solved. Chapter 2 is done.") && third.output.contains("authflow learn 1"))
    let list = try await session.run("learn")
    #expect(list.output.contains(" 2. Silent sign-in  ✓ done"))
    #expect(session.files.kind(of: TerminalSession.state + "/learn.json") == .file)
  }

  @Test func doesNotOverwriteChangedFiles() async throws {
    let session = try TerminalSession()
    _ = try await session.run("learn", "2")
    let edited = "# edited\n" + (try Self.text(session, Self.exercise))
    try session.files.replace(Self.exercise, with: Array(edited.utf8), privately: false)
    let second = try await session.run("learn", "2")
    #expect(second.output.contains("\(Self.exercise): not overwritten"))
    #expect(second.output.contains("AuthSettings.plist: unchanged"))
    #expect(try Self.text(session, Self.exercise) == edited)
    let reset = try await session.run("learn", "2", "--reset")
    #expect(reset.status == .success && reset.output.contains("restored; your version is now \(Self.exercise)~"))
    #expect(try Self.text(session, Self.exercise + "~") == edited)
    #expect(try Self.text(session, Self.exercise) == Chapter.named("2")?.exerciseText)
  }

  @Test func hintsAndTheSolutionDoNotWriteFiles() async throws {
    let session = try TerminalSession()
    let hints = try await session.run("learn", "2", "--hint")
    #expect(hints.output.contains("1. The path is correct") && hints.output.contains("2. MSAL detects"))
    let solution = try await session.run("learn", "2", "--solution")
    #expect(solution.output.contains("    - silent\n".dropFirst(4)) && !solution.output.contains("forceRefresh"))
    #expect(session.files.kind(of: "authflow-learn") == nil)
  }

  @Test func storesExercisesInTheSpecifiedFolder() async throws {
    let session = try TerminalSession()
    #expect(try await session.run("learn", "1", "--folder", "/tmp/lessons").status == .success)
    #expect(session.files.kind(of: "/tmp/lessons/01-account/exercise.yaml") == .file)
    #expect(try await session.run("learn", "1", "--check", "--folder", "/tmp/lessons").status == .failed)
  }

  @Test func rejectsAnInvalidExerciseFile() async throws {
    let session = try TerminalSession()
    _ = try await session.run("learn", "2")
    try session.files.replace(Self.exercise, with: Array("authflow: 1\nsteps:\n  - sillent\n".utf8), privately: false)
    let result = try await session.run("learn", "2", "--check")
    #expect(result.status == .usageError)
    #expect(result.error.contains("sillent") && result.error.contains("the file has errors"))
  }

  // MARK: Progress

  @Test func ignoresADamagedProgressFile() async throws {
    let session = try TerminalSession()
    let path = TerminalSession.state + "/learn.json"
    try session.files.makeDirectory(TerminalSession.state, privately: true)
    try session.files.replace(path, with: Array("{oops".utf8), privately: true)
    let list = try await session.run("learn")
    #expect(list.status == .success && list.error.contains("cannot read your chapter progress"))
    _ = try await session.run("learn", "2")
    let solution = try #require(Chapter.named("2")).solutionText
    try session.files.replace(Self.exercise, with: Array(solution.utf8), privately: false)
    #expect(try await session.run("learn", "2", "--check").status == .success)
    #expect(try await session.run("learn").error == "")
  }

  @Test func resetRemovesTheProgressOfAllChapters() async throws {
    let session = try TerminalSession()
    _ = try await session.run("learn", "2")
    try session.files.replace(
      Self.exercise, with: Array(try #require(Chapter.named("2")).solutionText.utf8), privately: false)
    _ = try await session.run("learn", "2", "--check")
    #expect(try await session.run("learn", "--reset").status == .success)
    #expect(try await !session.run("learn").output.contains("✓ done"))
  }

  // MARK: JSON and invalid arguments

  @Test func jsonContainsTheChaptersAndTheirParts() async throws {
    let session = try TerminalSession()
    let list = try JSON(parsing: await session.run("learn", "--format", "json").output)
    #expect(list["chapters"]?.count == Chapter.all.count && list["next"] == "account" && list["done"] == 0)
    let chapter = try JSON(parsing: await session.run("learn", "2", "--format", "json").output)
    #expect(chapter["name"] == "silent")
    let parts = chapter["parts"]?.array ?? []
    let demonstrations = parts.filter { $0["kind"] == "demonstration" }
    #expect(demonstrations.count == 3)
    #expect(demonstrations.first?["path"]?[1] == "silent.success" && demonstrations.first?["outcome"] == "success")
    #expect(chapter["exercise"]?["files"]?[0]?["action"] == "written")
    let check = try await session.run("learn", "2", "--check", "--format", "json")
    #expect(check.status == .failed)
    let json = try JSON(parsing: check.output)
    #expect(json["solved"] == false && json["scenarios"]?.count == 2 && json["hint"]?.string != nil)
    let solution = try JSON(parsing: await session.run("learn", "2", "--solution", "--format", "json").output)
    #expect(solution["solution"]?.string == Chapter.named("2")?.solutionText)
  }

  @Test(arguments: [
    (["learn", "12"], "1 to 11"), (["learn", "silnt"], "did you mean `silent`?"), (["learn", ""], "unknown chapter"),
    (["learn", "--check"], "missing chapter"), (["learn", "1", "--check", "--hint"], "cannot be used together"),
    (["learn", "1", "2"], "Unexpected argument"), (["learn", "\u{1B}[31mx"], "unknown chapter"),
  ]) func rejectsInvalidArguments(arguments: [String], text: String) async throws {
    let result = try await TerminalSession().run(arguments)
    #expect(result.status == .usageError)
    #expect(result.error.contains(text), "\(result.error)")
    #expect(!result.error.contains("\u{1B}"))
  }

  /// Users can copy every command from the text of a chapter.
  @Test func commandsInChaptersExist() async throws {
    for chapter in Chapter.all {
      for text in chapter.texts {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        for (index, part) in parts.enumerated() where index % 2 == 1 && part.hasPrefix("authflow ") {
          let words = part.split(separator: " ").dropFirst().map(String.init)
          let help = try await TerminalSession().run([words[0], "--help"])
          #expect(help.status == .success, "\(part)")
          for option in words.dropFirst() where option.hasPrefix("--") {
            #expect(help.output.contains(option), "\(part)")
          }
          if words[0] == "explain", words.count > 1, words[1] != "-" {
            #expect(try await TerminalSession().run(words).status == .success, "\(part)")
          }
        }
      }
    }
  }
}

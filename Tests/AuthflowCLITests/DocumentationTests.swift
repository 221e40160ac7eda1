import AuthflowCLI
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// Checks the examples in the documentation: the commands parse, the workflows run, and the output matches.
@Suite struct DocumentationTests {
  struct Command: Sendable, CustomTestStringConvertible {
    var file: String
    var line: Int
    var words: [String]
    var testDescription: String { "\(file):\(line): authflow \(words.joined(separator: " "))" }
  }

  struct Block: Sendable, CustomTestStringConvertible {
    var file: String
    var line: Int
    var language: String
    var text: String
    /// Whether the line before the block ends with a path. `.ci/check-snippets` writes these blocks to files and runs
    /// the page's commands.
    var isFile = false
    var testDescription: String { "\(file):\(line)" }
  }

  /// The README, the module pages, the documentation, and the pages in `Workflows`.
  static let pages: [(file: String, text: String)] = {
    let folders = ["Documentation", "Workflows", "Sources"]
    let files =
      ["README.md"]
      + folders.flatMap { folder in
        ((try? ProjectFiles.files(in: folder)) ?? []).filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
      }
    return files.sorted().compactMap { file in
      (try? ProjectFiles.bytes(of: file)).map { (file, String(decoding: $0, as: UTF8.self)) }
    }
  }()

  @Test func `finds the pages and their commands`() {
    #expect(Self.pages.contains { $0.file == "README.md" })
    #expect(Self.pages.contains { $0.file.hasSuffix("Language.md") })
    #expect(Self.commands.count > 40)
  }

  // MARK: Commands

  /// Every `authflow …` command in a code span or a shell block.
  static let commands: [Command] = pages.flatMap { file, text in
    var isShell: Bool?
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
      index, line -> [Command] in
      if line.hasPrefix("```") {
        isShell = isShell == nil ? line.hasPrefix("```sh") : nil
        return []
      }
      var texts: [Substring] = []
      if isShell == true {
        texts = [line]
      } else if isShell == nil {
        // In tables, `\|` separates alternatives. It is not a pipe.
        texts = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map(\.element)
      }
      return texts.flatMap { text in
        alternatives(text.replacing("\\|", with: "|")).map { Command(file: file, line: index + 1, words: $0) }
      }
    }
  }

  /// Expands alternatives: `cache show|clear` represents two commands, `PATH…` one path, and `[FOLDER]` an optional
  /// argument.
  private static func alternatives(_ text: some StringProtocol) -> [[String]] {
    var words = Self.words(String(text))
    guard let first = words.first, first == "authflow" || first.hasSuffix("/release/authflow") else { return [] }
    words.removeFirst()
    words = words.prefix { $0 != "|" && $0 != "&&" && $0 != "#" && $0 != ">" }.compactMap { word in
      var word = word.replacing("…", with: "")
      if word.hasPrefix("[") { word = String(word.dropFirst().prefix { $0 != "]" }) }
      // Omit words with shell variables, but not JSONPath expressions.
      return word.isEmpty || word.hasPrefix("$") && !word.hasPrefix("$.") ? nil : word
    }
    var all: [[String]] = [[]]
    for word in words {
      let choices = word.contains("|") && !word.contains("{") ? word.split(separator: "|").map(String.init) : [word]
      all = all.flatMap { line in choices.map { line + [$0] } }
    }
    return all
  }

  /// Splits a command line into words as a shell does, including quoted words.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let done = word { words.append(done) }
    return words
  }

  @Test(arguments: commands) func `documented commands parse`(command: Command) async throws {
    let session = try TerminalSession()
    let result = try await session.run(command.words.isEmpty ? ["--help"] : command.words)
    // The documentation can mention a command without its arguments, or with a placeholder.
    let isIncomplete = result.error.contains("Missing expected argument") || result.error.contains("The value 'NAME'")
    #expect(isIncomplete || !result.error.contains("Usage: authflow"), "\(result.error)")
  }

  /// The commands that use only files in the project.
  static let complete = commands.filter { command in
    let names = command.words.filter { $0.hasPrefix("Workflows/") }
    let shipped = (try? ProjectFiles.files(in: "Workflows")) ?? []
    return !names.isEmpty && names.allSatisfy { shipped.contains(String($0.dropFirst("Workflows/".count))) }
      && !command.words.contains { $0.hasPrefix("replay:") }
  }

  @Test(arguments: complete) func `commands with a shipped workflow succeed`(command: Command) async throws {
    let result = try await TerminalSession(shipped: true).run(command.words)
    #expect(result.status == .success, "\(result.output)\(result.error)")
  }

  // MARK: Workflows

  static let blocks: [Block] = pages.flatMap { file, text in
    var open: Block?
    var blocks: [Block] = []
    var before: Substring = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          open = Block(
            file: file, line: index + 1, language: String(line.dropFirst(3)), text: "", isFile: before.hasSuffix("`:"))
        }
      } else {
        if open == nil, !line.isEmpty { before = line }
        open?.text += line + "\n"
      }
    }
    return blocks
  }

  static let workflows = blocks.filter {
    $0.text.hasPrefix("authflow: 1") && !$0.isFile && !$0.file.hasSuffix("Rules.md")
  }
  static let scenarios = blocks.filter { $0.text.hasPrefix("scenarios:") && !$0.file.hasSuffix("Rules.md") }

  @Test func `finds workflows and scenarios`() {
    #expect(!Self.workflows.isEmpty)
    #expect(!Self.scenarios.isEmpty)
  }

  @Test(arguments: workflows) func `documented workflows are valid and succeed`(block: Block) async throws {
    let session = try TerminalSession(files: ["Workflows/example.yaml": block.text], shipped: true)
    #expect(try await session.run("validate", "Workflows/example.yaml", "--strict").status == .success)
    let result = try await session.run("run", "Workflows/example.yaml", "--fresh")
    #expect(result.status == .success, "\(result.output)\(result.error)")
  }

  /// If scenarios are documented without a workflow, the test runs them with the steps of `Workflows/me.yaml`.
  @Test(arguments: scenarios) func `documented scenarios pass`(block: Block) async throws {
    let workflow = String(decoding: try ProjectFiles.bytes(of: "Workflows/me.yaml"), as: UTF8.self)
    let steps = workflow[..<(try #require(workflow.firstRange(of: "\nscenarios:"))).lowerBound]
    let session = try TerminalSession(files: ["Workflows/example.yaml": steps + "\n" + block.text], shipped: true)
    let result = try await session.run("test", "Workflows/example.yaml")
    #expect(result.status == .success, "\(result.output)\(result.error)")
  }

  // MARK: Output

  @Test func `the README shows the output of a run`() async throws {
    let block = try #require(
      Self.blocks.first { $0.file == "README.md" && $0.text.contains("interactive-fallback  success") })
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh")
    let lines = Self.withoutDurations(result.output).drop { !$0.contains("loadAccount") }
    let expected = Self.withoutDurations(block.text)
    #expect(lines.count == expected.count, "\(result.output)")
    for (line, expected) in zip(lines, expected) {
      // In the documentation, an ellipsis replaces the duration.
      let beginning = expected.hasSuffix("…") ? String(expected.dropLast()) : nil
      #expect(beginning.map { line.hasPrefix($0) } ?? (line == expected), "\(line)")
    }
  }

  /// Returns the lines without durations.
  private static func withoutDurations(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.replacing(#/[, ] [0-9.]+ m?s$/#, with: "")) }
  }
}

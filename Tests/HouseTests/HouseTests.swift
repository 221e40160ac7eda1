import Foundation
import TestSupport
import Testing

/// Holds the code to the house rules that the compiler cannot see.
@Suite struct HouseTests {
  static let sources = Corpus.projectDirectory.appending(path: "Sources")

  static func swiftFiles(in folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
  }

  /// The code of a file without its comments and string literals, line by line.
  static func code(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let noComment = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      return noComment
    }
  }

  static let forbiddenOutsideLiveWorld: [(name: String, pattern: String)] = [
    ("the clock", #"\bDate\(\)|Date\.now|ContinuousClock\(|SuspendingClock\(|\btime\(nil\)|clock_gettime"#),
    ("sleeping", #"Task\.sleep|\busleep\(|Thread\.sleep"#),
    ("randomness", #"SystemRandomNumberGenerator|\.random\(|\bUUID\(\)|\.shuffled\(\)|randomElement\(\)"#),
    ("the network", #"URLSession|HTTPClient\(|socket\("#),
    ("the environment", #"ProcessInfo\.processInfo|\bgetenv\("#),
    ("files", #"FileManager\.|\bfopen\(|FileHandle"#),
    ("the terminal", #"\bprint\(|\bfputs\(|\breadLine\(\)\s*\?\?|isatty\("#),
  ]

  @Test(arguments: forbiddenOutsideLiveWorld.map(\.name))
  func nothingButLiveWorldTouches(effect: String) throws {
    let pattern = try #require(Self.forbiddenOutsideLiveWorld.first { $0.name == effect }?.pattern)
    let regex = try Regex(pattern)
    for file in Self.swiftFiles(in: Self.sources) where !file.path.contains("/LiveWorld/") {
      // The code of somebody's app, which is shown and never compiled here.
      if file.path.contains("/Lessons/AppCode/") { continue }
      for (number, line) in Self.code(try String(contentsOf: file, encoding: .utf8)).enumerated()
      where line.contains(regex) {
        Issue.record("\(file.lastPathComponent):\(number + 1) touches \(effect): \(line)")
      }
    }
  }

  @Test func theForbiddenCallsWouldBeSeen() throws {
    for (sample, effect) in [("let x = Date()", "the clock"), ("UUID()", "randomness"), ("print(1)", "the terminal")] {
      let pattern = try #require(Self.forbiddenOutsideLiveWorld.first { $0.name == effect }?.pattern)
      #expect(sample.contains(try Regex(pattern)))
    }
  }

  static let rooms: [String] = {
    let entries = try? FileManager.default.contentsOfDirectory(atPath: sources.path)
    return (entries ?? []).filter { !$0.hasPrefix("C") && $0 != "authflow" && !$0.hasPrefix(".") }.sorted()
  }()

  @Test(arguments: rooms)
  func everyRoomSaysWhatItIs(room: String) throws {
    let page = Self.sources.appending(path: "\(room)/\(room).docc/\(room).md")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.hasPrefix("# ``\(room)``"))
    #expect(text.split(separator: "\n").count >= 3, "a few lines: what it is, what it may not know")
  }

  @Test(arguments: rooms)
  func noModuleHasTheNameOfAType(room: String) throws {
    let declaration = try Regex("\\b(struct|class|enum|actor|protocol|typealias) \(room)\\b")
    for file in Self.swiftFiles(in: Self.sources) {
      #expect(!(try String(contentsOf: file, encoding: .utf8)).contains(declaration), "\(file.path)")
    }
  }

  @Test func clientAndEmulatorNeverSeeEachOther() throws {
    for (room, other) in [
      ("PublicClient", "IdentityEmulator"), ("IdentityEmulator", "PublicClient"),
      ("WorkflowRunner", "IdentityEmulator"),
    ] {
      for file in Self.swiftFiles(in: Self.sources.appending(path: room)) {
        #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("import \(other)"), "\(file.path)")
      }
    }
  }

  /// Files above 400 lines, each with its reason.
  static let longFiles = ["ShippedWorkflow+Table.swift": "a table that is generated"]

  @Test func filesCanBeReadAtOneSitting() throws {
    for file in Self.swiftFiles(in: Self.sources) {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        .count
      #expect(
        lines <= 400 || Self.longFiles[file.lastPathComponent] != nil, "\(file.lastPathComponent) has \(lines) lines")
    }
  }

  @Test func crashDoorsGiveTheirReason() throws {
    let regex = try Regex(
      #"\btry!|\bas! |\bfatalError\(|\.unsafelyUnwrapped|@unchecked Sendable|nonisolated\(unsafe\)"#)
    for file in Self.swiftFiles(in: Self.sources) {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated()
      where line.contains(regex) && !line.drop(while: { $0 == " " }).hasPrefix("//") {
        let reasoned = line.contains("//") || (number > 0 && lines[number - 1].contains("//"))
        #expect(reasoned, "\(file.lastPathComponent):\(number + 1): \(line)")
      }
    }
  }

  @Test func readmeHasItsTwoCommands() throws {
    let readme = try String(contentsOf: Corpus.projectDirectory.appending(path: "README.md"), encoding: .utf8)
    let blocks = readme.components(separatedBy: "```sh\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count >= 2)
    #expect(blocks[0].contains("authflow run Workflows/me.yaml"))
    #expect(blocks[0].contains("--explicit-target-dependency-import-check error"))
    #expect(blocks[1].contains("swift test"))
    #expect(blocks[1].contains("--explicit-target-dependency-import-check error"))
  }
}

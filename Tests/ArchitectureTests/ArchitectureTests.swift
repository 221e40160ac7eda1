import Foundation
import TestSupport
import Testing

/// Tests the rules on the contributor pages that the compiler does not check.
@Suite struct ArchitectureTests {
  static let sources = ProjectFiles.directory.appending(path: "Sources")

  static func swiftFiles(in folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? []).filter { file in
      // `Data` contains app code, which is documentation and not compiled with the module.
      file.pathExtension == "swift" && !file.path.contains("/Data/")
    }.sorted { $0.path < $1.path }
  }

  /// Returns the lines of a file without their comments.
  static func code(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    }
  }

  static let effects: [(name: String, pattern: String)] = [
    ("the clock", #"\bDate\(\)|Date\.now|ContinuousClock\(|SuspendingClock\(|\btime\(nil\)|clock_gettime"#),
    ("sleeping", #"Task\.sleep|\busleep\(|Thread\.sleep"#),
    ("randomness", #"SystemRandomNumberGenerator|\.random\(|\bUUID\(\)|\.shuffled\(\)|randomElement\(\)"#),
    ("the network", #"URLSession|HTTPClient\(|socket\("#),
    ("the environment", #"ProcessInfo\.processInfo|\bgetenv\("#),
    ("files", #"FileManager\.|\bfopen\(|FileHandle"#),
    ("the terminal", #"\bprint\(|\bfputs\(|\breadLine\(\)\s*\?\?|isatty\("#),
  ]

  /// Returns the side effect that a line of code uses, or nil.
  static func forbiddenEffect(in line: Substring) throws -> String? {
    for (name, pattern) in effects where line.contains(try Regex(pattern)) { return name }
    return nil
  }

  /// Searches each file for all effects in one pass, because searching per line and effect takes 12 seconds.
  @Test("only SystemWorld and LiveWorld have side effects")
  func onlyEnvironmentModulesHaveSideEffects() throws {
    let any = try NSRegularExpression(
      pattern: Self.effects.map { "(?:\($0.pattern))" }.joined(separator: "|"))
    for file in Self.swiftFiles(in: Self.sources)
    where !["/SystemWorld/", "/LiveWorld/"].contains(where: file.path.contains) {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard any.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil else { continue }
      for (number, line) in Self.code(text).enumerated() {
        guard let effect = try Self.forbiddenEffect(in: line) else { continue }
        Issue.record("\(file.lastPathComponent):\(number + 1) uses \(effect): \(line)")
      }
    }
  }

  @Test("the search detects side effects")
  func searchFindsSideEffects() throws {
    for (sample, effect) in [("let x = Date()", "the clock"), ("UUID()", "randomness"), ("print(1)", "the terminal")] {
      #expect(try Self.forbiddenEffect(in: sample[...]) == effect)
    }
  }

  // MARK: Modules

  static let manifest = try? Manifest()
  static let modules = (manifest?.modules ?? []).filter { $0 != "authflow" }

  @Test("every folder in Sources is a module that depends only on the same layer or lower layers")
  func modulesAreInLayers() throws {
    let manifest = try Manifest()
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    #expect(Set(folders.filter { !$0.hasPrefix(".") && !$0.hasPrefix("CLib") }) == Set(manifest.modules))
    var lower: Set<String> = ["CLibXML2", "CLibYAML"]
    for group in manifest.groups {
      lower.formUnion(group.modules)
      for module in group.modules {
        let higher = (manifest.dependencies[module] ?? []).subtracting(lower)
        #expect(higher.isEmpty, "\(module) depends on \(higher.sorted())")
      }
    }
    #expect(manifest.groups.count == 7)
  }

  @Test("clients and emulators are independent, and the runner does not depend on the emulators")
  func clientsAndEmulatorsAreIndependent() throws {
    let manifest = try Manifest()
    let emulators: Set = ["IdentityEmulator", "GraphEmulator"]
    for module in ["PublicClient", "MicrosoftGraph", "WorkflowRunner"] {
      #expect(manifest.reachable(from: module).isDisjoint(with: emulators), "\(module)")
    }
    for module in emulators {
      #expect(manifest.reachable(from: module).isDisjoint(with: ["PublicClient", "WorkflowRunner"]), "\(module)")
    }
    #expect(manifest.reachable(from: "Scenarios").isSuperset(of: ["IdentityEmulator", "PublicClient"]))
  }

  @Test("the contributor pages list the modules in Package.swift")
  func pagesListTheModules() throws {
    let manifest = try Manifest()
    func text(_ path: String) throws -> String {
      try String(contentsOf: ProjectFiles.directory.appending(path: path), encoding: .utf8)
    }
    let page = try text("Documentation/Contributing.docc/Architecture.md")
    for group in manifest.groups {
      let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(group.name)` |") }, "\(group.name)")
      let named = row.matches(of: /`(\w+)`/).map { String($0.1) }.dropFirst()
      #expect(named.sorted() == group.modules.sorted(), "\(group.name)")
    }
    let index = try text("Documentation/Contributing.docc/Contributing.md").matches(of: /- ``(\w+)``/).map {
      String($0.1)
    }
    #expect(index.sorted() == Self.modules.filter { $0 != "AuthflowTesting" }.sorted())
    let rows = try text("CONTRIBUTING.md").split(separator: "\n").filter {
      $0.hasPrefix("| `") && !$0.contains("swift ")
    }
    let named = rows.flatMap { $0.dropFirst(2).prefix { $0 != "|" }.matches(of: /`([A-Z]\w+)`/) }.map { String($0.1) }
    #expect(named.count > 10)
    #expect(Set(named).isSubset(of: manifest.modules))
  }

  @Test("the module diagram is up to date: UPDATE_GOLDEN=1 swift test --filter ArchitectureTests")
  func imageIsUpToDate() throws {
    let (path, picture) = ("Documentation/Contributing.docc/Resources/modules.svg", try Manifest().picture)
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(picture, to: path) }
    #expect(try ProjectFiles.bytes(of: path) == Array(picture.utf8))
  }

  @Test("every module has a documentation page", arguments: modules)
  func everyModuleHasAPage(module: String) throws {
    let page = Self.sources.appending(path: "\(module)/\(module).docc/\(module).md")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.hasPrefix("# ``\(module)``"))
    #expect(
      text.split(separator: "\n").count >= 3, "the page must describe the purpose and the boundaries of the module")
  }

  /// The names of all types. Searching with a regular expression for each module would take 35 seconds.
  static let typeNames: Set<String> = {
    var names: Set<String> = []
    for file in swiftFiles(in: sources) {
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      for keyword in ["struct ", "class ", "enum ", "actor ", "protocol ", "typealias "] {
        for range in text.ranges(of: keyword) {
          names.insert(String(text[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
        }
      }
    }
    return names
  }()

  @Test("modules and types have different names")
  func modulesAndTypesHaveDifferentNames() {
    #expect(Self.typeNames.count > 1000)
    #expect(Self.typeNames.contains("WorkflowMachine"))
    #expect(Self.typeNames.isDisjoint(with: Self.modules))
  }

  // MARK: Code

  @Test("files have at most 400 lines, and functions at most 60 lines")
  func filesAndFunctionsAreShort() throws {
    for file in Self.swiftFiles(in: Self.sources) {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 400, "\(file.lastPathComponent) has \(lines.count) lines")
      for (name, length) in Self.functions(lines) where length > 60 {
        Issue.record("\(file.lastPathComponent): \(name) has \(length) lines")
      }
    }
    let long = (["  func long() {"] + Array(repeating: "    step()", count: 60) + ["  }"]).map { $0[...] }
    #expect(Self.functions(long).map(\.lines) == [62])
  }

  /// Returns functions and initializers with their line counts. In `swift format` output, a closing brace has the same
  /// indentation as its declaration.
  private static func functions(_ lines: [Substring]) -> [(name: String, lines: Int)] {
    lines.indices.compactMap { start in
      let indentation = lines[start].prefix { $0 == " " }
      let words = lines[start].split(separator: " ").prefix { !$0.hasPrefix("//") }
      guard words.contains(where: { $0 == "func" || $0.hasPrefix("init(") || $0.hasPrefix("init<") }),
        !lines[start].hasSuffix("}")
      else { return nil }
      // A multiline signature ends with `) {`, at the same indentation as the closing brace.
      var rest = lines[(start + 1)...].drop { $0.hasPrefix("\(indentation) ") || $0.isEmpty }
      if let next = rest.first, next.hasPrefix("\(indentation))") {
        guard next.hasSuffix("{") || rest.dropFirst().first?.hasSuffix("{") == true else { return nil }
        rest = rest.dropFirst().drop { $0.hasPrefix("\(indentation) ") || $0.isEmpty || $0 == "\(indentation){" }
      }
      guard let end = rest.indices.first, rest.first?.hasPrefix("\(indentation)}") == true else { return nil }
      return (String(lines[start].drop { $0 == " " }.prefix(60)), end - start + 1)
    }
  }

  @Test("every unsafe construct has a comment that explains it")
  func unsafeConstructsHaveReasons() throws {
    let pattern = #"\btry!|\bas! |\bfatalError\(|\.unsafelyUnwrapped|@unchecked Sendable|nonisolated\(unsafe\)"#
    let regex = try Regex(pattern)
    let whole = try NSRegularExpression(pattern: pattern)
    for file in Self.swiftFiles(in: Self.sources) {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard whole.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated()
      where line.contains(regex) && !line.drop(while: { $0 == " " }).hasPrefix("//") {
        let hasReason = line.contains("//") || (number > 0 && lines[number - 1].contains("//"))
        #expect(hasReason, "\(file.lastPathComponent):\(number + 1): \(line)")
      }
    }
  }

  /// Whether a line of code has a `@testable` import.
  static func isTestable(_ line: Substring) -> Bool {
    let line = line.drop(while: \.isWhitespace)
    return line.hasPrefix("@") && line.contains("@testable import")
  }

  /// The gate builds the tests in release configuration (`swift test -c release`), where modules do not support
  /// `@testable`. Declarations that tests need have `package` access.
  @Test("no test file uses `@testable`")
  func testsUsePackageAccess() throws {
    let files = Self.swiftFiles(in: ProjectFiles.directory.appending(path: "Tests"))
    #expect(files.count > 100)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard text.contains("@testable") else { continue }
      for (number, line) in Self.code(text).enumerated() where Self.isTestable(line) {
        Issue.record("\(file.lastPathComponent):\(number + 1): give the declarations `package` access: \(line)")
      }
    }
    #expect(Self.isTestable("  @preconcurrency @testable import OAuth") && !Self.isTestable("import OAuth"))
  }

  @Test("the first two command blocks of the README run a workflow and the tests")
  func readmeHasTwoCommands() throws {
    let readme = try String(contentsOf: ProjectFiles.directory.appending(path: "README.md"), encoding: .utf8)
    let blocks = readme.components(separatedBy: "```sh\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count >= 2)
    #expect(blocks[0] == ".ci/setup\nswift run -c release authflow run Workflows/me.yaml\n")
    #expect(blocks[1] == ".ci/setup\nswift test -c release --disable-testable-imports\n")
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  // MARK: Dependencies

  /// Returns the packages in a manifest with their minimum versions, and the system libraries.
  static func dependencies(ofManifest text: String) throws -> [String: String] {
    var versions: [String: String] = [:]
    for match in text.matches(of: /\.package\(url: "[^"]*\/([^"\/]+?)(?:\.git)?", from: "([^"]+)"\)/) {
      versions[String(match.1)] = String(match.2)
    }
    for match in text.matches(of: /\.apt\(\["([^"]+)-dev"\]\)/) { versions[String(match.1)] = "the system's" }
    let declared = text.matches(of: /\.package\(|\.systemLibrary\(/).count
    try #require(versions.count == declared, "the test does not recognize the declaration of a dependency")
    return versions
  }

  /// Returns the rows of the table with the heading `dependency`. A row can list several packages and their versions.
  static func dependencies(ofPage text: String) -> [String: String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.drop { !$0.hasPrefix("| dependency |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    var versions: [String: String] = [:]
    for row in rows {
      let cells = row.split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces).components(separatedBy: ", ")
      }
      guard cells.count == 3, cells[0].count == cells[1].count else { continue }
      for (name, version) in zip(cells[0], cells[1]) { versions[name] = version }
    }
    return versions
  }

  @Test("SECURITY.md lists all dependencies")
  func securityPageListsDependencies() throws {
    func text(_ name: String) throws -> String {
      try String(contentsOf: ProjectFiles.directory.appending(path: name), encoding: .utf8)
    }
    let declared = try Self.dependencies(ofManifest: text("Package.swift"))
    let named = try Self.dependencies(ofPage: text("SECURITY.md"))
    #expect(declared.count > 10)
    #expect(named == declared)
    // The test detects changed versions and new libraries.
    let raised = try text("Package.swift").replacing(/from: "[0-9.]+"/, with: "from: \"99.0.0\"", maxReplacements: 1)
    #expect(try Self.dependencies(ofManifest: raised) != named)
    #expect(Self.dependencies(ofPage: try text("SECURITY.md").replacing("| libyaml |", with: "| other |")) != declared)
  }
}

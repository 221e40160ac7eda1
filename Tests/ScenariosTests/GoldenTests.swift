import Documents
import Effects
import Reports
import RunTrace
import Scenarios
import SimulatedWorld
import Testing

/// Tests golden traces: differences, full disks, concurrent writers, and files that are not golden traces.
@Suite struct GoldenTests {
  static let entries = Array(SuiteRunnerTests.entries().prefix(4))

  static func world(_ files: MemoryFileSystem) -> World {
    Simulation(seed: "machine", files: files, environment: [:], workingDirectory: "/app").world
  }

  static func shippedFiles() -> MemoryFileSystem {
    MemoryFileSystem(ShippedScenariosTests.files, workingDirectory: "/app")
  }

  static func run(_ folder: GoldenFolder, in world: World) async throws -> [TestResult] {
    try folder.prepare()
    var runner = SuiteRunner(world: world, tool: "test")
    runner.comparators = [folder.compare]
    return await runner.run(entries).tests
  }

  static func goldens(_ files: MemoryFileSystem) -> [String: String] {
    let names = ((try? files.list("/app/Golden")) ?? [])
    return names.reduce(into: [:]) { $0[$1] = files.text("/app/Golden/\($1)") }
  }

  /// The report lists the scenario whose golden trace could not be written.
  @Test func failedScenariosDoNotWriteGoldens() async throws {
    let fixture = try OutcomeStrategiesTests.Fixture(
      "settings: Settings.yaml\nsteps: [{wait: 1d}]\nscenarios:\n  good:\n  bad: {expect: {path: []}}\n")
    let entries = fixture.loaded.cases().cases.enumerated().map { SuiteEntry(number: $0, test: $1) }
    let folder = GoldenFolder("Golden", world: fixture.world, updates: true)
    try folder.prepare()
    var runner = SuiteRunner(world: fixture.world, tool: "test")
    runner.comparators = [folder.compare]
    _ = await runner.run(entries)
    #expect(folder.counts.written == 1)
    #expect(folder.withheld == ["w.yaml: bad"])
    #expect(try fixture.world.files.list("Golden").count == 1)
  }

  @Test func reportsAFullDiskAndLeavesGoldensIntact() async throws {
    let files = Self.shippedFiles()
    let world = Self.world(files)
    _ = try await Self.run(GoldenFolder("Golden", world: world, updates: true), in: world)
    let original = Self.goldens(files)
    #expect(original.count == Self.entries.count)
    // The golden traces have changed and must be rewritten, but the disk has space for only about one more file.
    let changed = original.mapValues { $0.split(separator: "\n").dropLast().joined(separator: "\n") + "\n" }
    for (name, text) in changed { try files.replace("/app/Golden/\(name)", with: Array(text.utf8), privately: false) }
    let used =
      ShippedScenariosTests.files.values.reduce(0) { $0 + $1.count } + changed.values.reduce(0) { $0 + $1.utf8.count }
    files.setCapacity(used + 300)
    let folder = GoldenFolder("Golden", world: world, updates: true)
    let tests = try await Self.run(folder, in: world)
    #expect(tests.allSatisfy { $0.verdict == .passed })
    #expect(folder.counts.written < Self.entries.count)
    guard case .noSpace(let path)? = folder.failure else {
      Issue.record("the full disk was not reported: \(folder.failure as Any)")
      return
    }
    #expect(path.hasPrefix("Golden/"))
    for (name, text) in Self.goldens(files) { #expect(text == original[name] || text == changed[name], "\(name)") }
  }

  @Test func concurrentWritersProduceValidGoldens() async throws {
    let files = Self.shippedFiles()
    let world = Self.world(files)
    async let one = Self.run(GoldenFolder("Golden", world: world, updates: true), in: world)
    async let other = Self.run(GoldenFolder("Golden", world: world, updates: true), in: world)
    _ = try await (one, other)
    let compared = try await Self.run(GoldenFolder("Golden", world: world, updates: false), in: world)
    #expect(compared.allSatisfy { $0.verdict == .passed })
    #expect(Self.goldens(files).count == Self.entries.count)
  }

  @Test func reportsTheEventThatDiffersAndItsChanges() async throws {
    let files = Self.shippedFiles()
    let world = Self.world(files)
    _ = try await Self.run(GoldenFolder("Golden", world: world, updates: true), in: world)
    let (name, text) = try #require(Self.goldens(files).sorted { $0.key < $1.key }.first)
    var lines = text.split(separator: "\n").map(String.init)
    let step = try #require(lines.firstIndex { $0.contains(#""kind":"step.finished""#) })
    var event = try JSON(parsing: Array(lines[step].utf8))
    event["outcome"] = "somethingElse"
    lines[step] = event.text()
    try files.replace("/app/Golden/\(name)", with: Array((lines.joined(separator: "\n") + "\n").utf8), privately: false)
    let tests = try await Self.run(GoldenFolder("Golden", world: world, updates: false), in: world)
    let problems = tests.compactMap(\.failure).flatMap(\.problems)
    #expect(problems.count == 1)
    let problem = try #require(problems.first)
    #expect(problem.rule == "golden")
    #expect(problem.file == "Golden/\(name)")
    #expect(problem.message.contains("at event \(step)"))
    #expect(problem.excerpt.contains(#"outcome: was "somethingElse", is "#))
  }

  @Test(arguments: [("notes\n", "the file is not a golden"), (#"{"authflow":"golden","format":9}"# + "\n", "format 9")])
  func reportsInvalidGoldensAndKeepsUnrelatedFiles(text: String, message: String) async throws {
    let files = Self.shippedFiles()
    let world = Self.world(files)
    _ = try await Self.run(GoldenFolder("Golden", world: world, updates: true), in: world)
    let name = try #require(Self.goldens(files).keys.sorted().first)
    try files.replace("/app/Golden/\(name)", with: Array(text.utf8), privately: false)
    let tests = try await Self.run(GoldenFolder("Golden", world: world, updates: false), in: world)
    #expect(tests.compactMap(\.failure).flatMap(\.problems).contains { $0.message.contains(message) })
    let folder = GoldenFolder("Golden", world: world, updates: true)
    _ = try await Self.run(folder, in: world)
    let isForeign = !text.hasPrefix("{")
    #expect((files.text("/app/Golden/\(name)") == text) == isForeign)
    #expect((folder.failure != nil) == isForeign)
  }
}

import Diagnostics
import Documents
import Effects
import Foundation
import RunTrace
import Scenarios
import SimulatedWorld
import TestSupport
import Testing
import WorkflowModel
import WorkflowRunner

/// Every scenario of every workflow that is shipped.
@Suite struct ShippedScenariosTests {
  /// The shipped files by the paths that workflows name them with, the folder itself being the working directory.
  static let files: [String: [UInt8]] = {
    var files: [String: [UInt8]] = [:]
    for name in (try? ProjectFiles.files(in: "Workflows")) ?? [] {
      files["Workflows/\(name)"] = try? ProjectFiles.bytes(of: "Workflows/\(name)")
    }
    return files
  }()

  static let workflows: [LoadedWorkflow] = files.keys.sorted().compactMap { name in
    guard [".yaml", ".json", ".plist"].contains(where: { name.hasSuffix($0) }), isWorkflow(name) else { return nil }
    let (loaded, diagnostics) = LoadedWorkflow.read(name) { path, options in
      DocumentReader.read(files[path] ?? [], named: path, options: options)
    }
    for diagnostic in diagnostics where diagnostic.severity == .error { Issue.record("\(name): \(diagnostic)") }
    return loaded
  }

  private static func isWorkflow(_ name: String) -> Bool {
    DocumentReader.read(files[name] ?? [], named: name).document.map {
      WorkflowDecoder.isWorkflow($0) && !WorkflowDecoder.isScenariosFile($0)
    } ?? false
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var test: ScenarioCase
    var testDescription: String { "\(test.file.dropFirst("Workflows/".count)): \(test.name)" }
  }

  static let cases = workflows.flatMap { $0.cases().cases }.map { Case(test: $0) }

  /// What the machine gives: the files, and nothing else. Whatever a scenario sends goes to its own platform.
  static var world: World {
    Simulation(
      seed: "machine", files: MemoryFileSystem(files, workingDirectory: "/app"), environment: [:],
      workingDirectory: "/app"
    ).world
  }

  @Test(arguments: cases) func aScenarioHolds(_ one: Case) async throws {
    let report = try #require(await ShippedRuns.shared.of(one.test))
    let broken = report.judgements.filter { !$0.holds }.map(\.words) + report.troubles.map(\.message)
    #expect(report.verdict == .passed, "\(report.result?.path ?? []) \(broken)")
  }

  /// A scenario that says nothing of the way could pass for any reason.
  @Test(arguments: cases) func aScenarioSaysWhichWayItGoes(_ one: Case) {
    let path = one.test.scenario.body.expect?.path
    #expect(path.map { !$0.matches(["nothing.happened"]) } == true)
  }

  @Test(arguments: workflows.map(\.workflow.document.source.name)) func everyWorkflowHasScenarios(file: String) throws {
    let loaded = try #require(Self.workflows.first { $0.workflow.document.source.name == file })
    let (cases, diagnostics) = loaded.cases()
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    #expect(cases.count >= 2)
    #expect(Set(cases.map(\.name)).count == cases.count, "two scenarios of one name")
  }

  @Test func noneIsMissing() {
    #expect(Self.workflows.count >= 80)
    #expect(Self.cases.count >= 928)
  }

  /// Whatever comes of a scenario, no token stands in what is told of it.
  @Test(arguments: cases.filter { !$0.test.file.contains("/conformance/") })
  func nothingSecretIsTold(_ one: Case) async throws {
    let told = try #require(await ShippedRuns.shared.told(of: one.test))
    #expect(!told.isEmpty)
    for word in ["eyJ0eXAi", "eyJhbGci"] {
      #expect(strstr(told, word) == nil, "\(word) is told")
    }
  }
}

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

/// Runs all scenarios in all shipped workflows.
@Suite struct ShippedScenariosTests {
  /// The shipped files by path. The working directory is their folder.
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

  /// An environment that contains only the shipped files. Each scenario sends its requests to its own emulator.
  static var world: World {
    Simulation(
      seed: "machine", files: MemoryFileSystem(files, workingDirectory: "/app"), environment: [:],
      workingDirectory: "/app"
    ).world
  }

  @Test(arguments: cases) func everyScenarioPasses(_ item: Case) async throws {
    let report = try #require(await ShippedRuns.shared.report(of: item.test))
    let failures = report.expectationResults.filter { !$0.holds }.map(\.message) + report.problems.map(\.message)
    #expect(report.verdict == .passed, "\(report.result?.path ?? []) \(failures)")
  }

  @Test(arguments: cases) func everyScenarioExpectsAPath(_ item: Case) {
    let path = item.test.scenario.body.expect?.path
    #expect(path.map { !$0.matches(["unknown.unknown"]) } == true)
  }

  @Test(arguments: workflows.map(\.workflow.document.source.name)) func everyWorkflowHasScenarios(file: String) throws {
    let loaded = try #require(Self.workflows.first { $0.workflow.document.source.name == file })
    let (cases, diagnostics) = loaded.cases()
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    #expect(cases.count >= 2)
    #expect(Set(cases.map(\.name)).count == cases.count, "duplicate scenario names")
  }

  @Test func includesAllWorkflowsAndScenarios() {
    #expect(Self.workflows.count >= 80)
    #expect(Self.cases.count >= 928)
  }

  @Test(arguments: cases.filter { !$0.test.file.contains("/conformance/") })
  func tracesDoNotContainTokens(_ item: Case) async throws {
    let trace = try #require(await ShippedRuns.shared.trace(of: item.test))
    #expect(!trace.isEmpty)
    for word in ["eyJ0eXAi", "eyJhbGci"] {
      #expect(strstr(trace, word) == nil, "the trace contains \(word)")
    }
  }
}

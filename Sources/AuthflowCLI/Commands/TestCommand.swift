import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import RunTrace
import Scenarios
import WorkflowModel
import WorkflowRunner

struct TestCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Runs every scenario of the workflows, each in a world of its own.",
    discussion: """
      Example: authflow test Workflows
      """)

  @Argument(help: "Workflows.") var paths: [String]
  @Option(help: "Only scenarios whose name holds this.") var filter: String?

  func perform(in session: Session) async throws(ExitStatus) {
    var failed = 0
    var passed = 0
    for path in paths {
      let input = try WorkflowInput.load(path, definitions: .none, in: session)
      let (cases, diagnostics) = input.cases()
      session.show(diagnostics)
      if diagnostics.hasErrors { throw .unusable }
      for test in cases where filter.map({ test.name.contains($0) }) ?? true {
        let report = await test.run(in: session.world, tool: "authflow \(Version.text)")
        if report.verdict == .passed {
          passed += 1
        } else {
          failed += 1
          session.say("\(report.verdict.rawValue): \(path): \(test.name)")
          session.say("  path [\(report.result?.path.joined(separator: ", ") ?? "")] \(report.result?.outcome ?? "")")
          for judgement in report.judgements where !judgement.holds { session.say("  \(judgement.words)") }
          session.show(report.troubles.map(\.diagnostic), on: .output)
          if let why = report.ending?.explanation { session.say("  \(why)") }
        }
      }
    }
    session.say("\(passed) passed, \(failed) failed")
    if failed > 0 { throw .failed }
  }
}

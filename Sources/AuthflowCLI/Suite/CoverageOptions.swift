import ArgumentParser
import Diagnostics
import Reports
import WorkflowModel

/// The coverage options of `test` and `merge`. `test` measures coverage, and `merge` combines the coverage of shards.
struct CoverageOptions: ParsableArguments {
  @Flag(help: "Measure the coverage of steps, outcomes, and transitions")
  var coverage = false
  @Option(help: ArgumentHelp("Fail if a workflow's coverage is below this percentage", valueName: "percent"))
  var coverageMin: Int?
  @Option(
    help: ArgumentHelp(
      "Draw the coverage of one workflow as .svg, .mmd, .dot, or .txt", valueName: "file"), completion: .file())
  var coverageGraph: String?

  var isEnabled: Bool { coverage || coverageMin != nil || coverageGraph != nil }

  /// The error in the options, if any.
  var problem: String? {
    if let coverageMin, !(0...100).contains(coverageMin) { return "`--coverage-min` must be between 0 and 100" }
    if let coverageGraph, Self.renderer(for: coverageGraph) == nil {
      return "unknown extension in `--coverage-graph \(CaretFrame.visible(coverageGraph))`"
        + "\n  help: use .svg, .mmd, .dot, or .txt"
    }
    return nil
  }

  /// Returns an error message if the command cannot draw the coverage of these workflows, or nil if it can.
  func problem(drawing files: [String]) -> String? {
    guard coverageGraph != nil, files.count != 1 else { return nil }
    return "`--coverage-graph` requires a single workflow, but there are \(files.count)"
      + "\n  help: pass one workflow, or use `authflow graph FILE --coverage RESULT` with the file from `--json`"
  }

  private static func renderer(for path: String) -> ((MachineDiagram) -> String)? {
    switch path.split(separator: ".", omittingEmptySubsequences: false).last {
    case "svg": DiagramSVG.render
    case "mmd": DiagramMermaid.render
    case "dot": DiagramDOT.render
    case "txt": DiagramText.render
    default: nil
    }
  }

  /// Writes the graph for `--coverage-graph`.
  func draw(_ records: [CoverageRecord], in session: Session) throws(ExitStatus) {
    guard let coverageGraph, let render = Self.renderer(for: coverageGraph), let record = records.first else { return }
    let (workflow, diagnostics) = WorkflowDecoder.read(session.readDocument(at: record.file)) {
      session.readDocument(at: $0)
    }
    guard let workflow else {
      session.show(diagnostics)
      throw .usageError
    }
    try session.write(render(MachineDiagram(workflow).marked(by: record)), to: coverageGraph)
  }

  /// Returns an error message for each workflow whose coverage is lower than `--coverage-min`.
  func errors(_ records: [CoverageRecord]) -> [String] {
    guard let coverageMin else { return [] }
    return records.filter { $0.all.percent < coverageMin }.map {
      "\(CaretFrame.visible($0.file)): coverage of \($0.all.percent)% is below \(coverageMin)%"
    }
  }
}

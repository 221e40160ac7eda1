import ArgumentParser
import Diagnostics
import Reports
import WorkflowModel

/// What is asked for of a suite's coverage: `test` counts it, `merge` adds up what the shards counted.
struct CoverageOptions: ParsableArguments {
  @Flag(help: "Tell which steps, outcomes and transitions of each workflow were covered; --json holds it too.")
  var coverage = false
  @Option(help: ArgumentHelp("End with 1 where less of a workflow was covered.", valueName: "percent"))
  var coverageMin: Int?
  @Option(
    help: ArgumentHelp(
      "Draw what was covered of the one workflow, as the name's end says: .svg, .mmd, .dot or .txt.",
      valueName: "file"), completion: .file())
  var coverageGraph: String?

  var isWanted: Bool { coverage || coverageMin != nil || coverageGraph != nil }

  /// What is wrong with them, if anything.
  var mistake: String? {
    if let coverageMin, !(0...100).contains(coverageMin) {
      return "--coverage-min \(coverageMin) is no percentage: give 0 to 100"
    }
    if let coverageGraph, Self.form(of: coverageGraph) == nil {
      return "--coverage-graph \(CaretFrame.visible(coverageGraph)) ends in none of .svg, .mmd, .dot and .txt"
    }
    return nil
  }

  /// What is wrong with drawing these workflows.
  func mistake(drawing files: [String]) -> String? {
    guard coverageGraph != nil, files.count != 1 else { return nil }
    return "--coverage-graph draws one workflow; these are \(files.count)\n  help: "
      + "name one, or draw each with authflow graph FILE --coverage RESULT, where RESULT is what --json wrote"
  }

  private static func form(of path: String) -> ((MachineDiagram) -> String)? {
    switch path.split(separator: ".", omittingEmptySubsequences: false).last {
    case "svg": DiagramSVG.render
    case "mmd": DiagramMermaid.render
    case "dot": DiagramDOT.render
    case "txt": DiagramText.render
    default: nil
    }
  }

  /// Writes the drawing.
  func draw(_ records: [CoverageRecord], in session: Session) throws(ExitStatus) {
    guard let coverageGraph, let render = Self.form(of: coverageGraph), let record = records.first else { return }
    let (workflow, diagnostics) = WorkflowDecoder.read(session.reading(of: record.file)) { session.reading(of: $0) }
    guard let workflow else {
      session.show(diagnostics)
      throw .usageError
    }
    try session.write(render(MachineDiagram(workflow).marked(by: record)), to: coverageGraph)
  }

  /// The workflows of which too little was covered, in words.
  func shortcomings(_ records: [CoverageRecord]) -> [String] {
    guard let coverageMin else { return [] }
    return records.filter { $0.all.percent < coverageMin }.map {
      "\(CaretFrame.visible($0.file)): \($0.all.percent)% is covered, less than \(coverageMin)%"
    }
  }
}

import ArgumentParser
import Diagnostics
import Effects
import Reports
import Scenarios
import Trust
import WorkflowModel

struct MergeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge the results of test shards",
    discussion: """
      Create the result of each shard with `authflow test --shard I/N --json FILE`. The exit code is the same as for \
      `authflow test` without shards: 1 if a scenario failed, and 2 if a shard is missing or the results do not belong \
      to the same run.

      Examples:
        authflow merge shard-1.json shard-2.json
        authflow merge shard-1.json shard-2.json --junit report.xml
        authflow merge shard-1.json shard-2.json --report suite.html --trace Traces
      """)

  @Argument(help: "JSON result of each shard", completion: .file()) var files: [String]
  @Option(help: ArgumentHelp("Write the result as JUnit XML", valueName: "file"), completion: .file())
  var junit: String?
  @Option(
    help: ArgumentHelp("Write the result as TAP 14: `--tap[=file]`", valueName: "file"), completion: .file())
  var tap: String?
  @Option(help: ArgumentHelp("Write the result as JSON", valueName: "file"), completion: .file()) var json: String?
  @Option(help: ArgumentHelp("Write the result as an HTML page", valueName: "file"), completion: .file())
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Include the traces in this folder in the HTML page (repeatable)",
      discussion: "Pass the folder that each shard wrote with `authflow test --trace FOLDER`.", valueName: "folder"),
    completion: .directory)
  var trace: [String] = []
  @OptionGroup var coverage: CoverageOptions
  @Option(help: "Select the output format") var format: OutputFormat = .text
  @Flag(help: "Print failures only") var quiet = false
  @Flag(name: .shortAndLong, help: "Also list passed scenarios") var verbose = false

  func perform(in session: Session) async throws(ExitStatus) {
    if !trace.isEmpty, report == nil { throw session.report(.usageError, "`--trace` requires `--report`") }
    if let problem = coverage.problem ?? SuiteOutput.problem(format: format, tap: tap) {
      throw session.report(.usageError, problem)
    }
    var shards: [(file: String, suite: SuiteResult)] = []
    var hasErrors = false
    for file in files {
      switch session.bytes(of: file) {
      case .failure(let file):
        session.show([file.diagnostic])
        hasErrors = true
      case .success(let bytes):
        do throws(SuiteJSON.ReadError) {
          shards.append((file, try SuiteJSON.read(bytes)))
        } catch {
          session.reportError("\(CaretFrame.visible(file)) \(CaretFrame.visible(error.message))")
          hasErrors = true
        }
      }
    }
    if hasErrors { throw .usageError }
    let suite: SuiteResult
    do throws(SuiteMerge.MergeError) {
      suite = try SuiteMerge.joined(shards)
    } catch {
      throw session.report(
        .usageError, CaretFrame.visible(error.message),
        help: "pass one result for each shard, all from the same run")
    }
    if let problem = coverageProblem(of: suite) {
      throw session.report(.usageError, problem)
    }
    try SuiteOutput(
      session: session, format: format, isQuiet: quiet, isVerbose: verbose, junit: junit, tap: tap, json: json,
      report: report, traces: traces(of: suite, in: session), coverage: coverage
    ).report(suite)
  }

  private func traces(of suite: SuiteResult, in session: Session) throws(ExitStatus) -> SuiteTraces {
    let traces = SuiteTraces()
    for folder in trace {
      guard session.world.files.kind(of: folder) == .directory else {
        throw session.report(.usageError, "\(CaretFrame.visible(folder)) is not a folder")
      }
      do throws(FileFailure) {
        try traces.add(suite.tests, from: TraceFolder(folder, world: session.world))
      } catch {
        throw session.report(.usageError, error.explanation)
      }
    }
    return traces
  }

  private func coverageProblem(of suite: SuiteResult) -> String? {
    guard coverage.isEnabled else { return nil }
    guard let records = suite.coverage else {
      return "the results contain no coverage\n  help: run each shard with `authflow test --coverage --json FILE`"
    }
    return coverage.problem(drawing: records.map(\.file))
  }
}

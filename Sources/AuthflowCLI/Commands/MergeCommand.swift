import ArgumentParser
import Diagnostics
import Effects
import Reports
import WorkflowModel

struct MergeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Joins the results of a suite's shards into one report.",
    discussion: """
      Each shard writes its result with authflow test --shard I/N --json FILE. Ends as authflow test would have: with 1 \
      where a scenario failed, with 2 where a shard is missing or the files do not belong together.

      Example: authflow merge shard-1.json shard-2.json shard-3.json --junit report.xml
      """)

  @Argument(help: "The results of all shards.", completion: .file()) var files: [String]
  @Option(help: ArgumentHelp("Also write the result as JUnit XML.", valueName: "file"), completion: .file()) var junit:
    String?
  @Option(
    help: ArgumentHelp("Also write it in TAP 14; without a file to standard output: --tap[=file].", valueName: "file"),
    completion: .file())
  var tap: String?
  @Option(help: ArgumentHelp("Also write it in JSON.", valueName: "file"), completion: .file()) var json: String?
  @Option(
    help: ArgumentHelp("Also write it as one HTML page, to be opened from the file.", valueName: "file"),
    completion: .file())
  var report: String?
  @OptionGroup var coverage: CoverageOptions
  @Option(help: "text, or json for the whole result.") var format: OutputFormat = .text
  @Flag(help: "Only failures: no summary where there are none, and no table of coverage.") var quiet = false
  @Flag(name: .shortAndLong, help: "Also name each scenario that passed.") var verbose = false

  func perform(in session: Session) async throws(ExitStatus) {
    if let mistake = coverage.mistake ?? SuiteOutput.mistake(format: format, tap: tap) {
      session.printStatus("error: \(mistake)")
      throw .usageError
    }
    var parts: [(file: String, suite: SuiteResult)] = []
    var isBroken = false
    for file in files {
      switch session.bytes(of: file) {
      case .failure(let unreadable):
        session.show([unreadable.diagnostic])
        isBroken = true
      case .success(let bytes):
        do throws(SuiteJSON.ReadError) {
          parts.append((file, try SuiteJSON.read(bytes)))
        } catch {
          session.printStatus("error: \(CaretFrame.visible(file)) \(CaretFrame.visible(error.words))")
          isBroken = true
        }
      }
    }
    if isBroken { throw .usageError }
    let whole: SuiteResult
    do throws(SuiteMerge.MergeError) {
      whole = try SuiteMerge.joined(parts)
    } catch {
      session.printStatus(
        "error: \(CaretFrame.visible(error.words))\n  help: name the result of each shard once, all of one run")
      throw .usageError
    }
    if let mistake = mistake(about: whole) {
      session.printStatus("error: \(mistake)")
      throw .usageError
    }
    try SuiteOutput(
      session: session, format: format, isQuiet: quiet, isVerbose: verbose, junit: junit, tap: tap, json: json,
      report: report, coverage: coverage
    ).tell(whole)
  }

  private func mistake(about whole: SuiteResult) -> String? {
    guard coverage.isWanted else { return nil }
    guard let records = whole.coverage else {
      return "these results say nothing of coverage\n  help: run each shard with authflow test --coverage --json FILE"
    }
    return coverage.mistake(drawing: records.map(\.file))
  }
}

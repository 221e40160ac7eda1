import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import Reports
import Scenarios
import Trust
import WorkflowModel
import WorkflowRunner

struct ExploreCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore", abstract: "Explore all paths of a workflow and prove each with a scenario",
    discussion: """
      Follows every outcome of every step. Reports unreachable steps, endless loops, and outcomes that the workflow does \
      not handle. For each path, the command generates the shortest scenario that takes it, and runs this scenario on the \
      emulator.

      The exit code is 1 if a step is unreachable, a loop is endless, or a run takes a different path than expected. \
      With `--strict`, it is also 1 for unhandled outcomes.

      Examples:
        authflow explore Workflows/me.yaml
        authflow explore Workflows/me.yaml --no-proof --depth 2
      """)

  @Argument(help: "Workflow or scenarios file", completion: .file()) var file: String
  @Option(help: "Allow up to this many unsuccessful outcomes per path") var depth: Int = 1
  @Option(
    help: ArgumentHelp("Write missing scenarios to this file, or to standard output for `-`", valueName: "file"),
    completion: .file())
  var write: String?
  @Flag(help: "Write a scenario for each path, even if an existing scenario covers it") var all = false
  @Option(help: "Select the output format") var format: OutputFormat = .text
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Run this number of scenarios in parallel (default: processor count)", valueName: "n"))
  var jobs: Int?
  @Flag(help: "Show the paths without running scenarios") var noProof = false
  @Flag(help: "Treat unhandled outcomes as failures") var strict = false
  @OptionGroup var defined: DefineOptions
  @OptionGroup var envFiles: EnvFileOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var secrets: SecretOptions
  @OptionGroup var trust: TrustOptions

  func validate() throws {
    guard (1...8).contains(depth) else { throw ValidationError("`--depth` must be between 1 and 8") }
    guard (1...256).contains(jobs ?? 1) else { throw ValidationError("`--jobs` must be between 1 and 256") }
    if write == "-", format == .json {
      throw ValidationError("`--write -` and `--format json` cannot be used together")
    }
    if noProof, write != nil { throw ValidationError("`--write` and `--no-proof` cannot be used together") }
  }

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try await secrets.apply(to: variables.apply(to: envFiles.apply(to: trust.apply(to: session))))
    let definitions = try defined.definitions(in: session)
    let loaded = try WorkflowInput.load(file, definitions: definitions, scenarios: .all, in: session)
    let workflow = loaded.workflow
    let original = try writtenFile(for: workflow, in: session)
    let progress = ExplorationProgressReporter()
    let region = LiveRegion(in: session, lines: progress.lines)
    let exploration = await region.showingProgress { Exploration(workflow, depth: depth, onProgress: progress.update) }
    let tool = "authflow \(Version.text)"
    var result = ExplorationResult(
      exploration,
      paths: exploration.paths.map {
        .init(explored: $0, name: $0.entry, proof: .notTried, scenario: nil, transitions: [])
      })
    var explorer = Explorer(
      loaded, load: session.load(inputs: [file]), world: session.world,
      jobs: jobs ?? session.world.environment.processors, tool: tool)
    explorer.definitions = definitions
    let observer = ScenarioProgress.current
    explorer.onProgress = { event in
      progress.handle(event)
      if case .ran = event { observer?.finish("ran a scenario") }
    }
    if !noProof {
      progress.startProofs(exploration.paths.count)
      let explorer = explorer
      result.paths = await region.showingProgress { await explorer.prove(exploration) }
    }
    let isInterrupted = Task.isCancelled
    switch format {
    // If the scenarios go to standard output, the result goes to standard error.
    case .text where write == "-": session.printStatus(ExplorationText.render(result))
    case .text: session.printLine(ExplorationText.render(result))
    case .json: session.printLine(ExplorationJSON.json(result).text(), as: .json)
    }
    if isInterrupted {
      if let write { session.printStatus("interrupted: \(Self.name(of: write)) was not written") }
      throw .interrupted
    }
    if let write {
      // Without proofs, the workflow's own scenarios have not run yet.
      progress.startProofs(0)
      if !all { _ = await region.showingProgress { await explorer.ownTransitions() } }
      try await save(result, loaded, by: explorer, to: write, replacing: original, in: session)
    }
    if result.fails || (strict && !result.unhandled.isEmpty) { throw .failed }
  }

  /// Returns the current content of the file that `--write` specifies, or nil if it does not exist.
  /// - Throws: `.usageError` if the file is not a workflow, or if the workflow's scenarios are in another file.
  private func writtenFile(for workflow: Workflow, in session: Session) throws(ExitStatus) -> [UInt8]? {
    guard let write, write != "-" else { return nil }
    // Return the content that the exploration uses, because the file may have changed since then.
    if session.absolutePath(write) == session.absolutePath(workflow.scenarioFileName) {
      return workflow.scenarioSource?.source.bytes
    }
    if let file = workflow.scenarioFile {
      throw session.report(
        .usageError, "the scenarios are in \(CaretFrame.visible(file)), not in \(CaretFrame.visible(write))",
        help: "use `--write \(ShellWord.file(file))`")
    }
    try session.protect(write, from: "--write", kind: "a workflow") { $0.contains("authflow") }
    return try? session.world.files.read(write, limit: World.documentLimit)
  }

  private static func name(of path: String) -> String { path == "-" ? "standard output" : CaretFrame.visible(path) }

  /// Writes the missing scenarios.
  /// - Parameter original: The content of the file before the exploration.
  private func save(
    _ result: ExplorationResult, _ loaded: LoadedWorkflow, by explorer: Explorer, to path: String,
    replacing original: [UInt8]?, in session: Session
  ) async throws(ExitStatus) {
    let document = loaded.workflow.scenarioSource ?? loaded.workflow.document
    let covered = all ? [] : await explorer.ownTransitions()
    if Task.isCancelled {
      session.printStatus("interrupted: \(Self.name(of: path)) was not written")
      throw .interrupted
    }
    let added =
      all
      ? MissingScenarios.unwritten(result.paths.filter { $0.proof == .proven }, in: document)
      : MissingScenarios.choose(from: result.paths, of: loaded.workflow, covered: covered)
    // Do not overwrite changes that the user made during the exploration.
    if path != "-", let now = try? session.world.files.read(path, limit: World.documentLimit), now != original {
      throw session.report(
        .environmentFailure, "\(CaretFrame.visible(path)) changed during the exploration and was not written",
        help: "run the command again")
    }
    do {
      let bytes = try MissingScenarios.append(added, to: document)
      if path == "-" {
        session.world.console.write(bytes, to: .output, as: .data)
      } else {
        try session.write(bytes, to: path)
      }
    } catch let failure as DocumentWriteError {
      session.show(failure.diagnostics)
      throw .usageError
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw .environmentFailure
    }
    session.printStatus(
      "added \(added.count.counting("scenario")) to \(Self.name(of: path))")
  }
}

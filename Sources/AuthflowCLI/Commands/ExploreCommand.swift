import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import Reports
import Scenarios
import WorkflowModel
import WorkflowRunner

struct ExploreCommand: SessionCommand {
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "explore", abstract: "Walks every outcome of every step, and proves each way by a scenario.",
    discussion: """
      Tells what nothing leads to, what never ends, and which outcomes end in
      failure without a word about it. For each way it writes the shortest
      scenario that forces it on the embedded platform, and runs it.

      Ends with 1 where something is unreachable or endless, or a run differs
      from the machine; with --strict also where an outcome is unhandled.

      Example: authflow explore Workflows/me.yaml
      """)

  @Argument(help: "The workflow, or a scenarios file.", completion: .file()) var file: String
  @Option(help: "How many outcomes that are no success a way may have.") var depth: Int = 1
  @Option(
    help: "Write the file of the scenarios with those that it lacks; - for standard output.", completion: .file())
  var write: String?
  @Flag(help: "Write a scenario for every way, also for those that others cover.") var all = false
  @Option(help: "text or json.") var format: Form = .text
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many scenarios run at the same time; the machine's processors otherwise.", valueName: "n")) var jobs: Int?
  @Flag(help: "Run nothing: only show the ways.") var noProof = false
  @Flag(help: "Unhandled outcomes are failures too.") var strict = false
  @OptionGroup var defined: DefineOptions
  @OptionGroup var envFiles: EnvFileOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var secrets: SecretOptions
  @OptionGroup var trust: TrustOptions

  func validate() throws {
    guard (1...8).contains(depth) else { throw ValidationError("--depth is a number from 1 to 8.") }
    guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs is a number from 1 to 256.") }
    if write == "-", format == .json {
      throw ValidationError("--write - and --format json both want standard output: give the workflow a file.")
    }
    if noProof, write != nil { throw ValidationError("--write needs proven scenarios, and --no-proof runs nothing.") }
  }

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try await secrets.take(in: variables.take(in: envFiles.take(in: trust.take(in: session))))
    let definitions = try defined.definitions(in: session)
    let loaded = try WorkflowInput.load(file, definitions: definitions, scenarios: .all, in: session)
    let workflow = loaded.workflow
    let before = try target(besides: workflow, session)
    let watch = ExplorationProgressReporter()
    let region = LiveRegion(in: session, lines: watch.lines)
    let exploration = await region.watching { Exploration(workflow, depth: depth, tell: watch.walked) }
    let tool = "authflow \(Version.text)"
    var record = ExplorationResult(
      exploration,
      paths: exploration.ways.map {
        .init(way: $0, name: $0.entry, proof: .notTried, scenario: nil, transitions: [])
      })
    var explorer = Explorer(
      loaded, load: session.load(inputs: [file]), world: session.world,
      jobs: jobs ?? session.world.environment.processors, tool: tool)
    explorer.definitions = definitions
    explorer.tell = watch.take
    if !noProof {
      watch.proves(exploration.ways.count)
      let explorer = explorer
      record.paths = await region.watching { await explorer.prove(exploration) }
    }
    let isInterrupted = Task.isCancelled
    switch format {
    // Where the workflow goes to standard output, nothing else does.
    case .text where write == "-": session.printStatus(ExplorationText.render(record))
    case .text: session.printLine(ExplorationText.render(record))
    case .json: session.printLine(ExplorationJSON.json(record).text(), as: .json)
    }
    if isInterrupted {
      if let write { session.printStatus("interrupted: \(Self.words(write)) was not written") }
      throw .interrupted
    }
    if let write { try await save(record, loaded, by: explorer, to: write, over: before, session) }
    if record.fails || (strict && !record.unhandled.isEmpty) { throw .failed }
  }

  /// What stands now where the workflow is to be written; nil where nothing does.
  /// - Throws: `.unusable` where that is no workflow.
  private func target(besides workflow: Workflow, _ session: Session) throws(ExitStatus) -> [UInt8]? {
    guard let write, write != "-" else { return nil }
    // The very bytes that were explored: between reading them and looking again somebody may have changed them.
    if Self.isSame(write, workflow.scenarioFileName, session) { return workflow.scenarioSource?.source.bytes }
    if let file = workflow.scenarioFile {
      session.printStatus(
        "error: the scenarios are in \(CaretFrame.visible(file)), not in \(CaretFrame.visible(write))"
          + "\n  help: use `--write \(ShellWord.file(file))`")
      throw .usageError
    }
    try session.protect(write, from: "--write", kind: "workflow") { $0.contains("authflow") }
    return try? session.world.files.read(write, limit: Session.documentLimit)
  }

  private static func isSame(_ path: String, _ other: String, _ session: Session) -> Bool {
    let folder = session.world.environment.workingDirectory
    return FilePath.join(folder, path) == FilePath.join(folder, other)
  }

  private static func words(_ path: String) -> String { path == "-" ? "standard output" : CaretFrame.visible(path) }

  /// - Parameter before: what stood there when exploring began.
  private func save(
    _ record: ExplorationResult, _ loaded: LoadedWorkflow, by explorer: Explorer, to path: String,
    over before: [UInt8]?, _ session: Session
  ) async throws(ExitStatus) {
    let document = loaded.workflow.scenarioSource ?? loaded.workflow.document
    let covered = all ? [] : await explorer.ownTransitions()
    if Task.isCancelled {
      session.printStatus("interrupted: \(Self.words(path)) was not written")
      throw .interrupted
    }
    let chosen =
      all
      ? MissingScenarios.unwritten(record.paths.filter { $0.proof == .proven }, in: document)
      : MissingScenarios.choose(from: record.paths, of: loaded.workflow, covered: covered)
    // Whoever has changed the file in the meantime loses nothing.
    if path != "-", let now = try? session.world.files.read(path, limit: Session.documentLimit), now != before {
      session.printStatus(
        "error: \(CaretFrame.visible(path)) was changed meanwhile, and was not written\n  help: explore it again")
      throw .environmentFailure
    }
    do {
      let bytes = try MissingScenarios.append(chosen, to: document)
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
    session.printStatus("\(Self.words(path)): \(chosen.count) \(chosen.count == 1 ? "scenario" : "scenarios") added")
  }
}

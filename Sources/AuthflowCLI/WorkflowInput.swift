import AppRegistration
import Diagnostics
import Directory
import Documents
import Scenarios
import Trust
import WorkflowModel
import WorkflowRunner

/// Functions that read workflows and directories for a command and show their diagnostics.
enum WorkflowInput {
  /// The options for reading a workflow.
  struct Options {
    /// The environment whose settings override the workflow's settings.
    var environment: String?
    /// The platform of the run, or nil for the platform that the workflow specifies.
    var platform: Workflow.Platform?
    /// Whether to accept settings that prevent MSAL from creating an application. A scenario may expect this failure.
    var toleratesFailures = false
    /// Whether to accept a loopback redirect URI. See `SettingsLoader`.
    var acceptsLoopbackRedirect = false
  }

  /// Reads a workflow and the files that it refers to.
  ///
  /// A single warning reports the number of problems in scenarios that the command does not run.
  /// - Throws: `.usageError` if there are errors.
  static func load(
    _ path: String, definitions: Definitions, scenarios: UsedScenarios, options: Options = Options(),
    in session: Session
  ) throws(ExitStatus) -> LoadedWorkflow {
    var reading: LoadedWorkflow.ReadOptions = []
    if options.acceptsLoopbackRedirect { reading.insert(.loopbackRedirect) }
    if !scenarios.areRead { reading.insert(.withoutScenarios) }
    let (loaded, diagnostics) = LoadedWorkflow.read(
      path, definitions: definitions, environment: options.environment, platform: options.platform, options: reading,
      load: session.load(inputs: [path]))
    let failures = options.toleratesFailures ? [] : loaded?.situation.failures.map(\.diagnostic) ?? []
    let relevant = session.show(diagnostics + failures, of: loaded?.workflow, at: path, running: scenarios)
    guard let loaded, !relevant.hasErrors else { throw .usageError }
    return loaded
  }

  /// Reads an emulated directory file.
  /// - Throws: `.usageError` if there are errors.
  static func directory(at path: String, in session: Session) throws(ExitStatus) -> EmulatedDirectory {
    let result = session.readDocument(at: path)
    var diagnostics = result.diagnostics
    let directory = result.document.map { ServedDirectory.read($0.root, &diagnostics) }
    session.show(diagnostics)
    guard let directory, !diagnostics.hasErrors else { throw .usageError }
    return directory
  }
}

/// The scenarios of a workflow that a command runs.
enum UsedScenarios {
  case all
  case one(String)
  /// Reads and checks scenarios without running them.
  case none
  /// Does not read scenarios.
  case unread

  fileprivate var areRead: Bool { if case .unread = self { false } else { true } }
}

extension Session {
  /// Shows the diagnostics of a workflow. Diagnostics in scenarios that are not run are combined into one warning.
  /// - Parameters:
  ///   - workflow: The workflow, or nil if it cannot be read. In this case, all diagnostics are shown.
  ///   - path: The path of the workflow on the command line.
  /// - Returns: The diagnostics that are relevant for the command.
  @discardableResult
  func show(
    _ diagnostics: [Diagnostic], of workflow: Workflow?, at path: String, running scenarios: UsedScenarios
  ) -> [Diagnostic] {
    var (relevant, unused) = (diagnostics, [Diagnostic]())
    switch scenarios {
    case .all: break
    case .one(let name): if let workflow { (relevant, unused) = workflow.separate(diagnostics, running: name) }
    case .none, .unread: if let workflow { (relevant, unused) = workflow.separate(diagnostics) }
    }
    show(relevant)
    for severity in [Diagnostic.Severity.error, .warning] {
      let count = unused.count { $0.severity == severity }
      guard count > 0 else { continue }
      printStatus(
        "warning: \(count.counting(severity.rawValue)) in scenarios that this command does not use"
          + "\n  help: run `authflow validate \(ShellWord.file(path))` to list \(count == 1 ? "it" : "them")")
      break
    }
    return relevant
  }

  /// Returns a loader for the files on the command line and the documents that these files refer to. The loader rejects
  /// references to files outside the project.
  /// - Parameter inputs: The files and folders on the command line.
  func load(inputs: [String]) -> DocumentLoader {
    let load = ProjectReader(inputs: inputs, in: world, standardInput: InputStreams.standardInput).projectDocument
    guard let watched else { return load }
    return { path, options in
      watched.add(file: path)
      return load(path, options)
    }
  }
}

import AppRegistration
import Diagnostics
import Directory
import Documents
import Scenarios
import Trust
import WorkflowModel
import WorkflowRunner

/// Workflows and directories, read for a command: what is wrong is shown, and errors end the command.
enum WorkflowInput {
  /// Reads the workflow and all that it names, tells everything that is wrong, and stops where anything is an error.
  ///
  /// Problems in scenarios that are not run are counted in one warning.
  /// - Parameters:
  ///   - environment: whose own settings are laid over those that it names.
  ///   - platform: where it is about to run; by default what the workflow says.
  ///   - scenarios: the scenarios that the command runs.
  ///   - toleratingFailures: whether an app without an application object is no error: a scenario may expect it.
  ///   - acceptsLoopbackRedirect: see `SettingsLoader`.
  /// - Throws: `.unusable`.
  static func load(
    _ path: String, definitions: Definitions, environment: String? = nil, platform: Workflow.Platform? = nil,
    scenarios: UsedScenarios, toleratingFailures: Bool = false, acceptsLoopbackRedirect: Bool = false,
    in session: Session
  ) throws(ExitStatus) -> LoadedWorkflow {
    let (loaded, diagnostics) = LoadedWorkflow.read(
      path, definitions: definitions, environment: environment, platform: platform,
      acceptsLoopbackRedirect: acceptsLoopbackRedirect, load: session.load(inputs: [path]))
    let failures = toleratingFailures ? [] : loaded?.situation.failures.map(\.diagnostic) ?? []
    let relevant = session.show(diagnostics + failures, of: loaded?.workflow, at: path, running: scenarios)
    guard let loaded, !relevant.hasErrors else { throw .usageError }
    return loaded
  }

  /// Reads a directory's file, and tells what is wrong with it.
  /// - Throws: `.unusable` where anything is an error.
  static func directory(at path: String, in session: Session) throws(ExitStatus) -> EmulatedDirectory {
    let reading = session.reading(of: path)
    var diagnostics = reading.diagnostics
    let directory = reading.document.map { ServedDirectory.read($0.root, &diagnostics) }
    session.show(diagnostics)
    guard let directory, !diagnostics.hasErrors else { throw .usageError }
    return directory
  }
}

/// The scenarios of a workflow that a command runs.
enum UsedScenarios {
  case all
  case one(String)
  /// None; the noun is the command in a warning: `run` or `command`.
  case none(by: String)
}

extension Session {
  /// Shows the diagnostics of a workflow, with one warning for those in scenarios that are not run.
  /// - Parameters:
  ///   - workflow: nil if it cannot be used; then everything is shown.
  ///   - path: the file as the user named it.
  /// - Returns: the diagnostics that concern the command.
  @discardableResult
  func show(
    _ diagnostics: [Diagnostic], of workflow: Workflow?, at path: String, running scenarios: UsedScenarios
  ) -> [Diagnostic] {
    var (relevant, unused) = (diagnostics, [Diagnostic]())
    var noun = "run"
    switch scenarios {
    case .all: break
    case .one(let name): if let workflow { (relevant, unused) = workflow.separate(diagnostics, running: name) }
    case .none(by: let command):
      noun = command
      if let workflow { (relevant, unused) = workflow.separate(diagnostics) }
    }
    show(relevant)
    for (severity, word) in [(Diagnostic.Severity.error, "error"), (.warning, "warning")] {
      let count = unused.count { $0.severity == severity }
      guard count > 0 else { continue }
      printStatus(
        "warning: \(count) \(word)\(count == 1 ? "" : "s") in scenarios that this \(noun) does not use"
          + "\n  help: run `authflow validate \(ShellWord.file(path))` to list \(count == 1 ? "it" : "them")")
      break
    }
    return relevant
  }

  /// Reads the files that the user named, and the documents that they refer to. References stay inside the project.
  /// - Parameter inputs: the files and folders that the user named.
  func load(inputs: [String]) -> DocumentLoader {
    let roots = ProjectRoots(of: inputs, in: world)
    return { path, options in
      // Only the user can name standard input.
      let path = path == "-" && !inputs.contains(path) ? "./-" : path
      if let unreadable = unreadable(path, in: roots, inputs: inputs) {
        return ReadResult(document: nil, diagnostics: [unreadable])
      }
      return reading(of: path, options: options, isReference: !inputs.contains(path))
    }
  }

  /// The error for a file that the project may not refer to, or nil if it may.
  ///
  /// A file that the user named is checked as well: a link in a repository can lead anywhere.
  func unreadable(_ path: String, in roots: ProjectRoots, inputs: [String]) -> Diagnostic? {
    if inputs.contains(path), path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/") { return nil }
    return roots.violation(reading: path, isNamed: inputs.contains(path)).map {
      Diagnostic(outsideProject: $0, at: .file(path))
    }
  }
}

extension Diagnostic {
  /// A reference that leads out of the project.
  init(outsideProject violation: TrustViolation, at place: FileSpan) {
    self.init(.error, rule: ReadResult.outsideProject, violation.message, help: violation.help, at: place)
  }
}

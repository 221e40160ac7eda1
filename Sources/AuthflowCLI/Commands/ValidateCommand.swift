import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import Validation

struct ValidateCommand: SessionCommand {
  /// The output format of the findings.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github
  }

  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check app registration files for errors and inconsistencies",
    discussion: """
      Detects settings, Info.plist files, app manifests, Xcode projects, and workflows by their content. When it searches \
      a folder, the command skips hidden folders, package and build folders (such as Pods, node_modules, and \
      DerivedData), and folders that .gitignore lists. It does not follow links. It does check files that .gitignore \
      lists, because these are often settings files.

      To suppress a finding, add a comment on the preceding line or at the end of the same line:
        # authflow:ignore app-id-dummy: this sample has no app registration
        <!-- authflow:ignore app-id-dummy: the same in XML -->

      Use `authflow:ignore-file` to suppress findings in the entire file, or list rules in .authflow.yaml in the \
      folder or in a parent folder up to the repository root. `authflow schema validation` prints the schema.

      Findings go to standard output, or to standard error if standard output contains a diff. SARIF contains suppressed \
      findings only with `--verbose`, because GitHub shows them as open.

      The exit code is 1 if there is an error, or a warning with `--strict`. With `--fix`, only the remaining findings \
      count. The exit code is 2 if a folder contains no file to check.

      Examples:
        authflow validate .
        authflow validate . --format sarif --output authflow.sarif
        authflow validate . --fix --dry-run | git apply
        authflow validate --rules
      """)

  @Argument(help: "Files and folders, or `-` for standard input", completion: .file()) var paths: [String] = []
  @Option(help: ArgumentHelp("Define a build setting (repeatable)", valueName: "NAME=value"))
  var define: [String] = []
  @Option(help: "Select the output format: `github` prints annotations") var format: Format = .text
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the findings, or the diff of `--dry-run`, to this file", valueName: "file"),
    completion: .file())
  var output: String?
  @Flag(help: "Apply safe fixes") var fix = false
  @Flag(help: "With `--fix`, print a diff instead of writing files") var dryRun = false
  @Flag(help: "Treat warnings as errors") var strict = false
  @Flag(help: "Print errors only, and warnings with `--strict`") var quiet = false
  @Flag(help: "Print the kind of each file; in SARIF, include suppressed findings") var verbose = false
  @Flag(help: "List the files to check and their kinds") var listFiles = false
  @Flag(help: "List the rules") var rules = false
  @Option(
    help: ArgumentHelp("Use this configuration instead of .authflow.yaml", valueName: "file"), completion: .file())
  var config: String?
  @Flag(help: "Ignore .authflow.yaml") var noConfig = false
  @OptionGroup var trust: TrustOptions

  func perform(in session: Session) async throws(ExitStatus) {
    try checkOptions(in: session)
    let session = try trust.apply(to: session)
    if rules { return listRules(in: session) }
    let definitions = try Definitions.values(of: define, in: session)
    let configurations =
      noConfig ? PathConfigurations() : try session.validationConfigurations(for: paths, named: config)
    let project = try session.searchProject(paths, configurations)
    let progress = ValidationProgressReporter()
    let region = LiveRegion(in: session, lines: progress.lines)
    var validator = ProjectValidator(
      definitions: configurations.definitions.merging(definitions) { $1 },
      now: session.world.clock.now.secondsSince1970, load: session.load(inputs: paths))
    validator.onProgress = progress.handle
    let configured = ConfiguredValidator(
      validator: validator, configurations: project.configurations, all: configurations.all,
      workingDirectory: session.world.environment.workingDirectory, searched: project.searched)
    if listFiles {
      session.show(project.unreadable)
      let report = await region.showingProgress { configured.check(project.files) }
      try checkInterruption("the list is incomplete", in: session)
      list(report, in: session)
      try checkFolders(project, report, in: session)
      if !project.unreadable.isEmpty { throw .usageError }
      return
    }

    var report: FilteredReport
    var failure: ExitStatus?
    if fix {
      let outcome = await region.showingProgress { FixSession { configured.check($0) }.run(project.files) }
      try checkInterruption("no files were changed", in: session)
      let patch = dryRun && output != nil ? CapturingConsole(session.world.console) : nil
      let fixing = ValidateFixing(
        session: patch.map(session.writing(to:)) ?? session, outcome: outcome, isDry: dryRun,
        reportsOnOutput: reportsOnOutput)
      let written = fixing.perform()
      failure = written.failure
      report =
        failure == nil ? outcome.report : configured.check(outcome.files(of: project.files, written: written.names))
      if let patch, let output { try session.write(patch.bytes, to: output) }
    } else {
      report = await region.showingProgress { configured.check(project.files) }
      try checkInterruption("the findings are incomplete", in: session)
    }
    let status = failure ?? self.status(report, project.unreadable)
    let fullReport = report
    if quiet {
      report.diagnostics.removeAll { $0.severity == .note || $0.severity == .warning && !strict }
    }
    if verbose { printKinds(report, in: session) }
    let validateOutput = ValidateOutput(
      session: session, format: format, path: output, isQuiet: quiet, isVerbose: verbose, isDry: dryRun)
    try validateOutput.report(
      report, unreadable: project.unreadable, named: project.named, exitCode: status.rawValue)
    if status != .success { throw status }
    try checkFolders(project, fullReport, in: session)
  }

  /// Rejects a folder without files to check, so that validation does not succeed for a wrong path.
  private func checkFolders(_ project: ProjectSearch.Result, _ report: FilteredReport, in session: Session)
    throws(ExitStatus)
  {
    let known = Set(report.files.filter { $0.kind != .unknown }.map(\.name))
    // A file with syntax errors has no kind, but its findings show that it was checked.
    let withFindings = Set(report.diagnostics.map(\.place.source.name))
    let checked = project.files.map(\.name).filter { known.contains($0) || withFindings.contains($0) }.map(
      session.absolutePath)
    let empty = project.folders.filter { folder in
      let path = session.absolutePath(folder)
      return !checked.contains { $0.hasPrefix(path == "/" ? path : path + "/") }
    }
    guard !empty.isEmpty else { return }
    for folder in empty {
      session.reportError("no file to check in \(CaretFrame.visible(folder))")
    }
    session.printStatus("  help: pass a folder with settings, an Info.plist, an MSAL configuration, or a workflow")
    throw .usageError
  }

  /// Ends an interrupted validation without reporting findings, because an incomplete result would look like success.
  private func checkInterruption(_ consequence: String, in session: Session) throws(ExitStatus) {
    guard Task.isCancelled else { return }
    session.printStatus("interrupted: \(consequence)")
    throw .interrupted
  }

  /// Whether messages about fixes go to standard output, which is the case only if it contains no data for other
  /// programs.
  private var reportsOnOutput: Bool { format == .text && !dryRun && !quiet }

  private func checkOptions(in session: Session) throws(ExitStatus) {
    var problem: String?
    if paths.isEmpty, !rules { problem = "missing path\n  help: pass files or folders, as in `authflow validate .`" }
    if dryRun, !fix { problem = "`--dry-run` requires `--fix`" }
    if dryRun, format != .text { problem = "`--dry-run` and `--format` cannot be used together" }
    if fix, !dryRun, paths.contains("-") {
      problem = "cannot fix standard input\n  help: use `--fix --dry-run` to print the changes"
    }
    if rules || listFiles, format == .sarif || format == .github {
      problem = "`--\(rules ? "rules" : "list-files")` supports only the formats text and JSON"
    }
    if paths.filter({ $0 == "-" }).count > 1 { problem = "standard input can be read only once" }
    if config != nil, noConfig { problem = "`--config` and `--no-config` cannot be used together" }
    if let problem {
      throw session.report(.usageError, problem)
    }
  }

  private func status(_ report: FilteredReport, _ unreadable: [Diagnostic]) -> ExitStatus {
    if !unreadable.isEmpty { return .usageError }
    let fails = report.diagnostics.contains { $0.severity == .error || strict && $0.severity == .warning }
    return fails ? .failed : .success
  }

  private func list(_ report: FilteredReport, in session: Session) {
    let known = report.files.filter { $0.kind != .unknown }
    guard format == .text else {
      let all = known.map { ["file": .string($0.name), "kind": .string($0.kind.description)] as JSON }
      return session.printJSON(JSON.array(all))
    }
    let width = known.map { DisplayWidth.of($0.kind.description) }.max() ?? 0
    for file in known {
      let padding = String(repeating: " ", count: width - DisplayWidth.of(file.kind.description))
      session.printLine("\(file.kind.description)\(padding)  \(CaretFrame.visible(file.name))")
    }
  }

  private func printKinds(_ report: FilteredReport, in session: Session) {
    for file in report.files { session.printStatus("\(CaretFrame.visible(file.name)): \(file.kind.description)") }
  }

  private func listRules(in session: Session) {
    guard format == .json else {
      for rule in RuleSet.all.rules {
        session.printLine("\(rule.id)  \(rule.severityDescription)\n    \(rule.summary)")
      }
      return
    }
    let all = RuleSet.all.rules.map { rule -> JSON in
      [
        "id": .string(rule.id), "severity": .string(rule.severity.rawValue),
        "otherSeverities": .array(rule.otherSeverities.sorted(by: >).map { .string($0.rawValue) }),
        "summary": .string(rule.summary),
        "help": .string(rule.explanation.split(whereSeparator: \.isNewline).joined(separator: " ")),
      ]
    }
    session.printJSON(JSON.array(all))
  }
}

import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import Validation

struct ValidateCommand: SessionCommand {
  /// How findings are told.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github
  }

  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Checks an app's registration: settings, Info.plist, manifests and more, each and against each other.",
    discussion: """
      Files are known by their content, not by their name. Folders are searched; hidden ones, those of packages and builds \
      (Pods, node_modules, .build, DerivedData, build, Carthage, vendor) and folders that .gitignore names are passed over, \
      links are not followed. Single files that .gitignore names are read: settings usually are such files.

      A finding is accepted by a comment on the line before it or at its end,
        # authflow:ignore app-id-dummy: the sample has no registration of its own
        <!-- authflow:ignore app-id-dummy: the same in XML -->
      (authflow:ignore-file for a whole file), or by .authflow.yaml in the folder or above it, up to the repository's root: \
      `authflow schema validation` tells what may stand there.

      Findings go to standard output, beside a diff to standard error. In SARIF, what is accepted is left out unless \
      --verbose is given, since GitHub shows it as open.

      Ends with 1 where there is an error, with --strict also where there is a warning; with --fix where one remains. Ends \
      with 2 if a folder contains no file to check.

      Example: authflow validate .

      Others:
        authflow validate ios/App --define PRODUCT_BUNDLE_IDENTIFIER=com.contoso.app
        authflow validate . --fix --dry-run | git apply
        authflow validate . --format sarif --output authflow.sarif
        authflow validate --rules
      """)

  @Argument(help: "Files and folders; - for standard input.", completion: .file()) var paths: [String] = []
  @Option(help: ArgumentHelp("A build setting; may be repeated.", valueName: "NAME=value")) var define: [String] = []
  @Option(help: "text, json, sarif (2.1.0), or github for annotations in a workflow.") var format: Format = .text
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the findings to a file; with --dry-run the diff.", valueName: "file"), completion: .file()
  )
  var output: String?
  @Flag(help: "Mend in place what can be mended safely.") var fix = false
  @Flag(help: "With --fix: write nothing, print the changes as a unified diff.") var dryRun = false
  @Flag(help: "Warnings fail too.") var strict = false
  @Flag(help: "Say nothing but errors; with --strict also warnings.") var quiet = false
  @Flag(help: "Tell what each file was taken for.") var verbose = false
  @Flag(help: "List the files that would be checked, and what each is.") var listFiles = false
  @Flag(help: "List the rules.") var rules = false
  @Option(help: ArgumentHelp("The configuration, instead of .authflow.yaml.", valueName: "file"), completion: .file())
  var config: String?
  @Flag(help: "Use no configuration.") var noConfig = false
  @OptionGroup var trust: TrustOptions

  func perform(in session: Session) async throws(ExitStatus) {
    try checkOptions(in: session)
    let session = try trust.take(in: session)
    if rules { return listRules(in: session) }
    let definitions = try Definitions.values(of: define, in: session)
    let configurations = try ValidateConfigurations(
      paths: paths, named: config, isOff: noConfig, in: session)
    let found = try ProjectFiles(session: session, configurations: configurations).collect(paths)
    let watch = ValidatingWatch()
    let region = LiveRegion(in: session, lines: watch.lines)
    var validator = ProjectValidator(
      definitions: configurations.definitions.merging(definitions) { $1 },
      now: session.world.clock.now.secondsSince1970, load: session.load(inputs: paths))
    validator.tell = watch.take
    let judge = ConfiguredValidator(
      validator: validator, configurations: found.configurations, all: configurations.all,
      workingDirectory: session.world.environment.workingDirectory, searched: found.searched)
    if listFiles {
      session.show(found.unreadable)
      let report = await region.watching { judge.check(found.files) }
      try checkInterruption("the list is not complete", in: session)
      list(report, in: session)
      try checkFolders(found, report, in: session)
      if !found.unreadable.isEmpty { throw .usageError }
      return
    }

    var report: FilteredReport
    var failure: ExitStatus?
    if fix {
      let outcome = await region.watching { FixSession { judge.check($0) }.run(found.files) }
      try checkInterruption("nothing was changed", in: session)
      let patch = dryRun && output != nil ? CapturingConsole(session.world.console) : nil
      let fixing = ValidateFixing(
        session: patch.map(session.writing(to:)) ?? session, outcome: outcome, isDry: dryRun,
        tellsOnOutput: tellsOnOutput)
      let written = fixing.perform()
      failure = written.failure
      report = failure == nil ? outcome.report : judge.check(outcome.files(of: found.files, written: written.names))
      if let patch, let output { try session.write(patch.bytes, to: output) }
    } else {
      report = await region.watching { judge.check(found.files) }
      try checkInterruption("the findings are not complete", in: session)
    }
    let ending = failure ?? status(report, found.unreadable)
    let judged = report
    if quiet {
      report.diagnostics.removeAll { $0.severity == .note || $0.severity == .warning && !strict }
    }
    if verbose { tellKinds(report, in: session) }
    let telling = ValidateOutput(
      session: session, format: format, path: output, isQuiet: quiet, isVerbose: verbose, isDry: dryRun)
    try telling.tell(report, unreadable: found.unreadable, named: found.named, exitCode: ending.rawValue)
    if ending != .success { throw ending }
    try checkFolders(found, judged, in: session)
  }

  /// A folder in which nothing was checked has no findings either: a mistyped path must not look like a good result.
  private func checkFolders(_ found: ProjectFiles.Found, _ report: FilteredReport, in session: Session)
    throws(ExitStatus)
  {
    let known = Set(report.files.filter { $0.kind != .unknown }.map(\.name))
    func absolute(_ path: String) -> String { FilePath.join(session.world.environment.workingDirectory, path) }
    // A file that is broken has no kind, and its findings show that it was checked.
    let told = Set(report.diagnostics.map(\.place.source.name))
    let checked = found.files.map(\.name).filter { known.contains($0) || told.contains($0) }.map(absolute)
    let empty = found.folders.filter { folder in
      let path = absolute(folder)
      return !checked.contains { $0.hasPrefix(path == "/" ? path : path + "/") }
    }
    guard !empty.isEmpty else { return }
    for folder in empty {
      session.printStatus("error: no file to check in \(CaretFrame.visible(folder))")
    }
    session.printStatus("help: name a folder with settings, an Info.plist, an MSAL configuration, or a workflow")
    throw .usageError
  }

  /// What is known of an interrupted validation is not shown: without the rest it would look like a good result.
  private func checkInterruption(_ consequence: String, in session: Session) throws(ExitStatus) {
    guard Task.isCancelled else { return }
    session.printStatus("interrupted: \(consequence)")
    throw .interrupted
  }

  /// Whether remarks about fixes go to standard output, beside nothing that a program reads.
  private var tellsOnOutput: Bool { format == .text && !dryRun && !quiet }

  private func checkOptions(in session: Session) throws(ExitStatus) {
    var mistake: String?
    if paths.isEmpty, !rules { mistake = "name the files or folders to check, such as `authflow validate .`" }
    if dryRun, !fix { mistake = "--dry-run goes with --fix" }
    if dryRun, format != .text { mistake = "--dry-run prints a diff: leave --format out" }
    if fix, !dryRun, paths.contains("-") {
      mistake = "standard input cannot be mended in place; --fix --dry-run prints the changes"
    }
    if rules || listFiles, format == .sarif || format == .github {
      mistake = "--\(rules ? "rules" : "list-files") prints text, or JSON with --format json"
    }
    if paths.filter({ $0 == "-" }).count > 1 { mistake = "standard input can be read once" }
    if config != nil, noConfig { mistake = "--config and --no-config contradict each other" }
    if let mistake {
      session.printStatus("error: \(mistake)")
      throw .usageError
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
      let all = known.map { ["file": .string($0.name), "kind": .string($0.kind.words)] as JSON }
      return session.printLine(JSON.array(all).text(pretty: true), as: .json)
    }
    let width = known.map { DisplayWidth.of($0.kind.words) }.max() ?? 0
    for file in known {
      let padding = String(repeating: " ", count: width - DisplayWidth.of(file.kind.words))
      session.printLine("\(file.kind.words)\(padding)  \(CaretFrame.visible(file.name))")
    }
  }

  private func tellKinds(_ report: FilteredReport, in session: Session) {
    for file in report.files { session.printStatus("\(CaretFrame.visible(file.name)): \(file.kind.words)") }
  }

  private func listRules(in session: Session) {
    guard format == .json else {
      for rule in RuleSet.all.rules { session.printLine("\(rule.id)  \(rule.severityWords)\n    \(rule.words)") }
      return
    }
    let all = RuleSet.all.rules.map { rule -> JSON in
      [
        "id": .string(rule.id), "severity": .string(rule.severity.rawValue),
        "otherSeverities": .array(rule.otherSeverities.sorted(by: >).map { .string($0.rawValue) }),
        "words": .string(rule.words),
        "help": .string(rule.help.split(whereSeparator: \.isNewline).joined(separator: " ")),
      ]
    }
    session.printLine(JSON.array(all).text(pretty: true), as: .json)
  }
}

import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import Handbook
import IdentityPlatform
import Lessons
import WorkflowModel

struct ExplainCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain an error, a code, a keyword, or a workflow",
    discussion: """
      Explains MSAL errors by name or number, AADSTS and AADB2C codes, OAuth errors and suberrors, `userInfo` keys, claims, \
      parameters, step types, outcomes, events, settings, and validation rules. For a step type, it also shows app code.

      If the argument is the path of a workflow, the command explains each step: what it does, what MSAL does, the \
      possible outcomes, and the next step for each. It searches all other files, and standard input, for errors and \
      codes: printed errors from any MSAL library, token endpoint responses, error pages, redirect URLs, or log lines. \
      The output repeats only the codes, IDs, and times from the searched text.

      The exit code is 1 for a well-formed sign-in service code that has no explanation, and 2 for unknown names.

      Examples:
        authflow explain AADSTS65001
        authflow explain Workflows/me.yaml
      """)

  // MSAL's error codes are negative numbers, so the parser must accept unknown options.
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("File, name, or code to explain, or `-` for standard input", valueName: "subject"),
    completion: .file())
  var subjects: [String] = []
  @Flag(help: "List all names, or only names in the specified topics") var list = false
  @Option(help: ArgumentHelp("Show only the app code for a step type, in this language", valueName: "language"))
  var code: AppCode.Language?
  @Flag(name: .shortAndLong, help: "Show all outcomes and scenarios of a workflow") var verbose = false
  @Option(help: "Select the output format") var format: OutputFormat = .text
  @OptionGroup var trust: TrustOptions

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try trust.apply(to: session)
    let subjects = try checkedSubjects(in: session)
    if list { return try listing(of: subjects, in: session) }
    guard !subjects.isEmpty else {
      throw session.report(
        .usageError, "missing argument",
        help: "pass a name, code, or file, or run `authflow explain --list` to list all names")
    }
    if let path = subjects.first, subjects.count == 1 {
      if path == "-" { return try show(try await fromStandardInput(in: session), in: session) }
      if session.world.files.kind(of: path) != nil { return try explainFile(path, in: session) }
    }
    var explanation = Explanation(lookingUp: subjects)
    if !explanation.addCodes(for: subjects, in: code), code != nil {
      let steps = AppCode.all.map(\.step).joined(separator: ", ")
      throw session.report(.usageError, "`--code` requires a step type", help: "use one of \(steps)")
    }
    try show(explanation, in: session)
  }

  /// Returns the arguments to explain, without the terminator `--`.
  /// - Throws: `.usageError` for an unknown option, which the parser accepts.
  private func checkedSubjects(in session: Session) throws(ExitStatus) -> [String] {
    var isAfterTerminator = false
    var checked: [String] = []
    for subject in subjects {
      if subject == "--", !isAfterTerminator {
        isAfterTerminator = true
      } else if !isAfterTerminator, subject.hasPrefix("--") || subject.wholeMatch(of: /-[A-Za-z].*/) != nil {
        throw session.report(
          .usageError, "unknown option `\(CaretFrame.visible(String(subject.prefix(40))))`",
          help: "run `authflow explain --help` to list the options")
      } else {
        checked.append(subject)
      }
    }
    return checked
  }

  // MARK: Files

  private func explainFile(_ path: String, in session: Session) throws(ExitStatus) {
    let result = DocumentReader.read(try session.readInput(path), named: path)
    let kind = result.document.map { AppRegistrationKind.recognize($0) } ?? .unknown
    switch kind {
    case .workflow, .scenarios: try explainWorkflow(result, path, in: session)
    case .unknown: try show(pasted(path, in: session), in: session)
    default:
      let hints = Self.hints(kind, path)
      switch format {
      case .json:
        session.printJSON(["kind": .string(kind.description), "see": .array(hints.map { .string($0) })])
      case .text:
        session.printLine(
          ExplanationText(style: session.style(for: .output)).hints("\(path): \(kind.description)", hints))
      }
    }
  }

  /// Describes the commands and workflow keys that use a file of this kind.
  private static func hints(_ kind: AppRegistrationKind, _ path: String) -> [String] {
    switch kind {
    case .directory: ["tenants, users, and policies for the emulator; use it with `directory:` in a workflow"]
    case .tokenCache:
      [
        "authflow cache import \(path)   imports the accounts and tokens",
        "the token cache format of MSAL for Python, .NET, Go, and Java",
      ]
    case .authSettings, .androidConfig, .appsettings:
      [
        "authflow settings \(path) --explain   shows the settings as MSAL uses them, and the source of each value",
        "authflow validate \(path)   checks the file",
      ]
    default: ["authflow validate \(path)   checks the file"]
    }
  }

  private func explainWorkflow(_ result: ReadResult, _ path: String, in session: Session) throws(ExitStatus) {
    let load = session.load(inputs: [path])
    let (workflow, diagnostics) = WorkflowDecoder.read(result) { load($0, ReadingOptions()) }
    let relevant = session.show(diagnostics, of: workflow, at: path, running: .none)
    guard let workflow, !relevant.hasErrors else { throw .usageError }
    let walkthrough = WorkflowWalkthrough(workflow)
    switch format {
    case .json: session.printJSON(["workflow": walkthrough.json])
    case .text:
      session.printLine(
        WorkflowWalkthroughText(style: session.style(for: .output), isVerbose: verbose).render(walkthrough, path: path))
    }
  }

  /// Reads text that the user pastes into the terminal until Ctrl-D, or the content of a pipe or file.
  private func fromStandardInput(in session: Session) async throws(ExitStatus) -> Explanation {
    guard session.world.console.isTerminal(.error), session.world.files.kind(of: "/dev/stdin") != .file else {
      return try pasted("-", in: session)
    }
    // Read line by line, so that Ctrl-C can interrupt the command.
    var text = ""
    while let line = await session.world.console.readLine() {
      text += line + "\n"
      if text.utf8.count > 4 * PastedText.limit { text = String(text.suffix(PastedText.limit)) }
    }
    guard !Task.isCancelled else { throw .interrupted }
    return Explanation(pasted: PastedText(text))
  }

  private func pasted(_ path: String, in session: Session) throws(ExitStatus) -> Explanation {
    Explanation(pasted: PastedText(bytes: try session.read(path)))
  }

  // MARK: Output

  private func show(_ explanation: Explanation, in session: Session) throws(ExitStatus) {
    switch format {
    case .json: session.printJSON(explanation.json)
    case .text:
      let text = ExplanationText(style: session.style(for: .output)).explanation(explanation)
      if !text.isEmpty { session.printLine(text) }
      for error in explanation.errors { session.reportError(error.message, help: error.help) }
    }
    if let status = explanation.status { throw status }
  }

  private func listing(of topics: [String], in session: Session) throws(ExitStatus) {
    var selected = GlossaryEntry.Topic.allCases
    if !topics.isEmpty {
      selected = topics.compactMap { GlossaryEntry.Topic(rawValue: $0.lowercased()) }
      guard selected.count == topics.count else {
        let all = GlossaryEntry.Topic.allCases.map(\.rawValue).joined(separator: ", ")
        throw session.report(.usageError, "unknown topic", help: "use `--list` with one of \(all)")
      }
    }
    let entries = Glossary.whole.entries.filter { selected.contains($0.topic) }
    switch format {
    case .json: session.printJSON(JSON.array(entries.map(\.json)))
    case .text: session.printLine(ExplanationText(style: session.style(for: .output)).list(entries))
    }
  }
}

extension AppCode.Language: ExpressibleByArgument {}

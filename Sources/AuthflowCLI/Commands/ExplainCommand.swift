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
    abstract: "Tells what an error, a code, a word of the language or a whole workflow means, and what to do.",
    discussion: """
      Takes the errors of MSAL by name or number, AADSTS and AADB2C codes, OAuth errors and suberrors, keys of userInfo, \
      claims and parameters, kinds of step, outcomes, events, keys of the settings, and rules of validate. A path that \
      exists wins: a workflow is told as a lesson (what each step does, what MSAL does inside, what can come of it and where that \
      leads), any other text is read as a pasted error. A step is shown in the code of an app as well. - reads standard input: a printed \
      error of any MSAL, a token endpoint's answer, an error page, a redirect, lines of a log; nothing of it is shown again \
      but codes, ids and times.

      Ends with 1 where a code of the sign-in service is well formed and in no table here, with 2 where nothing is known.

      Example: authflow explain AADSTS65001
      """)

  // Numbers of MSAL begin with a hyphen, and would be taken for options otherwise.
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("A file, a word, a code, or - for standard input.", valueName: "what"), completion: .file())
  var subjects: [String] = []
  @Flag(help: "List everything that is known; with a topic only that.") var list = false
  @Option(
    help: ArgumentHelp(
      "Show a step in the code of an app: swift, objc, csharp (MSAL.NET), kotlin or java (MSAL for Android).",
      valueName: "language"))
  var code: AppCode.Language?
  @Flag(name: .shortAndLong, help: "Tell a workflow whole: every outcome, every scenario.") var verbose = false
  @Option(help: "text or json.") var format: OutputFormat = .text
  @OptionGroup var trust: TrustOptions

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try trust.take(in: session)
    let subjects = try checkedSubjects(in: session)
    if list { return try listing(of: subjects, in: session) }
    guard !subjects.isEmpty else {
      session.printStatus(
        "error: say what to explain, such as `authflow explain AADSTS65001`; `authflow explain --list` lists all")
      throw .usageError
    }
    if let path = subjects.first, subjects.count == 1 {
      if path == "-" { return try show(try await typed(in: session), in: session) }
      if session.world.files.kind(of: path) != nil { return try explainFile(path, in: session) }
    }
    var explanation = Explanation(lookingUp: subjects)
    if !explanation.addCodes(for: subjects, in: code), code != nil {
      let steps = AppCode.all.map(\.step).joined(separator: ", ")
      session.printStatus("error: --code shows a step in the code of an app\n  help: name one of \(steps)")
      throw .usageError
    }
    try show(explanation, in: session)
  }

  /// What stands on the command line, without options that there are not.
  private func checkedSubjects(in session: Session) throws(ExitStatus) -> [String] {
    var isLiteral = false
    var words: [String] = []
    for subject in subjects {
      if subject == "--", !isLiteral {
        isLiteral = true
      } else if !isLiteral, subject.hasPrefix("--") || subject.wholeMatch(of: /-[A-Za-z].*/) != nil {
        session.printStatus(
          "error: there is no option \(CaretFrame.visible(String(subject.prefix(40))))\n  help: authflow explain --help"
        )
        throw .usageError
      } else {
        words.append(subject)
      }
    }
    return words
  }

  // MARK: Files

  private func explainFile(_ path: String, in session: Session) throws(ExitStatus) {
    let bytes = try session.readInput(path)
    let reading = DocumentReader.read(bytes, named: path)
    let kind = reading.document.map { AppRegistrationKind.recognize($0) } ?? .unknown
    switch kind {
    case .workflow, .scenarios: try explainWorkflow(reading, path, in: session)
    case .unknown: try show(pasted(path, in: session), in: session)
    default:
      let pointers = Self.pointers(kind, path)
      switch format {
      case .json:
        session.printLine(
          (["kind": .string(kind.words), "see": .array(pointers.map { .string($0) })] as JSON).text(pretty: true),
          as: .json)
      case .text:
        session.printLine(
          ExplanationText(style: session.style(for: .output)).pointers("\(path): \(kind.words)", pointers))
      }
    }
  }

  private static func pointers(_ kind: AppRegistrationKind, _ path: String) -> [String] {
    switch kind {
    case .directory: ["tenants, users and policies of the emulated platform; a workflow names it with `directory:`"]
    case .tokenCache:
      [
        "authflow cache import \(path)   takes it over",
        "the accounts and tokens of MSAL for Python, .NET, Go and Java",
      ]
    case .authSettings, .androidConfig, .appsettings:
      [
        "authflow settings \(path) --explain   shows what MSAL makes of it, and where each value comes from",
        "authflow validate \(path)   says what is wrong with it",
      ]
    default: ["authflow validate \(path)   says what is wrong with it"]
    }
  }

  private func explainWorkflow(_ reading: ReadResult, _ path: String, in session: Session) throws(ExitStatus) {
    let load = session.load(inputs: [path])
    let (workflow, diagnostics) = WorkflowDecoder.read(reading) { load($0, ReadingOptions()) }
    let relevant = session.show(diagnostics, of: workflow, at: path, running: .none(by: "command"))
    guard let workflow, !relevant.hasErrors else { throw .usageError }
    let told = WorkflowWalkthrough(workflow)
    switch format {
    case .json: session.printLine((["workflow": told.json] as JSON).text(pretty: true), as: .json)
    case .text:
      session.printLine(
        WorkflowLessonText(style: session.style(for: .output), isWhole: verbose).lesson(told, path: path))
    }
  }

  /// What a user pastes into the terminal, until Ctrl-D; what a file or a pipe holds otherwise.
  private func typed(in session: Session) async throws(ExitStatus) -> Explanation {
    guard session.world.console.isTerminal(.error), session.world.files.kind(of: "/dev/stdin") != .file else {
      return try pasted("-", in: session)
    }
    // Line by line, so that Ctrl-C is heard while nobody types.
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

  // MARK: Showing

  private func show(_ explanation: Explanation, in session: Session) throws(ExitStatus) {
    switch format {
    case .json: session.printLine(explanation.json.text(pretty: true), as: .json)
    case .text:
      let text = ExplanationText(style: session.style(for: .output)).explanation(explanation)
      if !text.isEmpty { session.printLine(text) }
      for remark in explanation.complaints { session.printStatus(remark) }
    }
    if let status = explanation.status { throw status }
  }

  private func listing(of topics: [String], in session: Session) throws(ExitStatus) {
    var wanted = GlossaryEntry.Topic.allCases
    if !topics.isEmpty {
      wanted = topics.compactMap { GlossaryEntry.Topic(rawValue: $0.lowercased()) }
      guard wanted.count == topics.count else {
        let all = GlossaryEntry.Topic.allCases.map(\.rawValue).joined(separator: ", ")
        session.printStatus("error: --list takes topics: \(all)")
        throw .usageError
      }
    }
    let entries = Glossary.whole.entries.filter { wanted.contains($0.topic) }
    switch format {
    case .json: session.printLine(JSON.array(entries.map(\.json)).text(pretty: true), as: .json)
    case .text: session.printLine(ExplanationText(style: session.style(for: .output)).list(entries))
    }
  }
}

extension AppCode.Language: ExpressibleByArgument {}

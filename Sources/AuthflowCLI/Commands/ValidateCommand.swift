import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import Validation

struct ValidateCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Checks settings, workflows and directories, each and against each other.",
    discussion: """
      Files are known by their content, not by their name; folders are searched. Ends with 1 where there is an error, \
      with --strict also where there is a warning.

      Example: authflow validate Workflows
      """)

  @Argument(help: "Files and folders.") var paths: [String] = []
  @Option(help: ArgumentHelp("A build setting; may be repeated.", valueName: "NAME=value")) var define: [String] = []
  @Option(help: "text or json.") var format: OutputFormat = .text
  @Flag(help: "Warnings fail too.") var strict = false
  @Flag(help: "List the rules.") var rules = false

  func perform(in session: Session) async throws(ExitStatus) {
    if rules { return listRules(in: session) }
    guard !paths.isEmpty else {
      session.remark("error: name the files or folders to check, such as `authflow validate .`")
      throw .unusable
    }
    let definitions = try Definitions.values(of: define, in: session)
    let (files, unreadable) = ProjectFiles(session: session).collect(paths)
    let report = ProjectValidator(definitions: definitions, load: session.load).validate(files)
    let diagnostics = unreadable + report.diagnostics
    switch format {
    case .json: session.say(DiagnosticJSON.json(diagnostics).text(pretty: true))
    case .text:
      session.show(diagnostics)
      session.say(Self.summary(diagnostics, files: report.files.count))
    }
    if !unreadable.isEmpty { throw .unusable }
    if diagnostics.contains(where: { $0.severity == .error || strict && $0.severity == .warning }) { throw .failed }
  }

  private static func summary(_ diagnostics: [Diagnostic], files: Int) -> String {
    func count(_ severity: Diagnostic.Severity) -> String {
      let number = diagnostics.count { $0.severity == severity }
      return "\(number) \(severity.rawValue)\(number == 1 ? "" : "s")"
    }
    let checked = "\(files) file\(files == 1 ? "" : "s") checked"
    return "\(checked): \(count(.error)), \(count(.warning)), \(count(.note))"
  }

  private func listRules(in session: Session) {
    for rule in RuleSet.all.rules {
      session.say("\(rule.id)  \(rule.severity.rawValue)\n    \(rule.words)")
    }
  }
}

/// The files that are meant by a list of paths.
struct ProjectFiles {
  let session: Session

  /// Files outside these kinds hold nothing that is checked here.
  private static let endings = [".plist", ".json", ".yaml", ".yml", ".entitlements"]
  /// Folders of other people's files, and of what tools make.
  private static let passedOver: Set<String> = ["node_modules", "Pods", "DerivedData", "build", "Carthage", "vendor"]
  private static let deepest = 32
  private static let mostFiles = 10_000

  func collect(_ paths: [String]) -> (files: [NamedFile], unreadable: [Diagnostic]) {
    var files: [NamedFile] = []
    var unreadable: [Diagnostic] = []
    for path in paths {
      if session.world.files.kind(of: path) == .directory {
        search(path, depth: 0, &files)
      } else {
        switch session.bytes(of: path) {
        case .success(let bytes): files.append(NamedFile(name: path, bytes: bytes))
        case .failure(let failure): unreadable.append(failure.diagnostic)
        }
      }
    }
    return (files, unreadable)
  }

  private func search(_ folder: String, depth: Int, _ files: inout [NamedFile]) {
    guard depth < Self.deepest, let names = try? session.world.files.list(folder) else { return }
    for name in names where !name.hasPrefix(".") && !Self.passedOver.contains(name) && files.count < Self.mostFiles {
      let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
      switch session.world.files.kind(of: path) {
      case .directory: search(path, depth: depth + 1, &files)
      case .file where Self.endings.contains(where: { name.lowercased().hasSuffix($0) }):
        if case .success(let bytes) = session.bytes(of: path) { files.append(NamedFile(name: path, bytes: bytes)) }
      default: break
      }
    }
  }
}

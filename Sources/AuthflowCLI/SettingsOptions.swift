import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects

/// The options that supply values for settings: an environment, build settings, and variables.
struct SettingsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the settings for this environment",
      discussion: "For `dev`, values in AuthSettings.dev.plist override values in AuthSettings.plist.",
      valueName: "name"))
  var environment: String?
  @OptionGroup var defined: DefineOptions
  @OptionGroup var envFiles: EnvFileOptions

  /// Reads the files that the options specify.
  /// - Returns: A session that provides the variables, and the definitions for the settings.
  /// - Throws: `.usageError` if an option or a file is invalid. The reason has been reported.
  func apply(to session: Session) throws(ExitStatus) -> (session: Session, definitions: Definitions) {
    if let environment, !SettingsOverlay.isEnvironment(environment) {
      throw session.report(
        .usageError, "invalid environment name `\(CaretFrame.visible(environment))`",
        help: "use only letters, digits, `-`, and `_`")
    }
    let granted = try envFiles.apply(to: session)
    return (granted, try defined.definitions(in: granted))
  }
}

/// The options that define values for references in settings: `$(NAME)`, `${NAME}`, and `${env:NAME}`.
struct DefineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Define `$(NAME)` in settings, overriding variables (repeatable)",
      valueName: "NAME=value"))
  var define: [String] = []

  /// Returns the definitions, which override the session's variables.
  /// - Throws: `.usageError` if an argument is malformed.
  func definitions(in session: Session) throws(ExitStatus) -> Definitions {
    try Definitions(arguments: define, in: session).or(session.world.environment.grants.variables)
  }
}

/// The option that specifies `.env` files.
struct EnvFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the variables in this .env file (repeatable)",
      discussion:
        "They define `${env:NAME}`, `${secret:NAME}`, and references in settings. Exported variables override them.",
      valueName: "file"), completion: .file())
  var envFile: [String] = []

  /// Returns a session that gives workflows, secrets, and settings access to the variables. The process's own
  /// environment is unchanged.
  /// - Throws: `.usageError` if a file cannot be read.
  func apply(to session: Session) throws(ExitStatus) -> Session {
    var variables: [String: String] = [:]
    for path in envFile {
      let bytes = try session.read(path)
      let file = EnvFile.read(bytes, named: path == "-" ? "<stdin>" : path)
      session.show(file.diagnostics)
      guard !file.diagnostics.hasErrors else { throw .usageError }
      variables.merge(file.values) { $1 }
    }
    for name in variables.keys {
      if let exported = session.world.environment.variables[name] { variables[name] = exported }
    }
    var granted = session
    granted.world.environment.grants.variables.merge(variables) { $1 }
    return granted
  }
}

/// The options that define secrets.
struct SecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Define `${secret:NAME}` (repeatable)",
      discussion: "The value comes from the variable NAME, a file, or the output of a shell command.",
      valueName: "NAME[=file:path|=command:line]"))
  var secret: [String] = []

  /// Resolves the secrets by reading variables and files and by running commands.
  /// - Returns: A session that provides the secrets.
  /// - Throws: `.usageError` if an option is malformed, or `.environmentFailure` if a secret cannot be read.
  func apply(to session: Session) async throws(ExitStatus) -> Session {
    var granted = session
    for (name, source) in try sources(in: session) {
      granted.world.environment.grants.secrets[name] = try await source.value(of: name, in: session)
    }
    return granted
  }

  private func sources(in session: Session) throws(ExitStatus) -> [(name: String, source: SecretSource)] {
    var sources: [(name: String, source: SecretSource)] = []
    for argument in secret {
      // The error does not repeat the argument, which can contain the secret.
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts[0].isVariableName, let source = parts.count == 1 ? .environment : SecretSource(String(parts[1]))
      else {
        throw session.report(
          .usageError, "malformed option `--secret`",
          help: "write `--secret NAME`, `--secret NAME=file:PATH`, or `--secret 'NAME=command:LINE'`")
      }
      sources.append((String(parts[0]), source))
    }
    return sources
  }
}

/// The source of a secret.
enum SecretSource: Hashable, Sendable {
  /// The environment variable with the same name as the secret.
  case environment
  case file(String)
  /// The output of a shell command.
  case command(String)

  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = String(text[text.index(after: colon)...])
    guard !rest.isEmpty else { return nil }
    switch text[..<colon] {
    case "file": self = .file(rest)
    case "command": self = .command(rest)
    default: return nil
    }
  }

  /// The size limit for secrets, in bytes.
  private static let sizeLimit = 64 << 10

  /// Reads the secret, without a trailing line break.
  func value(of name: String, in session: Session) async throws(ExitStatus) -> String {
    let bytes: [UInt8]
    switch self {
    case .environment:
      guard let value = session.world.environment.variables[name] else {
        throw session.report(
          .usageError, "environment variable `\(name)` is not set", help: "set it, or pass `--secret \(name)=file:PATH`"
        )
      }
      bytes = Array(value.utf8)
    case .file(let path):
      do throws(FileFailure) { bytes = try session.world.files.read(path, limit: Self.sizeLimit) } catch {
        throw session.report(.environmentFailure, "secret `\(name)`: \(error.explanation)")
      }
    case .command(let line):
      do throws(ProgramFailure) {
        bytes = try await session.world.programs.output(of: ["/bin/sh", "-c", line], limit: Self.sizeLimit)
      } catch {
        throw session.report(.environmentFailure, "secret `\(name)`: command \(error.reason)")
      }
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw session.report(.environmentFailure, "secret `\(name)` is not UTF-8 text")
    }
    if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
    guard !text.isEmpty else {
      throw session.report(.environmentFailure, "secret `\(name)` is empty")
    }
    return text
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Whether the string is a valid environment variable name.
  var isVariableName: Bool { wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil }
}

import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects

/// What settings are completed with from outside: an environment's own values, build settings and variables.
struct SettingsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Lay this environment's settings over the settings file: AuthSettings.dev.plist over AuthSettings.plist for dev.",
      valueName: "name"))
  var environment: String?
  @OptionGroup var defined: DefineOptions
  @OptionGroup var envFiles: EnvFileOptions

  /// Reads the files.
  /// - Returns: the session that grants the variables, and what the settings file may refer to.
  /// - Throws: `.unusable`.
  func take(in session: Session) throws(ExitStatus) -> (session: Session, definitions: Definitions) {
    if let environment, !SettingsOverlay.isEnvironment(environment) {
      session.printStatus(
        "error: --environment \(CaretFrame.visible(environment)) is no name of an environment\n  help: it becomes a part of "
          + "a file's name: letters, digits, - and _")
      throw .usageError
    }
    let granted = try envFiles.take(in: session)
    return (granted, try defined.definitions(in: granted))
  }
}

/// Values for references in settings: `$(NAME)`, `${NAME}`, and `${env:NAME}`.
struct DefineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Define $(NAME) in settings; wins over variables of --env and --env-file. May be repeated.",
      valueName: "NAME=value"))
  var define: [String] = []

  /// The definitions, over the variables that the session grants.
  /// - Throws: `.unusable` if an argument is malformed.
  func definitions(in session: Session) throws(ExitStatus) -> Definitions {
    try Definitions(arguments: define, in: session).or(session.world.environment.grants.variables)
  }
}

/// Files of variables.
struct EnvFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pass the variables of a .env file to ${env:…}, ${secret:…}, and the settings; exported values win. May be repeated.",
      valueName: "file"), completion: .file())
  var envFile: [String] = []

  /// Reads the files. The variables reach workflows, secrets, and settings only: the process keeps its own environment.
  /// - Throws: `.unusable` if a file cannot be read.
  func take(in session: Session) throws(ExitStatus) -> Session {
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
    var taken = session
    taken.world.environment.grants.variables.merge(variables) { $1 }
    return taken
  }
}

/// Where a run's secrets are kept.
struct SecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pass a secret to ${secret:NAME}: an environment variable, a file's content, or the output of a command. May be repeated.",
      valueName: "NAME[=file:path|=command:line]"))
  var secret: [String] = []

  /// Reads the variables and files, and runs the commands.
  /// - Returns: the session that grants the secrets.
  /// - Throws: `.unusable` if an option is malformed, `.surroundings` if a secret cannot be read.
  func take(in session: Session) async throws(ExitStatus) -> Session {
    var taken = session
    for (name, source) in try sources(in: session) {
      taken.world.environment.grants.secrets[name] = try await source.value(of: name, in: session)
    }
    return taken
  }

  private func sources(in session: Session) throws(ExitStatus) -> [(name: String, source: SecretSource)] {
    var sources: [(name: String, source: SecretSource)] = []
    for argument in secret {
      // What is wrong may hold the secret itself: it is not repeated.
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts[0].wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil,
        let source = parts.count == 1 ? .environment : SecretSource(String(parts[1]))
      else {
        session.printStatus(
          "error: `--secret` is malformed\n  help: write NAME, NAME=file:path, or NAME=command:line, as in "
            + "--secret SEED='command:pass show seed'")
        throw .usageError
      }
      sources.append((String(parts[0]), source))
    }
    return sources
  }
}

/// Where a secret is kept.
enum SecretSource: Hashable, Sendable {
  /// The environment variable of the same name.
  case environment
  case file(String)
  /// A line for the shell.
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

  /// Longer ones are none that somebody types or a tenant gives out.
  private static let longest = 64 << 10

  /// The secret, without the line's end behind it.
  func value(of name: String, in session: Session) async throws(ExitStatus) -> String {
    let bytes: [UInt8]
    switch self {
    case .environment:
      guard let value = session.world.environment.variables[name] else {
        session.printStatus(
          "error: environment variable `\(name)` is not set\n  help: set it, or pass `--secret \(name)=file:PATH`")
        throw .usageError
      }
      bytes = Array(value.utf8)
    case .file(let path):
      do throws(FileFailure) { bytes = try session.world.files.read(path, limit: Self.longest) } catch {
        session.printStatus("error: the secret \(name): \(error.explanation)")
        throw .environmentFailure
      }
    case .command(let line):
      do throws(ProgramFailure) {
        bytes = try await session.world.programs.output(of: ["/bin/sh", "-c", line], limit: Self.longest)
      } catch {
        session.printStatus("error: the secret \(name): its command \(error.reason)")
        throw .environmentFailure
      }
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      session.printStatus("error: the secret \(name) is no text in UTF-8")
      throw .environmentFailure
    }
    if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
    guard !text.isEmpty else {
      session.printStatus("error: the secret \(name) is empty")
      throw .environmentFailure
    }
    return text
  }
}

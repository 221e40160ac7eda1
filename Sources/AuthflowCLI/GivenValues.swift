import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects

/// What settings are completed with from outside: an environment's own values, build settings and variables.
struct GivenValues: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Lay this environment's settings over the settings file: AuthSettings.dev.plist over AuthSettings.plist for dev.",
      valueName: "name"))
  var environment: String?
  @Option(help: ArgumentHelp("A build setting for the settings file; may be repeated.", valueName: "NAME=value"))
  var define: [String] = []
  @Option(
    help: ArgumentHelp(
      "Variables for ${env:…}, ${secret:…} and the settings file, from a .env file; those of the environment win. May be repeated.",
      valueName: "file"), completion: .file())
  var envFile: [String] = []

  /// Reads the files.
  /// - Returns: the session with the variables in its environment, and what the settings file may refer to.
  /// - Throws: `.unusable`.
  func take(in session: Session) throws(ExitStatus) -> (session: Session, definitions: Definitions) {
    if let environment, !SettingsOverlay.isEnvironment(environment) {
      session.remark(
        "error: --environment \(CaretFrame.visible(environment)) is no name of an environment\n  help: it becomes a part of "
          + "a file's name: letters, digits, - and _")
      throw .unusable
    }
    var variables: [String: String] = [:]
    for path in envFile {
      let bytes = try session.read(path)
      let file = EnvFile.read(bytes, named: path == "-" ? "<stdin>" : path)
      session.show(file.diagnostics)
      guard !file.diagnostics.hasErrors else { throw .unusable }
      variables.merge(file.values) { $1 }
    }
    var taken = session
    taken.world.environment.variables.merge(variables) { own, _ in own }
    return (taken, try Definitions(arguments: define, in: session).or(variables))
  }
}

/// Where a run's secrets are kept.
struct GivenSecrets: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where ${secret:NAME} comes from: a file's content, or what a command prints. May be repeated.",
      valueName: "NAME=file:path|command:line"))
  var secret: [String] = []

  /// Reads the files, and asks the commands.
  /// - Returns: the secrets by name.
  /// - Throws: `.unusable` where an option is not understood, `.surroundings` where a secret cannot be had.
  func take(in session: Session) async throws(ExitStatus) -> [String: String] {
    var secrets: [String: String] = [:]
    for (name, source) in try sources(in: session) { secrets[name] = try await source.value(of: name, in: session) }
    return secrets
  }

  private func sources(in session: Session) throws(ExitStatus) -> [(name: String, source: SecretSource)] {
    var sources: [(name: String, source: SecretSource)] = []
    for argument in secret {
      // What is wrong may hold the secret itself: it is not repeated.
      guard let equals = argument.firstIndex(of: "="),
        argument[..<equals].wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil,
        let source = SecretSource(String(argument[argument.index(after: equals)...]))
      else {
        session.remark(
          "error: --secret is not understood\n  help: write NAME=file:path or NAME=command:line, as in "
            + "--secret SEED='command:pass show seed'")
        throw .unusable
      }
      sources.append((String(argument[..<equals]), source))
    }
    return sources
  }
}

/// Where a secret is kept.
enum SecretSource: Hashable, Sendable {
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
    case .file(let path):
      do throws(FileFailure) { bytes = try session.world.files.read(path, limit: Self.longest) } catch {
        session.remark("error: the secret \(name): \(error.explanation)")
        throw .surroundings
      }
    case .command(let line):
      do throws(ProgramFailure) {
        bytes = try await session.world.programs.output(of: ["/bin/sh", "-c", line], limit: Self.longest)
      } catch {
        session.remark("error: the secret \(name): its command \(error.reason)")
        throw .surroundings
      }
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      session.remark("error: the secret \(name) is no text in UTF-8")
      throw .surroundings
    }
    if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
    guard !text.isEmpty else {
      session.remark("error: the secret \(name) is empty")
      throw .surroundings
    }
    return text
  }
}

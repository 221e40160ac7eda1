import ArgumentParser
import Diagnostics
import Documents
import Effects

/// Options that let the files of a project refer to more than the project.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Let files refer to this folder too; may be repeated.", valueName: "folder"),
    completion: .directory)
  var root: [String] = []

  /// Adds the folders, and everything that the user's own configuration allows, to the session's grants.
  /// - Throws: `.unusable` if the configuration has errors.
  func take(in session: Session) throws(ExitStatus) -> Session {
    let configuration = try UserConfiguration.load(in: session)
    var session = session
    session.allowsLive = configuration.live
    var grants = session.world.environment.grants
    grants.roots += root + configuration.roots
    grants.hosts += configuration.hosts.compactMap { HostGrant($0.value) }
    let variables = session.world.environment.variables
    for name in configuration.env { grants.variables[name.value] = variables[name.value] }
    for name in configuration.secrets { grants.secrets[name.value] = variables[name.value] }
    session.world.environment.grants = grants
    return session
  }
}

/// Hosts that may receive tokens of a live run.
struct HostOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Let tokens of APIs other than Graph go to this host; may be repeated.", valueName: "host[:port]"))
  var allowHost: [String] = []

  func take(in session: Session) throws(ExitStatus) -> Session {
    var session = session
    for text in allowHost {
      guard let host = HostGrant(text) else {
        session.printStatus(
          "error: `--allow-host \(CaretFrame.visible(text))` is not a host"
            + "\n  help: write a host name, with a port if it is not 443: `--allow-host api.contoso.com:8443`")
        throw .usageError
      }
      session.world.environment.grants.hosts.append(host)
    }
    return session
  }
}

/// The place of everything that a workflow writes.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write outputs of the workflow (saveTo) to this folder (default: the working directory).", valueName: "folder"),
    completion: .directory)
  var output: String?
  @Flag(help: "Replace existing files that authflow did not write.") var overwrite = false

  func take(in session: Session) throws(ExitStatus) -> Session {
    var session = session
    if let output, session.world.files.kind(of: output) != .directory {
      session.printStatus(
        "error: `--output \(CaretFrame.visible(output))` is not a folder\n  help: create it, or name an existing folder"
      )
      throw .usageError
    }
    session.world.environment.grants.outputFolder = output
    session.world.environment.grants.overwrites = overwrite
    return session
  }
}

/// Environment variables that reach a workflow.
struct VariableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pass an environment variable to ${env:NAME}, or a value; may be repeated.", valueName: "NAME[=value]"))
  var env: [String] = []

  func take(in session: Session) throws(ExitStatus) -> Session {
    var session = session
    for argument in env {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts[0].wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else {
        session.printStatus(
          "error: `--env` requires the name of a variable\n  help: write `--env NAME` or `--env NAME=value`")
        throw .usageError
      }
      guard let value = parts.count == 2 ? parts[1] : session.world.environment.variables[parts[0]] else {
        session.printStatus(
          "error: environment variable `\(parts[0])` is not set\n  help: set it, or pass `--env \(parts[0])=value`")
        throw .usageError
      }
      session.world.environment.grants.variables[parts[0]] = value
    }
    return session
  }
}

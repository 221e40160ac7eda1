import ArgumentParser
import Diagnostics
import Documents
import Effects

/// The option that allows project files to refer to files outside the project.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Allow references to files in this folder (repeatable)", valueName: "folder"),
    completion: .directory)
  var root: [String] = []

  /// Returns a session with access to the folders of this option, and with the access that the user's configuration
  /// grants.
  /// - Throws: `.usageError` if the configuration has errors.
  func apply(to session: Session) throws(ExitStatus) -> Session {
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

/// The option for the hosts that can receive tokens in a live run.
struct HostOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Allow sending tokens for APIs other than Graph to this host (repeatable)", valueName: "host[:port]"))
  var allowHost: [String] = []

  func apply(to session: Session) throws(ExitStatus) -> Session {
    var session = session
    for text in allowHost {
      guard let host = HostGrant(text) else {
        throw session.report(
          .usageError, "invalid host in `--allow-host \(CaretFrame.visible(text))`",
          help: "write a host name, with a port if it is not 443: `--allow-host api.contoso.com:8443`")
      }
      session.world.environment.grants.hosts.append(host)
    }
    return session
  }
}

/// The options for the output files of a workflow.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write `saveTo` outputs here (default: the working directory)", valueName: "folder"),
    completion: .directory)
  var output: String?
  @Flag(help: "Overwrite existing files that authflow did not write") var overwrite = false

  func apply(to session: Session) throws(ExitStatus) -> Session {
    var session = session
    if let output, session.world.files.kind(of: output) != .directory {
      throw session.report(
        .usageError, "`--output \(CaretFrame.visible(output))` is not a folder",
        help: "create it, or pass an existing folder")
    }
    session.world.environment.grants.outputFolder = output
    session.world.environment.grants.overwrites = overwrite
    return session
  }
}

/// The option for the environment variables that a workflow can read.
struct VariableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pass an environment variable or value to `${env:NAME}` (repeatable)", valueName: "NAME[=value]"))
  var env: [String] = []

  func apply(to session: Session) throws(ExitStatus) -> Session {
    var session = session
    for argument in env {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts[0].isVariableName else {
        throw session.report(
          .usageError, "`--env` requires the name of a variable", help: "write `--env NAME` or `--env NAME=value`")
      }
      guard let value = parts.count == 2 ? parts[1] : session.world.environment.variables[parts[0]] else {
        throw session.report(
          .usageError, "environment variable `\(parts[0])` is not set",
          help: "set it, or pass `--env \(parts[0])=value`")
      }
      session.world.environment.grants.variables[parts[0]] = value
    }
    return session
  }
}

import ArgumentParser
import Diagnostics
import Documents
import EditorProtocols
import Effects

struct MCPCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Serve tools for coding agents (Model Context Protocol)",
    discussion: """
      Reads messages from standard input and writes responses to standard output, one per line, until standard input \
      closes. Agents can validate files, run and test workflows on the emulator, explain errors, and read the handbook.

      The server reads only files in its folder, and never `.env` files or version control folders. It does not write \
      files, and it does not use the network unless you pass `--live`.

      Examples:
        authflow mcp
        authflow mcp --root ~/Projects/app
      """)

  @Option(
    help: ArgumentHelp("Allow reading only in this folder (default: the working directory)", valueName: "folder"),
    completion: .directory)
  var root: String?
  @Flag(help: "Allow runs against the live service") var live = false
  @OptionGroup var envFiles: EnvFileOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var secrets: SecretOptions
  @OptionGroup var hosts: HostOptions

  func perform(in session: Session) async throws(ExitStatus) {
    let folder = session.absolutePath(root ?? ".")
    guard session.world.files.kind(of: folder) == .directory else {
      throw session.report(
        .usageError, "`--root \(CaretFrame.visible(root ?? "."))` is not a folder",
        help: "pass your project's folder")
    }
    let session = try await hosts.apply(to: secrets.apply(to: variables.apply(to: envFiles.apply(to: session))))
    let project = MCPProject(at: folder, allowsLive: live, in: session.world)
    let stream = MessageStream(console: session.world.console, framing: .lines)
    await MCPMethods(project: project).server(on: stream).run()
    if Task.isCancelled { throw .interrupted }
    if let error = stream.outputError {
      throw session.report(.environmentFailure, "cannot write to standard output: \(error)")
    }
  }
}

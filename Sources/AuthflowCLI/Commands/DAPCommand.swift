import ArgumentParser
import EditorProtocols

struct DAPCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "dap", abstract: "Debug scenarios from an editor",
    discussion: """
      Starts a Debug Adapter Protocol server on standard input and output. An editor starts this command and sends a \
      `launch` request with the keys `program` (a workflow or scenarios file), `scenario` (a scenario name), and \
      `stopOnEntry`. The run uses the emulator and a virtual clock, like `authflow test`.

      Example:
        authflow dap
      """)

  @OptionGroup var defined: DefineOptions
  @OptionGroup var envFiles: EnvFileOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var secrets: SecretOptions
  @OptionGroup var trust: TrustOptions

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try await secrets.apply(to: variables.apply(to: envFiles.apply(to: trust.apply(to: session))))
    let definitions = try defined.definitions(in: session)
    await DebugAdapter(world: session.world, tool: "authflow \(Version.text)", definitions: definitions).run()
  }
}

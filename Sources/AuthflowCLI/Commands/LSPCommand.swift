import ArgumentParser
import EditorProtocols

struct LSPCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Start the language server for editors",
    discussion: """
      Editors start this command. It reads and writes Language Server Protocol 3.17 messages on standard input and \
      standard output, and writes its log to standard error. It validates the files in the folder that the editor \
      opens, including unsaved changes, and runs scenarios on the emulator.

      Examples:
        authflow lsp
        authflow lsp --stdio
      """)

  @Flag(help: "Use standard input and output (the default and only transport)")
  var stdio = false

  func perform(in session: Session) async throws(ExitStatus) {
    let server = LanguageServer(world: session.world, tool: "authflow \(Version.text)")
    // LSP 3.17, `exit`: a session without `shutdown` ends with an error.
    guard await server.run() else { throw .failed }
  }
}

import AuthflowCLI
import Testing

@Suite struct CompletionsTests {
  @Test("prints a script that completes all commands", arguments: ["bash", "zsh", "fish"])
  func script(shell: String) async throws {
    let result = try await TerminalSession().run("completions", shell)
    #expect(result.status == .success && result.error.isEmpty)
    for command in ["run", "test", "validate", "emulator", "learn", "completions"] {
      #expect(result.output.contains(command), "\(command)")
    }
    #expect(result.output.contains(shell == "zsh" ? "#compdef authflow" : "complete "))
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test("rejects other shells", arguments: [["completions", "powershell"], ["completions", ""]])
  func otherShells(arguments: [String]) async throws {
    let result = try await TerminalSession().run(arguments)
    #expect(result.status == .usageError && result.output.isEmpty)
    #expect(result.error.contains("bash"), "\(result.error)")
  }

  @Test("requires a shell") func missingShell() async throws {
    let result = try await TerminalSession().run(["completions"])
    #expect(result.status == .usageError && result.error.contains("Missing expected argument"))
  }
}

import ArgumentParser
import Effects

struct CompletionsCommand: SessionCommand {
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    var completionShell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print the completion script for a shell",
    discussion: """
      The Debian package and the archive contain these scripts. If you installed authflow in another way, save the script \
      where your shell looks for completions.

      Examples:
        authflow completions bash > ~/.local/share/bash-completion/completions/authflow
        authflow completions fish > ~/.config/fish/completions/authflow.fish
      """)

  @Argument(help: "Shell") var shell: Shell

  func perform(in session: Session) async throws(ExitStatus) {
    session.printLine(AuthflowCommand.completionScript(for: shell.completionShell), as: .data)
  }
}

import AuthflowCLI
import Foundation
import TestSupport
import Testing

/// The command reference in the documentation matches the command line. `UPDATE_GOLDEN=1` updates the reference.
@Suite struct CommandPagesTests {
  static let folder = "Sources/authflow/authflow.docc/Reference/Commands"

  @Test func `the pages match the command declarations`() throws {
    let folder = ProjectFiles.directory.appending(path: Self.folder)
    let pages = try CommandPages.all
    if ProjectFiles.updatesGoldenFiles {
      for name in try ProjectFiles.files(in: Self.folder) {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
      for page in pages {
        try page.markdown.write(to: folder.appending(path: page.name + ".md"), atomically: true, encoding: .utf8)
      }
    }
    #expect(try ProjectFiles.files(in: Self.folder).sorted() == pages.map { $0.name + ".md" }.sorted())
    for page in pages {
      let file = folder.appending(path: page.name + ".md")
      #expect(try String(contentsOf: file, encoding: .utf8) == page.markdown, "\(page.name)")
    }
  }

  @Test func `every option in the help is on the command's page`() async throws {
    let pages = try CommandPages.all
    #expect(pages.count > 20)
    for page in pages {
      let command = page.name.split(separator: "-").dropFirst().map(String.init)
      let help = try await TerminalSession().run(["help"] + command)
      #expect(help.status == .success)
      let options = help.output.matches(of: /(?m)^  (?:-\w, )?(--[\w-]+)/).map { String($0.1) }
      #expect(options.contains("--help"))
      for option in options where page.name == "Commands" || !["--help", "--version"].contains(option) {
        #expect(page.markdown.contains(option), "\(page.name) lacks \(option)")
      }
      let usage = try #require(help.output.firstMatch(of: /USAGE: (\S+ ?\S*)/)?.1)
      #expect(page.markdown.contains("\n\(usage)"), "\(page.name) lacks its usage")
    }
  }

  @Test func `options are formatted as code, and Markdown characters are escaped`() {
    #expect(
      HelpMarkdown.prose("With --to x (or -o): a_b * <c> | [d] `--e <f>`.")
        == #"With `--to` x (or `-o`): a\_b \* \<c\> \| \[d\] `--e <f>`."#)
    #expect(HelpMarkdown.prose("- for standard input") == "`-` for standard input")
    #expect(HelpMarkdown.prose("one ` alone") == #"one \` alone"#)
  }

  @Test func `examples become shell code blocks`() {
    let text = """
      Ends
      with 1.

      Examples:
        authflow reset
        authflow test '*'
      """
    let markdown = """
      Ends with 1.

      Examples:

      ```sh
      authflow reset
      authflow test '*'
      ```
      """
    #expect(HelpMarkdown.text(text) == markdown)
  }
}

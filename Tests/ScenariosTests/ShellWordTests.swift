import Scenarios
import Testing

/// Tests that users can copy command lines to a shell and run them.
@Suite struct ShellWordTests {
  @Test(arguments: [
    ("plain-1.yaml", "plain-1.yaml"),
    ("two words", "'two words'"),
    ("it's", #"'it'\''s'"#),
    ("", "''"),
    ("größer", "'größer'"),
    ("bell\u{7}", #"$'bell\007'"#),
    ("a\u{1B}[31mb", #"$'a\033[31mb'"#),
    ("it's\ta \\", #"$'it\'s\011a \\'"#),
    ("ü\u{202E}x9", #"$'ü\342\200\256x9'"#),
  ])
  func quotesWords(word: String, quoted: String) {
    #expect(ShellWord.quoted(word) == quoted)
  }

  @Test func valuesAreNotParsedAsOptions() {
    #expect(ShellWord.option("--filter", "-x") == "--filter=-x")
    #expect(ShellWord.option("--filter", "a\nb") == #"--filter $'a\012b'"#)
    #expect(ShellWord.file("-x.yaml") == "./-x.yaml")
  }
}

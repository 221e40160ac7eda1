import AuthflowCLI
import Effects
import SimulatedWorld
import Testing

/// `GuardedConsole` escapes output for terminals and for the logs of CI runners.
@Suite struct LogCommandsTests {
  static func written(
    _ texts: [String], as content: ConsoleContent = .text, variables: [String: String] = ["GITHUB_ACTIONS": "true"],
    terminals: Set<ConsoleStream> = []
  ) -> BufferedConsole {
    let console = BufferedConsole(terminals: terminals)
    let guarded = GuardedConsole(console, environment: Environment(variables: variables, workingDirectory: "/"))
    for text in texts { guarded.write(text, to: .output, as: content) }
    return console
  }

  @Test(
    "escapes commands that runners read from logs",
    arguments: [
      ("::error::x", "\\u{3A}:error::x"), ("a\n  ::add-mask::x\n", "a\n  \\u{3A}:add-mask::x\n"),
      ("\u{A0}\u{3000}\u{2009}::x", "\u{A0}\u{3000}\u{2009}\\u{3A}:x"), ("a\t##[group]x", "a\t\\u{23}#[group]x"),
      ("a ##vso[task.setvariable]", "a \\u{23}#vso[task.setvariable]"),
      ("##teamcity[buildStop]", "\\u{23}#teamcity[buildStop]"), ("###[x]", "#\\u{23}#[x]"),
      ("a\r::error::x", "a␍::error::x"), ("a\r\n::error::x", "a\r\n\\u{3A}:error::x"),
      ("a ::error::x", "a ::error::x"), ("## [1] a::b C::d :x", "## [1] a::b C::d :x"), ("", ""),
    ])
  func commands(text: String, shown: String) {
    #expect(Self.written([text]).output == shown)
  }

  @Test("recognizes commands that are split across writes")
  func pieces() {
    #expect(Self.written(["a", "::b\n", " ", "::c"]).output == "a::b\n \\u{3A}:c")
    #expect(Self.written(["x\n:", ":error::x"]).output == "x\n\\u{3A}:error::x")
  }

  @Test("does not change text outside CI", arguments: [["CI": "true"], ["GITHUB_ACTIONS": ""]])
  func elsewhere(variables: [String: String]) {
    #expect(Self.written(["::error::x ##[group]\n"], variables: variables).output == "::error::x ##[group]\n")
  }

  @Test(
    "detects CI runners that execute commands in logs", arguments: ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"])
  func runners(variable: String) {
    #expect(Self.written(["##[group]"], variables: [variable: "1"]).output == "\\u{23}#[group]")
  }

  @Test("writes data unchanged to a pipe, without runner commands to a log, and escaped to a terminal")
  func data() {
    let text = "\u{1B}[31m\u{202E}\r\u{85}::error::x\n"
    #expect(Self.written([text], as: .data, variables: [:]).output == text)
    let log = Self.written([text, text], as: .data)
    #expect(log.output == String(repeating: "\u{1B}[31m\u{202E}\r\u{85}\\u{3A}:error::x\n", count: 2))
    #expect(log.error.split(separator: "\n").count == 2, "one warning and its help: \(log.error)")
    let terminal = Self.written([text], as: .data, variables: [:], terminals: [.output])
    #expect(terminal.output == "␛[31m\\u{202E}␍\\u{85}::error::x\n")
  }

  @Test("does not change binary data")
  func binaryData() {
    let console = BufferedConsole()
    let guarded = GuardedConsole(
      console, environment: Environment(variables: ["GITHUB_ACTIONS": "true"], workingDirectory: "/"))
    let bytes = [UInt8](0...255)
    guarded.write(bytes, to: .output, as: .data)
    #expect(console.outputBytes == bytes)
    #expect(console.error == "")
  }

  @Test("escapes JSON without changing its values")
  func json() {
    let console = Self.written(["{\"::a\": \"##[error]\u{202E}\"}\n"], as: .json)
    #expect(console.output == "{\"::a\": \"\\u0023#[error]\\u202e\"}\n")
    #expect(console.error == "")
  }

  @Test("writes intended commands, and escapes control characters and other commands in them")
  func intended() {
    let console = Self.written(["::error file=a\u{1B}[2J::b ##[group]c\n"], as: .commands)
    #expect(console.output == "::error file=a␛[2J::b \\u{23}#[group]c\n")
  }
}

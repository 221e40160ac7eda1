import Documents
import Scenarios
import Testing
import WorkflowRunner
import WorkflowModel

/// Tests that inserting scenarios does not change the rest of a document.
@Suite struct ScenarioInsertionTests {
  static func paths() throws -> [ExplorationResult.Path] {
    let fixture = try OutcomeStrategiesTests.Fixture("settings: Settings.yaml\nsteps: [{wait: 1d}]\n")
    let path = try #require(Exploration(fixture.loaded.workflow).paths.first)
    let scenario: JSON = ["expect": ["path": ["wait.success"]], "given": [["signedIn": "megan@contoso.com"]]]
    return ["one", "two"].map {
      ExplorationResult.Path(explored: path, name: $0, proof: .proven, scenario: scenario, transitions: [])
    }
  }

  static func written(_ text: String, named name: String) throws -> String {
    let document = try #require(DocumentReader.read(text, named: name).document)
    return String(decoding: try MissingScenarios.append(try paths(), to: document), as: UTF8.self)
  }

  @Test func keepsTheOrderAndLayoutOfJSON() throws {
    let text = """
      {
          "authflow": 1, "steps": [{"wait": "1d"}],
          "clients": {"zebra": "Z.plist", "ant": "A.plist"},
          "scenarios": {
              "own": {}
          }
      }

      """
    let member = """
      {
                  "given": [
                      {
                          "signedIn": "megan@contoso.com"
                      }
                  ],
                  "expect": {
                      "path": [
                          "wait.success"
                      ]
                  }
              }
      """
    #expect(
      try Self.written(text, named: "w.json") == """
        {
            "authflow": 1, "steps": [{"wait": "1d"}],
            "clients": {"zebra": "Z.plist", "ant": "A.plist"},
            "scenarios": {
                "own": {},
                "one": \(member),
                "two": \(member)
            }
        }

        """)
  }

  @Test(arguments: [
    (
      #"{"steps": [{"wait": "1d"}], "authflow": 1}"#,
      #"{"steps": [{"wait": "1d"}], "authflow": 1, "scenarios": {"one":SCENARIO,"two":SCENARIO}}"#
    ),
    (
      #"{"scenarios": {"one": {}}, "steps": [{"wait": "1d"}], "authflow": 1}"#,
      #"{"scenarios": {"one": {}, "one (2)": SCENARIO, "two": SCENARIO}, "steps": [{"wait": "1d"}], "authflow": 1}"#
    ),
    (
      #"{"scenarios": {}, "steps": [{"wait": "1d"}], "authflow": 1}"#,
      #"{"scenarios": {"one": SCENARIO, "two": SCENARIO}, "steps": [{"wait": "1d"}], "authflow": 1}"#
    ),
  ])
  func keepsSingleLineJSONOnOneLine(text: String, expected: String) throws {
    let scenario = #"{"given":[{"signedIn":"megan@contoso.com"}],"expect":{"path":["wait.success"]}}"#
    #expect(try Self.written(text, named: "w.json") == expected.replacing("SCENARIO", with: scenario))
  }

  @Test func keepsYAMLAfterTheScenarios() throws {
    let text = """
      # mine
      authflow: 1
      scenarios:
        own: { expect: { path: [wait.success] } } # stays

      # about the steps
      steps: [wait: 1d]
      name:   odd   # spacing

      """
    let written = try Self.written(text, named: "w.yaml")
    let lines = written.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      written.hasPrefix(
        "# mine\nauthflow: 1\nscenarios:\n  own: { expect: { path: [wait.success] } } # stays\n  one:\n"))
    #expect(written.hasSuffix("\n\n# about the steps\nsteps: [wait: 1d]\nname:   odd   # spacing\n"))
    #expect(lines.contains("  two:"))
  }

  @Test func keepsFlowStyleYAML() throws {
    let text = "{authflow: 1, steps: [{wait: 1d}], clients: {b: B.plist, a: A.plist}} # end\n"
    let written = try Self.written(text, named: "w.yaml")
    #expect(written.hasPrefix("{authflow: 1, steps: [{wait: 1d}], clients: {b: B.plist, a: A.plist}, \"scenarios\": "))
    #expect(written.hasSuffix("} # end\n"))
  }

  static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <!-- mine -->
    <dict>
      <key>steps</key> <array><string>deviceInfo</string></array>
      <key>clients</key>
      <dict><key>zebra</key><string>Z.plist</string><key>ant</key><string>A.plist</string></dict>
      <key>authflow</key><integer>1</integer>
    </dict>
    </plist>

    """

  @Test func keepsTheOrderAndLayoutOfAPropertyList() throws {
    let written = try Self.written(Self.list, named: "w.plist")
    let head = Self.list.split(separator: "</dict>\n</plist>")[0]
    #expect(written.hasPrefix("\(head)  <key>scenarios</key>\n  <dict>\n    <key>one</key>\n    <dict>\n"))
    #expect(written.hasSuffix("    </dict>\n  </dict>\n</dict>\n</plist>\n"))
    let document = try #require(DocumentReader.read(written, named: "w.plist").document)
    #expect(document.root["scenarios"]?.count == 2)
  }

  @Test func keepsTheOrderOfABinaryPropertyList() throws {
    let list = try #require(DocumentReader.read(Self.list, named: "w.plist").document)
    let bytes = try DocumentWriter.write(list, as: .binaryPropertyList)
    let binary = try #require(DocumentReader.read(bytes, named: "w.plist").document)
    let written = try MissingScenarios.append(try Self.paths(), to: binary)
    #expect(written.starts(with: Array("bplist".utf8)))
    let document = try #require(DocumentReader.read(written, named: "w.plist").document)
    #expect(document.root.entries.map { $0.key.string } == ["steps", "clients", "authflow", "scenarios"])
    #expect(document.root["clients"]?.entries.map { $0.key.string } == ["zebra", "ant"])
  }
}

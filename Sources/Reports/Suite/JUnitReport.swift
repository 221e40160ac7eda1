import Effects

/// The result of a suite as JUnit XML, in the format that Jenkins, GitLab, and GitHub Actions read. The report contains
/// a `testsuite` for each file and a `testcase` for each scenario.
///
/// GitLab and GitHub read the `file` and `line` attributes of each `testcase`. The schema of the Jenkins xUnit plugin
/// (junit-10.xsd) does not allow these attributes, so they are optional.
package struct JUnitReport: Sendable {
  /// Whether each `testcase` has the attributes `file` and `line`.
  package var placesTests: Bool

  package init(placesTests: Bool = true) {
    self.placesTests = placesTests
  }

  package func text(_ suite: SuiteResult) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"authflow\" tests=\"\(suite.tests.count)\" failures=\"\(suite.count(.failed))\""
    text += " errors=\"\(suite.count(.error))\" time=\"\(Self.seconds(suite.duration))\">\n"
    for (file, tests) in suite.byFile { text += group(file, tests, suite) }
    return text + "</testsuites>\n"
  }

  private func group(_ file: String, _ tests: [TestResult], _ suite: SuiteResult) -> String {
    func count(_ verdict: TestResult.Status) -> Int { tests.count { $0.verdict == verdict } }
    let time = tests.reduce(Duration.zero) { $0 + $1.duration }
    var text = "  <testsuite name=\"\(XMLText.attribute(file))\" tests=\"\(tests.count)\""
    text += " failures=\"\(count(.failed))\" errors=\"\(count(.error))\" skipped=\"\(count(.skipped))\""
    text += " time=\"\(Self.seconds(time))\" timestamp=\"\(suite.started.rfc3339().dropLast())\""
    text += " file=\"\(XMLText.attribute(file))\">\n    <properties>\n"
    for (name, value) in Self.properties(suite) {
      text += "      <property name=\"\(name)\" value=\"\(XMLText.attribute(value))\"/>\n"
    }
    text += "    </properties>\n"
    for test in tests { text += self.test(test) }
    return text + "  </testsuite>\n"
  }

  private static func properties(_ suite: SuiteResult) -> [(String, String)] {
    var properties = [("tool", suite.tool), ("ending", suite.ending.rawValue)]
    if let shard = suite.shard { properties.append(("shard", shard.description)) }
    if let seed = suite.seed { properties.append(("seed", seed)) }
    return properties
  }

  private func test(_ test: TestResult) -> String {
    var text = "    <testcase classname=\"\(XMLText.attribute(test.file))\" name=\"\(XMLText.attribute(test.name))\""
    text += " time=\"\(Self.seconds(test.duration))\""
    if placesTests { text += " file=\"\(XMLText.attribute(test.file))\" line=\"\(test.line)\"" }
    let inside: String
    switch test.verdict {
    case .passed: return text + "/>\n"
    case .skipped: inside = "<skipped message=\"\(XMLText.attribute(test.reason ?? "not run"))\"/>"
    case .failed: inside = failure(test, "failure")
    case .error: inside = failure(test, "error")
    }
    return text + ">\n      \(inside)\n    </testcase>\n"
  }

  private func failure(_ test: TestResult, _ element: String) -> String {
    let style = TerminalStyle(color: false, unicode: true, width: 120)
    let type = test.failure?.problems.first?.rule ?? element
    let message = test.failure?.headline ?? "failed"
    return
      "<\(element) type=\"\(XMLText.attribute(type))\" message=\"\(XMLText.attribute(message))\">\(XMLText.content(SuiteText(style: style).failure(test)))</\(element)>"
  }

  /// Formats a duration in seconds with three decimal places and no exponent.
  static func seconds(_ duration: Duration) -> String {
    let milliseconds = Int((duration.inSeconds * 1000).rounded())
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}

import Documents
import Effects

/// The result of a suite in the Test Anything Protocol, version 14.
package enum TAPReport {
  package static func text(_ suite: SuiteResult) -> String {
    var text = "TAP version 14\n1..\(suite.tests.count)\n"
    if suite.tests.isEmpty { text = "TAP version 14\n1..0 # SKIP no scenarios selected\n" }
    for (position, test) in suite.tests.enumerated() {
      let title = "\(position + 1) - \(escaped(test.title))"
      switch test.verdict {
      case .passed: text += "ok \(title)\n" + block(["duration_ms": milliseconds(test)])
      case .skipped: text += "ok \(title) # SKIP \(escaped(test.reason ?? "not run"))\n"
      case .failed, .error: text += "not ok \(title)\n" + block(details(test))
      }
    }
    // TAP consumers must not count the missing tests as passed.
    if suite.ending == .interrupted { text += "Bail out! interrupted\n" }
    return text
  }

  private static func details(_ test: TestResult) -> JSON {
    var details: JSON = [
      "at": ["file": .string(test.file), "line": .integer(Int64(test.line)), "column": .integer(Int64(test.column))],
      "severity": test.verdict == .failed ? "fail" : "error", "duration_ms": milliseconds(test),
    ]
    guard let failure = test.failure else { return details }
    details["message"] = .string(failure.headline)
    if let expected = failure.expectedPath, failure.isAboutPath {
      details["wanted"] = .array(expected.map { .string($0) })
      details["found"] = .array(failure.path.map { .string($0) })
    }
    if failure.problems.count > 1 {
      details["problems"] = .array(failure.problems.map { .string("\($0.place): \($0.message) [\($0.rule)]") })
    }
    details["again"] = .string(failure.rerun)
    return details
  }

  private static func milliseconds(_ test: TestResult) -> JSON {
    JSON(number: (test.duration.inSeconds * 1_000_000).rounded() / 1000)
  }

  /// Returns the YAML block that follows a test point. The values are in JSON, which is also valid YAML 1.2.
  private static func block(_ details: JSON) -> String {
    var text = "  ---\n"
    var members: [(String, JSON)] = []
    details.forEachMember { members.append(($0, $1)) }
    for (name, value) in members.sorted(by: { $0.0 < $1.0 }) { text += "  \(name): \(value.text())\n" }
    return text + "  ...\n"
  }

  /// Returns a description in one line. Characters that would start a directive are escaped.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "#": result += "\\#"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

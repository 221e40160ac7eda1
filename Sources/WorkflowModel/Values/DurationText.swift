import Documents

/// Durations in the workflow language: an integer and a unit, such as `500ms`, `30s`, `5m`, `2h`, or `90d`.
package enum DurationText {
  /// The maximum duration: 100 years.
  package static let maximum = Duration.seconds(36_525 * 86_400)

  private static let units: [(suffix: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// Parses a duration. Returns nil if the text is not a duration or exceeds `maximum`.
  package static func parse(_ text: some StringProtocol) -> Duration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let suffix = String(text[digits.endIndex...])
    guard let count = Int64(digits), let unit = units.first(where: { $0.suffix == suffix }) else { return nil }
    let (milliseconds, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
    guard !overflow else { return nil }
    let duration = Duration.milliseconds(milliseconds)
    return duration <= maximum ? duration : nil
  }

  /// Returns the duration in the largest unit that represents it exactly. Fractions of a millisecond are dropped.
  package static func write(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    guard milliseconds != 0 else { return "0s" }
    for unit in units.reversed() where milliseconds % unit.milliseconds == 0 {
      return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
    return "\(milliseconds)ms"
  }

  /// Returns the duration in seconds, for comparisons with numbers.
  static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}

extension Codec where Value == Duration {
  /// A duration such as `500ms`, `30s`, `5m`, `2h`, or `90d`.
  package static var durationText: Self {
    Self(
      expecting: "a duration such as `30s`, `5m`, `2h`, or `90d`",
      schema: [
        "type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$", "examples": ["500ms", "30s", "5m", "2h", "90d"],
      ]
    ) { node, problems in
      if let text = node.string {
        if let duration = DurationText.parse(text) { return duration }
        problems.error(
          "duration", "invalid duration `\(text)`",
          help: "use an integer and a unit: `500ms`, `30s`, `5m`, `2h`, or `90d` (at most `36525d`)", at: node)
      } else if node.kind == .integer || node.kind == .real {
        let number = node.scalarText ?? ""
        problems.error(
          "duration", "missing unit in duration `\(number)`",
          help: "use `\(number)s` for seconds, or the units `ms`, `m`, `h`, or `d`", at: node)
      } else {
        problems.mismatch(node, expected: "a duration such as `30s`, `5m`, `2h`, or `90d`")
      }
      return nil
    }
  }
}

extension Duration {
  /// Parses `500ms`, `30s`, `5m`, `2h`, or `90d`: an integer and one unit.
  package init?(parsing text: some StringProtocol) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.count <= 9, let number = Int64(digits) else { return nil }
    switch text[digits.endIndex...] {
    case "ms": self = .milliseconds(number)
    case "s": self = .seconds(number)
    case "m": self = .seconds(number * 60)
    case "h": self = .seconds(number * 3600)
    case "d": self = .seconds(number * 86_400)
    default: return nil
    }
  }

  /// The shortest string that parses to the same duration. The smallest unit is the millisecond.
  package var shortText: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if milliseconds != 0 { return "\(seconds * 1000 + milliseconds)ms" }
    for (unit, length) in [("d", Int64(86_400)), ("h", 3600), ("m", 60)]
    where seconds != 0 && seconds.isMultiple(of: length) {
      return "\(seconds / length)\(unit)"
    }
    return "\(seconds)s"
  }
}

extension Codec where Value == Duration {
  /// A duration such as `500ms`, `30s`, `5m`, `2h`, or `90d`.
  package static var duration: Self {
    Self(
      expecting: "a duration such as `30s`", schema: ["type": "string", "pattern": "^[0-9]{1,9}(ms|s|m|h|d)$"]
    ) { node, problems in
      guard let text = node.string ?? node.scalarText else {
        problems.mismatch(node, expected: "a duration such as `30s`")
        return nil
      }
      if let duration = Duration(parsing: text) { return duration }
      problems.error(
        "bad-duration", "`\(text)` is not a duration",
        help: "use an integer and a unit, such as `500ms`, `30s`, `5m`, `2h`, or `90d`", at: node)
      return nil
    }
  }
}

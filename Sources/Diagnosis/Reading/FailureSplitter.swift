/// Functions that separate the failures in one part of the input by their correlation IDs.
///
/// A record starts with a time, a level, or a log prefix and continues until the next record. Records with the same
/// correlation ID belong together. A record without an ID belongs to the nearest ID before it. If no ID precedes it,
/// the record belongs to all failures.
enum FailureSplitter {
  /// The maximum number of lines to split.
  private static let maximumLines = 400

  static func split(_ excerpt: Excerpt) -> [Excerpt] {
    guard excerpt.lines.count > 1, excerpt.lines.count <= maximumLines else { return [excerpt] }
    var records: [(lines: [Excerpt.Line], id: String?)] = []
    for line in excerpt.lines {
      if records.isEmpty || LogLine.startsRecord(line.bytes) {
        records.append(([line], LogLine.correlationID(line.bytes)))
      } else {
        records[records.count - 1].lines.append(line)
        if records[records.count - 1].id == nil { records[records.count - 1].id = LogLine.correlationID(line.bytes) }
      }
    }
    var order: [String] = []
    for case let (_, id?) in records where !order.contains(id) { order.append(id) }
    guard order.count > 1 else { return [excerpt] }
    var linesByID: [String: [Excerpt.Line]] = [:]
    var shared: [Excerpt.Line] = []
    var last: String?
    for record in records {
      guard let id = record.id ?? last else {
        shared += record.lines
        continue
      }
      last = id
      linesByID[id, default: []] += record.lines
    }
    return order.map { Excerpt(source: excerpt.source, lines: shared + (linesByID[$0] ?? [])) }
  }
}

/// Functions that recognize record starts and correlation IDs in log lines.
enum LogLine {
  /// Whether a line starts a new log record, with a time, level, thread, or tag.
  static func startsRecord(_ line: [UInt8]) -> Bool {
    let start = line.prefix(64)
    guard let first = start.first else { return false }
    if isDigit(first) { return start.prefix(24).filter(isDigit).count >= 8 }
    let text = String(decoding: start, as: UTF8.self)
    if ["TID=", "{\"", "E/", "W/", "D/", "I/", "V/"].contains(where: text.hasPrefix) { return true }
    if first == UInt8(ascii: "[") { return start.prefix(40).filter(isDigit).count >= 6 }
    return ["DEBUG", "INFO", "WARN", "ERROR", "info:", "fail:", "warn:", "dbug:", "MSAL "].contains(
      where: text.hasPrefix)
  }

  private static let labels = [
    "correlation id", "correlationid", "correlation_id", "correlationidkey", "client-request-id",
  ]

  /// Returns the lowercase correlation ID in a line, found after its label or in the MSAL format `[time - ID]`.
  static func correlationID(_ line: [UInt8]) -> String? {
    guard line.count >= 36 else { return nil }
    let text = line.prefix(2000).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    var index = 8
    while let hyphen = text[index...].firstIndex(of: UInt8(ascii: "-")) {
      let start = hyphen - 8
      index = hyphen + 1
      guard start >= 0, start + 36 <= text.count, isGUID(text[start..<(start + 36)]) else { continue }
      let before = String(decoding: text[max(0, start - 24)..<start], as: UTF8.self)
      let label = before.filter { $0.isLetter || $0 == "_" || $0 == "-" || $0 == " " }.trimmed
      if labels.contains(where: label.hasSuffix) || before.hasSuffix(" - ") && text.contains(UInt8(ascii: "[")) {
        return String(decoding: text[start..<(start + 36)], as: UTF8.self)
      }
    }
    return nil
  }

  private static func isGUID(_ text: ArraySlice<UInt8>) -> Bool {
    for (offset, byte) in text.enumerated() {
      let isHyphen = offset == 8 || offset == 13 || offset == 18 || offset == 23
      guard
        isHyphen ? byte == UInt8(ascii: "-") : isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      else { return false }
    }
    return true
  }
}

extension String {
  fileprivate var trimmed: String {
    var rest = Substring(self)
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}

import Diagnostics
import Effects

extension Node {
  /// The text of a string, or nil for any other kind of node.
  package var string: String? {
    record.kind == .string ? document.text(at: contentIndex) : nil
  }

  package var bool: Bool? {
    let record = record
    return record.kind == .bool ? record.first != 0 : nil
  }

  /// The value of a number that is a 64-bit integer, in any notation (`1`, `1.0`, `0x10`).
  package var integer: Int64? {
    switch record.kind {
    case .integer: exactInteger.flatMap { Int64(exactly: $0) }
    case .real: number.flatMap { Int64(exactly: $0) }
    default: nil
    }
  }

  /// The value of an integer of up to 128 bits. Nil for a larger number or another kind of node.
  package var exactInteger: Int128? {
    guard record.kind == .integer else { return nil }
    let form = record.form
    return document.withText(at: contentIndex) { form == .bigEndian ? BigEndian.integer($0) : NumberText.integer($0) }
  }

  /// The value of any number, rounded to the nearest double.
  package var number: Double? {
    let record = record
    switch record.kind {
    case .integer:
      if let exact = exactInteger { return Double(exact) }
      return document.withText(at: contentIndex, NumberText.real)
    case .real:
      return document.withText(at: contentIndex) {
        record.form == .bigEndian ? BigEndian.real($0) : NumberText.real($0)
      }
    default: return nil
    }
  }

  /// The bytes of data (base64 in XML and YAML, hexadecimal in OpenStep property lists).
  package var data: [UInt8]? {
    let record = record
    guard record.kind == .data else { return nil }
    return document.withText(at: contentIndex) { text in
      switch record.form {
      case .bigEndian: Array(text)
      case .hexDigits: HexText.decode(text)
      default: Base64.decodeLenient(text)
      }
    }
  }

  /// The value of a date, clamped to the range of `Instant`.
  package var date: Instant? { calendarTime.map { Instant($0) } }

  /// The value of a date, in the full range of years 0 to 9999.
  package var calendarTime: CalendarTime? {
    let record = record
    guard record.kind == .date else { return nil }
    return document.withText(at: contentIndex) {
      record.form == .bigEndian
        ? BigEndian.real($0).flatMap { DateText.calendarTime(sinceReferenceDate: $0) } : DateText.read($0)
    }
  }

  /// The value of a UID, a plist type in keyed archives, or nil for other nodes.
  package var uid: UInt64? {
    guard record.kind == .uid else { return nil }
    let form = record.form
    let value = document.withText(at: contentIndex) {
      form == .bigEndian ? BigEndian.unsigned($0) : NumberText.integer($0)
    }
    return value.flatMap { UInt64(exactly: $0) }
  }

  /// The source text of a scalar, without its quotes or tag, for messages (`007`, `~`, `1.50`). Nil for a container.
  package var scalarText: String? {
    let record = record
    switch record.kind {
    case .array, .mapping, .alias: return nil
    case .string: return document.text(at: contentIndex)
    case .bool where document.syntax == .json || document.syntax == .yaml: break
    case .bool: return record.first != 0 ? "true" : "false"
    case .null: break
    case .integer where record.form == .bigEndian: return exactInteger.map { String($0) }
    case .real where record.form == .bigEndian: return number.map { "\($0)" }
    case .uid: return uid.map { String($0) }
    case .date where record.form == .bigEndian: return calendarTime.map(DateText.write)
    case .data where record.form == .bigEndian: return data.map { Base64.encode($0) }
    case .integer, .real, .date, .data: return document.text(at: contentIndex)
    }
    return document.source.text(in: SourceSpan(start: Int(record.start), end: Int(record.end)))
  }

  /// The decimal digits of an integer of any size, without a plus sign or leading zeros.
  var decimalText: String? {
    guard record.kind == .integer else { return nil }
    if let exact = exactInteger { return String(exact) }
    return document.withText(at: contentIndex, NumberText.normalizedDecimal)
  }
}

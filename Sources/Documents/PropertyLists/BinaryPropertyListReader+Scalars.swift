import Diagnostics

extension BinaryPropertyListReader {
  /// Adds the scalar whose marker is at `offset`, or reports an error and returns false.
  mutating func readScalar(_ marker: UInt8, _ offset: Int) -> Bool {
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0:
      switch marker {
      case 0x00: builder.scalar(NodeRecord(.null, start: offset, end: offset + 1))
      case 0x08, 0x09: builder.scalar(NodeRecord(.bool, start: offset, end: offset + 1, first: low & 1))
      default: return unknown(marker, offset)
      }
      return true
    case 1 where low <= 4: return fixed(.integer, offset, width: 1 << low)
    case 2 where low == 2 || low == 3: return fixed(.real, offset, width: 1 << low)
    case 3 where low == 3:
      guard fits(offset + 1, 8) else { return cutOff(offset) }
      let text = UnsafeBufferPointer(rebasing: bytes[offset + 1..<offset + 9])
      guard let seconds = BigEndian.real(text), DateText.calendarTime(sinceReferenceDate: seconds) != nil else {
        report("date outside the years 0 to 9999", help: "correct the date", at: offset)
        return false
      }
      return fixed(.date, offset, width: 8)
    case 4: return counted(.data, offset, unit: 1, form: .bigEndian)
    case 5, 7: return text(offset)
    case 6: return counted(.string, offset, unit: 2, form: .bigEndianUTF16)
    case 8:
      guard fits(offset + 1, low + 1) else { return cutOff(offset) }
      guard low < 8 || bytes[offset + 1..<offset + low - 6].allSatisfy({ $0 == 0 }) else {
        report("UID larger than 64 bits", at: offset)
        return false
      }
      return fixed(.uid, offset, width: low + 1)
    default: return unknown(marker, offset)
    }
  }

  private mutating func unknown(_ marker: UInt8, _ offset: Int) -> Bool {
    report("unknown object type 0x\(String(marker, radix: 16, uppercase: true))", at: offset)
    return false
  }

  private mutating func cutOff(_ offset: Int) -> Bool {
    report("object extends beyond the end of the file", at: offset)
    return false
  }

  private func fits(_ start: Int, _ length: Int) -> Bool {
    start <= offsetTable && length <= offsetTable - start
  }

  private mutating func fixed(_ kind: NodeRecord.Kind, _ offset: Int, width: Int) -> Bool {
    guard fits(offset + 1, width) else { return cutOff(offset) }
    builder.scalar(
      NodeRecord(
        kind, start: offset, end: offset + 1 + width, first: offset + 1, second: width, form: .bigEndian))
    return true
  }

  private mutating func counted(_ kind: NodeRecord.Kind, _ offset: Int, unit: Int, form: NodeRecord.Form) -> Bool {
    guard let (count, start) = countAndStart(offset), count <= (offsetTable - start) / unit else {
      return cutOff(offset)
    }
    let length = count * unit
    builder.scalar(
      NodeRecord(kind, start: offset, end: start + length, first: start, second: length, form: form))
    return true
  }

  /// Reads text in ASCII, or in UTF-8, which some writers use. Other bytes are read as Latin-1 and cause a warning.
  private mutating func text(_ offset: Int) -> Bool {
    guard let (count, start) = countAndStart(offset), count <= offsetTable - start else { return cutOff(offset) }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<start + count])
    if UTF8Scan(text, limit: 1).invalid.isEmpty {
      builder.scalar(NodeRecord(.string, start: offset, end: start + count, first: start, second: count))
    } else {
      builder.report(
        .warning, rule: "encoding", "string with non-ASCII bytes is read as Latin-1",
        help: "create the file with a tool that stores non-ASCII strings as UTF-16", at: .at(offset))
      let latin = text.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
      builder.pooled(.string, start: offset, end: start + count, text: latin)
    }
    return true
  }
}

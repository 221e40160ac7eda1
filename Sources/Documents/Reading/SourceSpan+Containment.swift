import Diagnostics

extension SourceSpan {
  /// Returns the part of the span that is inside the text, widened so that it does not split a character.
  func clamped(in bytes: some RandomAccessCollection<UInt8>) -> SourceSpan {
    func byte(_ offset: Int) -> UInt8 { bytes[bytes.index(bytes.startIndex, offsetBy: offset)] }
    var start = min(max(start, 0), bytes.count)
    while start > 0, start < bytes.count, byte(start) & 0xC0 == 0x80 { start -= 1 }
    var end = min(max(end, start), bytes.count)
    while end < bytes.count, byte(end) & 0xC0 == 0x80 { end += 1 }
    return SourceSpan(start: start, end: end)
  }
}

import Diagnostics

extension Document {
  /// Calls `body` with the bytes of a scalar's decoded text.
  func withText<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let record = records[index]
    return source.bytes.withUnsafeBufferPointer { source in
      pool.withUnsafeBufferPointer { pool in Self.withText(of: record, source: source, pool: pool, body) }
    }
  }

  /// Calls `body` with the bytes of a scalar's decoded text, for a tree that is still being built.
  static func withText<Result>(
    of record: NodeRecord, source: UnsafeBufferPointer<UInt8>, pool: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let buffer = record.form == .pooled ? pool : source
    let range = record.textRange
    guard range.upperBound <= buffer.count else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let raw = UnsafeBufferPointer(rebasing: buffer[range])
    switch record.form {
    case .verbatim, .pooled, .hexDigits, .bigEndian: return body(raw)
    case .jsonEscapes: return JSONEscapes.decode(raw).withUnsafeBufferPointer(body)
    case .xmlMarkup: return XMLMarkup.decode(raw).withUnsafeBufferPointer(body)
    case .bigEndianUTF16: return Array(BigEndian.text(utf16: raw).utf8).withUnsafeBufferPointer(body)
    }
  }

  func text(at index: Int) -> String {
    withText(at: index) { String(decoding: $0, as: UTF8.self) }
  }

  func text(at index: Int, equals wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    withText(at: index) { $0.count == wanted.count && $0.elementsEqual(wanted) }
  }
}

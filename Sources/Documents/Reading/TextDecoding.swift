import Diagnostics

/// A decoder that converts bytes to UTF-8. Detects the encoding from a byte-order mark, zero bytes, or the `encoding`
/// of an XML declaration.
struct TextDecoding {
  let source: SourceText
  let isASCII: Bool

  enum Outcome {
    case text(TextDecoding, [Diagnostic])
    case refused(Diagnostic)
  }

  static func decode(_ bytes: [UInt8], named name: String) -> Outcome {
    let encoding = TextEncoding.detect(bytes)
    switch encoding {
    case .utf8(let mark): return utf8(mark == 0 ? bytes : Array(bytes.dropFirst(mark)), named: name)
    case .utf16(let bigEndian, let mark):
      return units(bytes, named: name, width: 2, mark: mark) { offset in
        let (first, second) = (UInt32(bytes[offset]), UInt32(bytes[offset + 1]))
        return bigEndian ? first << 8 | second : second << 8 | first
      }
    case .utf32(let bigEndian, let mark):
      return units(bytes, named: name, width: 4, mark: mark) { offset in
        let value = bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return bigEndian ? value : value.byteSwapped
      }
    case .declared(let label):
      guard let text = ForeignEncoding.decode(bytes, label: label) else {
        return .refused(
          Diagnostic(
            .error, rule: "encoding", "text is not valid in the declared encoding `\(label)`",
            help: "save the file as UTF-8 and declare `encoding=\"UTF-8\"` in its first line",
            at: FileSpan(SourceText(name: name, bytes: bytes, isBinary: true), .at(0))))
      }
      return utf8(text, named: name)
    }
  }

  /// Reports up to 19 invalid bytes and reads each one as `?`, which preserves offsets. A file with more invalid bytes
  /// is rejected.
  private static func utf8(_ bytes: [UInt8], named name: String) -> Outcome {
    let scan = bytes.withUnsafeBufferPointer { UTF8Scan($0) }
    if let zero = scan.firstNUL {
      return .refused(
        Diagnostic(
          .error, rule: "encoding", "not a text file: NUL byte at offset \(zero)",
          help: "use a text file in UTF-8, UTF-16, or UTF-32, or a binary property list",
          at: FileSpan(SourceText(name: name, bytes: bytes, isBinary: !scan.invalid.isEmpty), .at(zero))))
    }
    guard !scan.invalid.isEmpty else {
      return .text(Self(source: SourceText(name: name, bytes: bytes), isASCII: scan.isASCII), [])
    }
    var corrected = bytes
    for offset in scan.invalid { corrected[offset] = UInt8(ascii: "?") }
    let source = SourceText(name: name, bytes: corrected)
    let diagnostics = scan.invalid.map { offset in
      Diagnostic(
        .error, rule: "encoding",
        "invalid UTF-8: byte 0x\(String(bytes[offset], radix: 16, uppercase: true)) at offset \(offset)",
        help: "save the file as UTF-8", at: FileSpan(source, SourceSpan(start: offset, end: offset + 1)))
    }
    guard scan.invalid.count < 20 else { return .refused(diagnostics[0]) }
    return .text(Self(source: source, isASCII: false), diagnostics)
  }

  /// Decodes UTF-16 and UTF-32. Unpaired surrogates and values outside Unicode are errors.
  private static func units(
    _ bytes: [UInt8], named name: String, width: Int, mark: Int, unit: (_ offset: Int) -> UInt32
  ) -> Outcome {
    func failure(_ message: String, _ offset: Int) -> Outcome {
      .refused(
        Diagnostic(
          .error, rule: "encoding", message, help: "save the file as UTF-8",
          at: FileSpan(SourceText(name: name, bytes: bytes, isBinary: true), .at(offset))))
    }
    guard (bytes.count - mark).isMultiple(of: width) else {
      return failure("UTF-\(width * 8) text with an incomplete last character", bytes.count)
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / width * 2)
    var offset = mark
    while offset < bytes.count {
      var value = unit(offset)
      let start = offset
      offset += width
      if width == 2, value & 0xFC00 == 0xD800, offset < bytes.count {
        let low = unit(offset)
        if low & 0xFC00 == 0xDC00 {
          value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
          offset += 2
        }
      }
      guard let scalar = Unicode.Scalar(value) else {
        return failure("invalid UTF-\(width * 8) at byte offset \(start)", start)
      }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return utf8(text, named: name)
  }
}

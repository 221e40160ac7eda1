/// Functions that decode XML content that libxml2 found to be well-formed. They resolve references, drop comments and
/// processing instructions, unwrap CDATA sections, and normalize line endings to `\n` (XML 1.0 §2.11).
enum XMLMarkup {
  static func decode(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      if byte == UInt8(ascii: "\r") {
        text.append(UInt8(ascii: "\n"))
        index += index + 1 < raw.count && raw[index + 1] == UInt8(ascii: "\n") ? 2 : 1
      } else if byte == UInt8(ascii: "&"), let end = raw[index...].prefix(200).firstIndex(of: UInt8(ascii: ";")) {
        // No entity name or character number is longer than this. The limit avoids quadratic time for malformed text.
        let name = String(decoding: raw[index + 1..<end], as: UTF8.self)
        if let scalar = reference(name) {
          text.append(contentsOf: Array(String(scalar).utf8))
        } else {
          text.append(contentsOf: raw[index...end])
        }
        index = end + 1
      } else if has("<!--", in: raw, at: index) {
        index = (find("-->", in: raw, from: index + 4) ?? raw.count) + 3
      } else if has("<![CDATA[", in: raw, at: index) {
        let end = find("]]>", in: raw, from: index + 9) ?? raw.count
        var inner = index + 9
        while inner < end {
          if raw[inner] == UInt8(ascii: "\r") {
            text.append(UInt8(ascii: "\n"))
            if inner + 1 < end, raw[inner + 1] == UInt8(ascii: "\n") { inner += 1 }
          } else {
            text.append(raw[inner])
          }
          inner += 1
        }
        index = end + 3
      } else if has("<?", in: raw, at: index) {
        index = (find("?>", in: raw, from: index + 2) ?? raw.count) + 2
      } else {
        text.append(byte)
        index += 1
      }
    }
    return text
  }

  /// Decodes an attribute value: resolves references and replaces line endings and tabs with spaces (XML 1.0 §3.3.3).
  static func decodeAttribute(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      if byte == UInt8(ascii: "&"), let end = raw[index...].prefix(200).firstIndex(of: UInt8(ascii: ";")),
        let scalar = reference(String(decoding: raw[index + 1..<end], as: UTF8.self))
      {
        text.append(contentsOf: Array(String(scalar).utf8))
        index = end + 1
        continue
      }
      if byte == UInt8(ascii: "\r"), index + 1 < raw.count, raw[index + 1] == UInt8(ascii: "\n") { index += 1 }
      text.append(byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0x20 : byte)
      index += 1
    }
    return text
  }

  /// Returns the character for a reference, which is passed without `&` and `;`. Returns nil if the reference is
  /// neither a predefined entity nor a number.
  static func reference(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    default:
      if name.hasPrefix("#x") {
        UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      } else if name.hasPrefix("#") {
        UInt32(name.dropFirst(1)).flatMap(Unicode.Scalar.init)
      } else {
        nil
      }
    }
  }

  private static func has(_ text: StaticString, in raw: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index + text.utf8CodeUnitCount <= raw.count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where raw[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  private static func find(_ text: StaticString, in raw: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + text.utf8CodeUnitCount <= raw.count {
      if has(text, in: raw, at: index) { return index }
      index += 1
    }
    return nil
  }
}

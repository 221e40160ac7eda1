import Diagnostics
import OAuth

extension SecretMasker {
  /// Replaces each secret in text with a placeholder: known secrets, tokens, URL parameters, client secrets, and
  /// passwords in URLs.
  /// - Parameter isMarkup: Whether the text is a page or a script. In that case, words that look random are also
  ///   masked, because names do not identify secrets there.
  mutating func text(_ text: String, isMarkup: Bool = false) -> String {
    guard !text.isEmpty else { return text }
    let bytes = Array(text.utf8)
    registerKnownFormats(in: text, bytes)
    var matches = tokens(in: bytes) + parameters(in: bytes)
    if isMarkup { matches += random(in: bytes) }
    matches += registry.matches(in: bytes)
    return matches.isEmpty ? PlaceholderText.escape(text) : write(bytes, matches)
  }

  private mutating func write(_ bytes: [UInt8], _ matches: [SecretRegistry.Match]) -> String {
    let ordered = matches.sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    var result = ""
    var position = 0
    var index = 0
    while index < ordered.count {
      let first = ordered[index]
      var end = first.range.upperBound
      var isExact = first.isExact
      index += 1
      // Mask overlapping matches as one secret.
      while index < ordered.count, ordered[index].range.lowerBound < end {
        if ordered[index].range.upperBound > end {
          end = ordered[index].range.upperBound
          isExact = false
        }
        index += 1
      }
      let start = first.range.lowerBound
      result += PlaceholderText.escape(String(decoding: bytes[position..<start], as: UTF8.self))
      let masked = String(decoding: bytes[start..<end], as: UTF8.self)
      if isExact {
        let value = registry.value(of: first.label) ?? masked
        recordOccurrence(first.label, value)
      }
      result += isExact ? SecretPlaceholder.secret(first.label).text : secret(masked, "encoded secret")
      position = end
    }
    return result + PlaceholderText.escape(String(decoding: bytes[position...], as: UTF8.self))
  }

  /// Finds signed and encrypted JSON Web Tokens by their prefix.
  private mutating func tokens(in bytes: [UInt8]) -> [SecretRegistry.Match] {
    var matches: [SecretRegistry.Match] = []
    var index = 0
    while index + 2 < bytes.count {
      guard bytes[index] == UInt8(ascii: "e"), bytes[index + 1] == UInt8(ascii: "y"),
        bytes[index + 2] == UInt8(ascii: "J")
      else {
        index += 1
        continue
      }
      var end = index
      var dots = 0
      while end < bytes.count, SecretRegistry.isBase64(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
        if bytes[end] == UInt8(ascii: ".") { dots += 1 }
        end += 1
      }
      while end > index, bytes[end - 1] == UInt8(ascii: "."), dots > 2 {
        end -= 1
        dots -= 1
      }
      if dots > 0, end - index >= 20 {
        let value = String(decoding: bytes[index..<end], as: UTF8.self)
        let placeholder = secret(value, "token")
        matches.append(.init(range: index..<end, label: String(placeholder.dropFirst().dropLast()), isExact: true))
      }
      index = max(end, index + 1)
    }
    return matches
  }

  /// Finds URL parameters anywhere in text: `?name=value`, `&name=value`, `;name=value`, and `#name=value`.
  private mutating func parameters(in bytes: [UInt8]) -> [SecretRegistry.Match] {
    guard bytes.contains(UInt8(ascii: "=")) else { return [] }
    var matches: [SecretRegistry.Match] = []
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      guard [UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";")].contains(bytes[index]) else {
        continue
      }
      var nameEnd = index + 1
      while nameEnd < bytes.count, nameEnd - index <= 64, Self.isNameByte(bytes[nameEnd]) { nameEnd += 1 }
      guard nameEnd > index + 1, nameEnd < bytes.count, bytes[nameEnd] == UInt8(ascii: "=") else { continue }
      var end = nameEnd + 1
      while end < bytes.count, !Self.endsValue(bytes[end]) { end += 1 }
      let raw = String(decoding: bytes[(nameEnd + 1)..<end], as: UTF8.self)
      let name = String(decoding: bytes[(index + 1)..<nameEnd], as: UTF8.self)
      guard !raw.isEmpty, let kind = kind(SecretNames.inParameters(name), raw) else { continue }
      let plain = FormCoding.decode(raw)
      let placeholder = secret(plain, kind)
      matches.append(
        .init(range: (nameEnd + 1)..<end, label: String(placeholder.dropFirst().dropLast()), isExact: true))
      index = end - 1
    }
    return matches
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    SecretRegistry.isBase64(byte) && byte != UInt8(ascii: "=") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "$")
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ")"), 0...0x20:
      true
    default: false
    }
  }

  /// Registers Microsoft Entra client secrets and the passwords in URLs.
  private mutating func registerKnownFormats(in text: String, _ bytes: [UInt8]) {
    guard bytes.contains(UInt8(ascii: "~")) || bytes.contains(UInt8(ascii: "@")) else { return }
    // The registry finds all occurrences of registered values.
    if let value = SecretPattern.clientSecret(in: text) { _ = secret(value, "client secret") }
    if let value = SecretPattern.password(in: text) { _ = secret(value, "password") }
  }

  private mutating func random(in bytes: [UInt8]) -> [SecretRegistry.Match] {
    var matches: [SecretRegistry.Match] = []
    var index = 0
    while index < bytes.count {
      guard Self.isWordByte(bytes[index]) else {
        index += 1
        continue
      }
      var end = index
      while end < bytes.count, Self.isWordByte(bytes[end]) { end += 1 }
      let word = String(decoding: bytes[index..<end], as: UTF8.self)
      if end - index >= 32, SecretNames.looksRandom(word) || end - index > 16_384 {
        let placeholder = secret(word, "secret")
        matches.append(.init(range: index..<end, label: String(placeholder.dropFirst().dropLast()), isExact: true))
      }
      index = end
    }
    return matches
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    SecretRegistry.isBase64(byte) && byte != UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
  }

  /// Returns the kind of a secret value, or nil if the value is not a secret.
  func kind(_ classification: SecretNames.Classification, _ value: String) -> String? {
    switch classification {
    case .secret(let kind): kind
    case .secretIfRandom(let kind): SecretNames.looksRandom(value) ? kind : nil
    case .harmless: nil
    }
  }
}

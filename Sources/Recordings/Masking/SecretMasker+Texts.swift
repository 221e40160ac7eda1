import Diagnostics
import OAuth

extension SecretMasker {
  /// A text with a placeholder for every secret in it: what is known already, tokens by their form, the parameters of URLs,
  /// client secrets, and passwords in URLs.
  /// - Parameter isMarkup: also for whatever looks random: in pages and scripts nothing else tells what is secret.
  mutating func text(_ text: String, isMarkup: Bool = false) -> String {
    guard !text.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var hits = tokens(in: bytes) + parameters(in: bytes) + named(in: text, bytes)
    if isMarkup { hits += random(in: bytes) }
    hits += ledger.hits(in: bytes)
    return hits.isEmpty ? PlaceholderText.escape(text) : write(bytes, hits)
  }

  private mutating func write(_ bytes: [UInt8], _ hits: [SecretRegistry.Match]) -> String {
    let ordered = hits.sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    var written = ""
    var position = 0
    var index = 0
    while index < ordered.count {
      let first = ordered[index]
      var end = first.range.upperBound
      var isOne = first.isExact
      index += 1
      // What overlaps is hidden as one.
      while index < ordered.count, ordered[index].range.lowerBound < end {
        if ordered[index].range.upperBound > end {
          end = ordered[index].range.upperBound
          isOne = false
        }
        index += 1
      }
      let start = first.range.lowerBound
      written += PlaceholderText.escape(String(decoding: bytes[position..<start], as: UTF8.self))
      let hidden = String(decoding: bytes[start..<end], as: UTF8.self)
      if isOne {
        let value = ledger.value(of: first.label) ?? hidden
        meet(first.label, value)
      }
      written += isOne ? SecretPlaceholder.secret(first.label).text : secret(hidden, "encoded secret")
      position = end
    }
    return written + PlaceholderText.escape(String(decoding: bytes[position...], as: UTF8.self))
  }

  /// What has the form of a JSON Web Token, signed or encrypted.
  private mutating func tokens(in bytes: [UInt8]) -> [SecretRegistry.Match] {
    var hits: [SecretRegistry.Match] = []
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
        let standIn = secret(value, "token")
        hits.append(.init(range: index..<end, label: String(standIn.dropFirst().dropLast()), isExact: true))
      }
      index = max(end, index + 1)
    }
    return hits
  }

  /// `?name=value`, `&name=value` and `#name=value` of URLs, wherever in a text they stand.
  private mutating func parameters(in bytes: [UInt8]) -> [SecretRegistry.Match] {
    guard bytes.contains(UInt8(ascii: "=")) else { return [] }
    var hits: [SecretRegistry.Match] = []
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      guard [UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";")].contains(bytes[index]) else {
        continue
      }
      var nameEnd = index + 1
      while nameEnd < bytes.count, nameEnd - index <= 64, Self.isOfName(bytes[nameEnd]) { nameEnd += 1 }
      guard nameEnd > index + 1, nameEnd < bytes.count, bytes[nameEnd] == UInt8(ascii: "=") else { continue }
      var end = nameEnd + 1
      while end < bytes.count, !Self.endsValue(bytes[end]) { end += 1 }
      let raw = String(decoding: bytes[(nameEnd + 1)..<end], as: UTF8.self)
      let name = String(decoding: bytes[(index + 1)..<nameEnd], as: UTF8.self)
      guard !raw.isEmpty, let kind = kind(SecretNames.inParameters(name), raw) else { continue }
      let plain = FormCoding.decode(raw)
      let standIn = secret(plain, kind)
      hits.append(
        .init(range: (nameEnd + 1)..<end, label: String(standIn.dropFirst().dropLast()), isExact: true))
      index = end - 1
    }
    return hits
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
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

  /// Client secrets of Microsoft Entra by their form, and the password in a URL's user information.
  private mutating func named(in text: String, _ bytes: [UInt8]) -> [SecretRegistry.Match] {
    guard bytes.contains(UInt8(ascii: "~")) || bytes.contains(UInt8(ascii: "@")) else { return [] }
    // Once they are known, the ledger finds them.
    if let value = SecretPattern.clientSecret(in: text) { _ = secret(value, "client secret") }
    if let value = SecretPattern.password(in: text) { _ = secret(value, "password") }
    return []
  }

  private mutating func random(in bytes: [UInt8]) -> [SecretRegistry.Match] {
    var hits: [SecretRegistry.Match] = []
    var index = 0
    while index < bytes.count {
      guard Self.isOfWord(bytes[index]) else {
        index += 1
        continue
      }
      var end = index
      while end < bytes.count, Self.isOfWord(bytes[end]) { end += 1 }
      let word = String(decoding: bytes[index..<end], as: UTF8.self)
      if end - index >= 32, SecretNames.looksRandom(word) || end - index > 16_384 {
        let standIn = secret(word, "secret")
        hits.append(.init(range: index..<end, label: String(standIn.dropFirst().dropLast()), isExact: true))
      }
      index = end
    }
    return hits
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    SecretRegistry.isBase64(byte) && byte != UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
  }

  /// The kind of secret that a value is, by what its name says.
  func kind(_ verdict: SecretNames.Verdict, _ value: String) -> String? {
    switch verdict {
    case .secret(let kind): kind
    case .secretIfRandom(let kind): SecretNames.looksRandom(value) ? kind : nil
    case .harmless: nil
    }
  }
}

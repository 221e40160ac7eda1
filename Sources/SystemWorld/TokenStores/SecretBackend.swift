import Effects

/// A system secret store that contains one string for each name.
protocol SecretBackend: Sendable {
  /// The store's name in messages.
  var place: String { get }
  func load(_ name: SecretName) throws(FileFailure) -> String?
  func save(_ text: String, _ name: SecretName) throws(FileFailure)
  /// Deletes a secret. Also succeeds if the secret does not exist.
  func clear(_ name: SecretName) throws(FileFailure)
}

/// The name of a secret in a store.
enum SecretName: Hashable, Sendable {
  case current
  /// A quarantined blob that is not a token cache, numbered from 1.
  case corrupt(Int)
  /// A secret that is saved and deleted to test whether the store works.
  case trial

  var text: String {
    switch self {
    case .current: "current"
    case .corrupt(let number): "corrupt-\(number)"
    case .trial: "trial"
    }
  }
}

/// Encodes bytes as text for a secret store. UTF-8 is unchanged, so that other programs can read the token cache. Other
/// bytes are encoded in base64 with a prefix.
enum SecretText {
  private static let mark = "authflow-base64:"

  static func encode(_ bytes: [UInt8]) -> String {
    if !bytes.isEmpty, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix(mark) {
      return text
    }
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text = Array(mark.utf8)
    text.reserveCapacity(text.count + bytes.count / 3 * 4 + 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        text.append(position <= group.count ? digits[bits >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes text from a secret store. Returns nil if the text after the prefix is not valid base64.
  static func decode(_ text: String) -> [UInt8]? {
    guard text.hasPrefix(mark) else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for digit in text.utf8.dropFirst(mark.utf8.count) where digit != UInt8(ascii: "=") {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 255))
        bits &= (1 << count) - 1
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

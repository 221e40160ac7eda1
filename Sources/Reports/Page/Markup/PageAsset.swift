import Crypto

/// The style sheet or the script of a page. The page lets in nothing but these two, by their hashes.
struct PageAsset: Sendable {
  enum Kind: String, Sendable {
    case style, script
  }

  let kind: Kind
  let text: String

  var tag: String { kind.rawValue }

  /// As a content security policy names it: `'sha256-…'` (CSP Level 3 §2.3.1).
  var source: String {
    "'sha256-\(Self.base64(Array(SHA256.hash(data: Array(text.utf8)))))'"
  }

  /// RFC 4648 §4.
  static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=")
      }
    }
    return text
  }
}

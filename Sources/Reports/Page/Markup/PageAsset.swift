import Crypto
import OAuth

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
    "'sha256-\(Base64.encode(Array(SHA256.hash(data: Array(text.utf8)))))'"
  }
}

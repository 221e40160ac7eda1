import Crypto
import OAuth

/// The style sheet or the script of a page. The page lets in nothing but these two, by their hashes.
package struct PageAsset: Sendable {
  /// The kind of an asset; the raw value is the name of its element.
  package enum Kind: String, Sendable {
    case style, script
  }

  let kind: Kind
  package let text: String

  package init(kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }

  var tag: String { kind.rawValue }

  /// As a content security policy names it: `'sha256-…'` (CSP Level 3 §2.3.1).
  package var source: String {
    "'sha256-\(Base64.encode(Array(SHA256.hash(data: Array(text.utf8)))))'"
  }
}

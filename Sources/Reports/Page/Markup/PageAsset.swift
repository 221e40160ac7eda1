import Crypto
import Documents
import OAuth

/// The style sheet or the script of a page. The content security policy permits only these two, by hash.
package struct PageAsset: Sendable {
  /// The type of an asset. The raw value is the element name.
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

  /// The source in a content security policy: `'sha256-…'` (CSP Level 3 §2.3.1).
  package var source: String {
    "'sha256-\(Base64.encode(Array(SHA256.hash(data: Array(text.utf8)))))'"
  }
}

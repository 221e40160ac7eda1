import Crypto
import Documents
import OAuth

/// A page's style sheet or script. The content security policy allows only these two assets and identifies them by
/// hash.
package struct PageAsset: Sendable {
  /// The type of asset. The raw value is the element name.
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

  /// The source expression for the content security policy: `'sha256-…'` (CSP Level 3 §2.3.1).
  package var source: String {
    "'sha256-\(Base64.encode(Array(SHA256.hash(data: Array(text.utf8)))))'"
  }
}

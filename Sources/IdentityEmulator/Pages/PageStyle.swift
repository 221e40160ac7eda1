import Crypto
import Documents
import OAuth

/// The style sheet of all pages.
enum PageStyle {
  /// The hash of the style sheet for the Content-Security-Policy header, which allows no other style sheet.
  static let hash = "sha256-" + Base64.encode(SHA256.hash(data: Array(sheet.text.utf8)))

  /// The style sheet. Both color schemes have a contrast of at least 4.5:1.
  static let sheet = HTML(stringLiteral: EmbeddedData.text("page.css") ?? "")
}

import Crypto
import OAuth

enum PageStyle {
  /// The sheet's hash, by which the pages' policy lets it in and no other.
  static let hash = "sha256-" + Base64.encode(SHA256.hash(data: Array(sheet.text.utf8)))

  /// One sheet for all pages; both color schemes keep a contrast of at least 4.5 to 1.
  static let sheet = HTML(stringLiteral: EmbeddedData.text("page.css") ?? "")
}

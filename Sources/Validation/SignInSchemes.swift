import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// The role of a URL scheme during sign-in.
enum SignInScheme {
  /// A scheme in the format `msal<client id>`. The client ID may be malformed or a placeholder.
  case client(Substring)
  /// A scheme in the format `msauth.<bundle id>`.
  case bundle(Substring)
  case other

  /// Classifies a scheme, or the scheme in a URL.
  init(_ schemeOrURL: String) {
    let text = schemeOrURL.contains("://") ? String(schemeOrURL.prefix { $0 != ":" }) : schemeOrURL
    let lower = text.lowercased()
    if lower.hasPrefix("msauth."), lower.count > "msauth.".count {
      self = .bundle(text.dropFirst("msauth.".count))
    } else if lower.hasPrefix("msal"), Self.isMeantAsClientID(text.dropFirst("msal".count), of: text) {
      self = .client(text.dropFirst("msal".count))
    } else {
      self = .other
    }
  }

  private static func isMeantAsClientID(_ suffix: Substring, of text: String) -> Bool {
    if suffix.hasPrefix("$(") || suffix.hasPrefix("${") || TemplatePlaceholder.find(in: text) != nil { return true }
    let digits = suffix.filter { $0 != "-" && $0 != "{" && $0 != "}" && !$0.isWhitespace }
    let hex = digits.count(where: \.isHexDigit)
    return (24...40).contains(digits.count) && hex * 10 >= digits.count * 9
  }

  /// The bundle ID in `msauth.<bundle id>`, or nil for Intune's schemes, which every managed app registers.
  var ownBundleID: Substring? {
    guard case .bundle(let bundleID) = self, bundleID != "com.microsoft.intunemam", !bundleID.hasSuffix("-intunemam"),
      // URLSchemeClientID reports a client ID in place of the bundle ID.
      !GUIDText.isWellFormed(bundleID)
    else { return nil }
    return bundleID
  }

  /// Returns the intended scheme if a reference to the bundle ID has missing or unbalanced parentheses.
  static func meantReference(in text: String) -> String? {
    let name = "PRODUCT_BUNDLE_IDENTIFIER"
    guard text.hasPrefix("msauth."), text.contains(name) else { return nil }
    for reference in ["$(\(name))", "${\(name)}", "$(\(name):", "${\(name):"] where text.contains(reference) {
      return nil
    }
    let suffix = text.dropFirst("msauth.".count).filter { !"$(){}[]<> ".contains($0) }
    return suffix == name ? "msauth.$(\(name))" : nil
  }

  /// Returns one scheme for each bundle ID, with the bundle ID reference replaced.
  static func expanded(_ scheme: String, bundleIDs: [String]) -> [String] {
    let reference = /\$[({]PRODUCT_BUNDLE_IDENTIFIER[)}]/
    guard scheme.contains(reference), !bundleIDs.isEmpty else { return [scheme] }
    return bundleIDs.map { scheme.replacing(reference, with: $0) }
  }

  /// Returns whether the scheme contains a placeholder.
  static func isPlaceholder(_ text: String) -> Bool {
    TemplatePlaceholder.find(in: text) != nil || meantReference(in: text) != nil
  }

  /// Returns whether a string is a valid scheme according to RFC 3986, section 3.1. App Store Connect also requires a
  /// valid scheme (ITMS-90158). Treats each reference as a letter, because it can expand to any text.
  static func isWellFormed(_ text: some StringProtocol) -> Bool {
    let bytes = Array(
      Definitions.containsReference(String(text)) ? withoutReferences(String(text)).utf8 : String(text).utf8)
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy(isSchemeByte)
  }

  /// Returns the first character that is not allowed in a scheme.
  static func firstInvalidCharacter(of text: String) -> Character? {
    withoutReferences(text).first { $0.utf8.count != 1 || !$0.utf8.allSatisfy(isSchemeByte) }
  }

  /// Replaces each reference with a letter.
  private static func withoutReferences(_ text: String) -> String {
    text.replacing(/\$[({][^)}]*[)}]/, with: "x")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

extension InfoPlist {
  /// Whether the file indicates that its app signs in with MSAL. If it does not, most rules ignore the file's schemes.
  var signsInWithMSAL: Bool {
    if queries.contains(where: { $0.text.lowercased().hasPrefix("msauth") }) { return true }
    if intune.contains(where: { $0.key.hasPrefix("ADAL") }) { return true }
    return schemes.contains { entry in
      let lower = entry.text.lowercased()
      if lower == "msal" || lower.hasPrefix("msauth") { return true }
      if case .client = SignInScheme(entry.text) { return true }
      return false
    }
  }

  /// The app's own `msauth.<bundle id>` schemes, with their bundle IDs.
  var ownSchemes: [(entry: Entry, bundleID: Substring)] {
    schemes.compactMap { entry in SignInScheme(entry.text).ownBundleID.map { (entry, $0) } }
  }
}

extension InfoPlist.Entry {
  /// The edits that remove the entry from its list. Nil if the entry cannot be removed safely, or if the list is so
  /// long that removing many entries would take quadratic time.
  var removal: [Diagnostic.Edit]? {
    container.count <= 500 ? TextEdits.removeElement(node, from: container) : nil
  }
}

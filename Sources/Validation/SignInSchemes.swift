import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// A URL scheme as signing in uses it.
enum SignInScheme {
  /// `msal<client id>`, where that may be misspelled or still to be filled in.
  case client(Substring)
  /// `msauth.<bundle id>`
  case bundle(Substring)
  case other

  /// Of a whole URL, what stands before its colon.
  init(_ whole: String) {
    let text = whole.contains("://") ? String(whole.prefix { $0 != ":" }) : whole
    let lower = text.lowercased()
    if lower.hasPrefix("msauth."), lower.count > "msauth.".count {
      self = .bundle(text.dropFirst("msauth.".count))
    } else if lower.hasPrefix("msal"), Self.isMeantAsClientID(text.dropFirst("msal".count), of: text) {
      self = .client(text.dropFirst("msal".count))
    } else {
      self = .other
    }
  }

  private static func isMeantAsClientID(_ rest: Substring, of text: String) -> Bool {
    if rest.hasPrefix("$(") || rest.hasPrefix("${") || TemplatePlaceholder.find(in: text) != nil { return true }
    let digits = rest.filter { $0 != "-" && $0 != "{" && $0 != "}" && !$0.isWhitespace }
    let hex = digits.count(where: \.isHexDigit)
    return (24...40).contains(digits.count) && hex * 10 >= digits.count * 9
  }

  /// The bundle id of `msauth.<bundle id>`; Intune's own schemes, which every managed app registers, are none.
  var ownBundleID: Substring? {
    guard case .bundle(let bundleID) = self, bundleID != "com.microsoft.intunemam", !bundleID.hasSuffix("-intunemam"),
      // A client id in the bundle id's place is another mistake, told by its own rule.
      !GUIDText.isWellFormed(bundleID)
    else { return nil }
    return bundleID
  }

  /// The scheme that was meant where the name of the setting stands without its brackets, or with half of them.
  static func meantReference(in text: String) -> String? {
    let name = "PRODUCT_BUNDLE_IDENTIFIER"
    guard text.hasPrefix("msauth."), text.contains(name) else { return nil }
    for whole in ["$(\(name))", "${\(name)}", "$(\(name):", "${\(name):"] where text.contains(whole) { return nil }
    let rest = text.dropFirst("msauth.".count).filter { !"$(){}[]<> ".contains($0) }
    return rest == name ? "msauth.$(\(name))" : nil
  }

  /// Whether something is still to be filled in.
  static func isPlaceholder(_ text: String) -> Bool {
    TemplatePlaceholder.find(in: text) != nil || meantReference(in: text) != nil
  }

  /// RFC 3986 §3.1, which Apple's review asks for too (ITMS-90158); references may stand for anything.
  static func isWellFormed(_ text: some StringProtocol) -> Bool {
    let bytes = Array(
      Definitions.holdsReference(String(text)) ? withoutReferences(String(text)).utf8 : String(text).utf8)
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy(isSchemeByte)
  }

  /// The first character that no scheme may have.
  static func firstWrongCharacter(of text: String) -> Character? {
    withoutReferences(text).first { $0.utf8.count != 1 || !$0.utf8.allSatisfy(isSchemeByte) }
  }

  /// Each reference made a letter.
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
  /// Whether the file shows that its app signs in with MSAL. Other apps' schemes are no concern of this house.
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

  /// The schemes `msauth.<bundle id>` that are meant for the app itself, with their bundle ids.
  var ownSchemes: [(entry: Entry, bundleID: Substring)] {
    schemes.compactMap { entry in SignInScheme(entry.text).ownBundleID.map { (entry, $0) } }
  }
}

extension InfoPlist.Entry {
  /// Takes the entry out of its list; nil where that cannot be done with certainty, or the list is longer than any app's, which
  /// would have to be gone through for each of them.
  var removal: [Diagnostic.Edit]? {
    container.count <= 500 ? TextEdits.removeElement(node, from: container) : nil
  }
}

import AppRegistration
import Diagnostics
import Documents

struct URLSchemeMalformed: Rule {
  let id = "url-scheme-malformed"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, plist.signsInWithMSAL else { return [] }
    return plist.schemes.compactMap { check($0, in: plist) }
  }

  private func check(_ entry: InfoPlist.Entry, in plist: InfoPlist) -> Diagnostic? {
    let text = entry.text
    guard !text.allSatisfy(\.isWhitespace), !SignInScheme.isPlaceholder(text), !SignInScheme.isWellFormed(text) else {
      return nil
    }
    let trimmed = text.trimmingPrefix(while: \.isWhitespace)
    let scheme = trimmed.prefix { $0 != ":" && !$0.isWhitespace }
    let isURL = scheme.endIndex < trimmed.endIndex && trimmed[scheme.endIndex] == ":"
    let isPadded = !isURL && trimmed[scheme.endIndex...].allSatisfy(\.isWhitespace)
    guard SignInScheme.isWellFormed(scheme), isURL || isPadded else {
      let character = SignInScheme.firstInvalidCharacter(of: text)
      return finding(
        character.map { $0.isWhitespace ? "whitespace in a URL scheme" : "invalid character `\($0)` in a URL scheme" }
          ?? "URL scheme does not start with a letter",
        help: "use only letters, digits, `+`, `-`, and `.`", at: entry.node.place)
    }
    // If two URLs have the same scheme, the fix for the first URL already registers the scheme.
    let before = plist.schemes.prefix { $0.node.span != entry.node.span }
    let isRegistered =
      plist.schemes.contains { $0.text == scheme } || before.contains { $0.text.hasPrefix("\(scheme):") }
    let edits =
      isRegistered
      ? entry.removal
      : TextEdits.replaceValue(entry.node, with: String(scheme))
    return finding(
      isURL
        ? "URL instead of a URL scheme" : "whitespace around the URL scheme",
      help: isRegistered ? "remove it, because `\(scheme)` is already registered" : "replace it with `\(scheme)`",
      at: entry.node.place,
      fix: edits.map {
        .init(description: isRegistered ? "remove the malformed scheme" : "replace with `\(scheme)`", edits: $0)
      })
  }
}

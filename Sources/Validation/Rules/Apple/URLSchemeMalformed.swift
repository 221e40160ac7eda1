import AppRegistration
import Diagnostics
import Documents

struct URLSchemeMalformed: Rule {
  let id = "url-scheme-malformed"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, plist.signsInWithMSAL else { return [] }
    return plist.schemes.compactMap { check($0, besides: plist) }
  }

  private func check(_ entry: InfoPlist.Entry, besides plist: InfoPlist) -> Diagnostic? {
    let text = entry.text
    guard !text.allSatisfy(\.isWhitespace), !SignInScheme.isPlaceholder(text), !SignInScheme.isWellFormed(text) else {
      return nil
    }
    let trimmed = text.trimmingPrefix(while: \.isWhitespace)
    let scheme = trimmed.prefix { $0 != ":" && !$0.isWhitespace }
    let isURL = scheme.endIndex < trimmed.endIndex && trimmed[scheme.endIndex] == ":"
    let isPadded = !isURL && trimmed[scheme.endIndex...].allSatisfy(\.isWhitespace)
    guard SignInScheme.isWellFormed(scheme), isURL || isPadded else {
      let wrong = SignInScheme.firstWrongCharacter(of: text)
      return finding(
        wrong.map { $0.isWhitespace ? "a URL scheme cannot hold a blank" : "a URL scheme cannot hold \"\($0)\"" }
          ?? "a URL scheme begins with a letter",
        help: "use letters, digits, +, - and . only", at: entry.node.place)
    }
    // Of two URLs with the same scheme the first is what the second would become.
    let before = plist.schemes.prefix { $0.node.span != entry.node.span }
    let isThereAlready =
      plist.schemes.contains { $0.text == scheme } || before.contains { $0.text.hasPrefix("\(scheme):") }
    let edits =
      isThereAlready
      ? entry.removal
      : TextEdits.replaceValue(entry.node, with: String(scheme))
    return finding(
      isURL
        ? "this is a URL, and a scheme is what stands before its colon" : "the URL scheme has white space around it",
      help: isThereAlready ? "remove it: \(scheme) is registered already" : "write \(scheme)", at: entry.node.place,
      fix: edits.map { .init(description: isThereAlready ? "remove it" : "leave the scheme alone", edits: $0) })
  }
}

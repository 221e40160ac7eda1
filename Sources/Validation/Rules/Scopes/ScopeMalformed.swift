import AppRegistration
import Diagnostics
import Documents

struct ScopeMalformed: LoadingRule {
  let rule = SettingsRule.scopeMalformed

  /// Returns a fix that splits each element that contains several scopes. The first scope remains in place, and the
  /// other scopes are appended to the list.
  func fix(_ finding: Diagnostic, in file: ValidatedFile) -> Diagnostic.Fix? {
    let lists = file.loadedSettings.compactMap { $0.settings.scopes.flatMap { file.node(at: $0.place) } }
    guard let place = finding.place.span,
      let list = lists.first(where: { $0.kind == .array && $0.span.start <= place.start && place.end <= $0.span.end }),
      list.count <= ValidatedFile.mostScopes
    else { return nil }
    let separators: Set<Character> = [",", ";"]
    var edits: [Diagnostic.Edit] = []
    var remaining: [JSON] = []
    for element in list.elements {
      guard let text = element.string, TemplatePlaceholder.find(in: text) == nil, SecretPattern.redacting(text) == text
      else {
        return nil
      }
      let scopes = text.split { $0.isWhitespace || separators.contains($0) }.map(String.init)
      guard let first = scopes.first, scopes.count > 1 else { continue }
      guard let replaced = TextEdits.replaceValue(element, with: first) else { return nil }
      edits += replaced
      remaining += scopes.dropFirst().map { .string($0) }
    }
    guard !remaining.isEmpty, let appended = TextEdits.appendElements(remaining, to: list) else { return nil }
    return Diagnostic.Fix(description: "split into one element for each scope", edits: edits + appended)
  }
}

import Diagnostics
import IdentityPlatform

struct PermissionUnknown: Rule {
  let id = "permission-unknown"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.scopeUses.compactMap { use in
      guard ScopeRules.isGraph(use.scope) else { return nil }
      let name = ScopeRules.permission(of: use.scope)
      guard name != ".default", !Self.isPublished(name) else { return nil }
      let displayedName = name.utf8.count > 100 ? name.prefix(80) + "…" : name[...]
      let message = "unknown Microsoft Graph permission `\(displayedName)`"
      let nearest = Suggestion.nearest(to: name, among: GraphPermission.publishedNames)
      guard let nearest, !Self.isPlausible(name) else {
        let alternative = nearest.map { ", or use `\($0)`" } ?? ""
        return finding(
          message, severity: .note,
          help: "if another API defines this scope, prefix it with that API's resource\(alternative)", at: use.place)
      }
      return finding(
        message, help: "did you mean `\(nearest)`?", at: use.place, fix: Self.fix(name, nearest, at: use.place))
    }
  }

  /// Returns whether Microsoft Graph has a delegated or application permission with this name. Another rule reports
  /// application permissions.
  static func isPublished(_ name: String) -> Bool {
    GraphPermission.published(name) != nil || GraphPermission.named(name) != nil
  }

  /// Returns a fix that replaces the permission name and keeps the resource before it.
  private static func fix(_ name: String, _ meant: String, at place: FileSpan) -> Diagnostic.Fix? {
    guard let span = place.span, !place.source.isBinary else { return nil }
    let text = place.source.text(in: span)
    guard let range = text.firstRange(of: name) else { return nil }
    let start = span.start + text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    let edit = Diagnostic.Edit(span: SourceSpan(start: start, end: start + name.utf8.count), replacement: meant)
    return Diagnostic.Fix(description: "replace with `\(meant)`", edits: [edit])
  }

  /// Returns whether every part of a name occurs in published names, as in `Files.ReadWrite.Selected`. Microsoft might
  /// have added such a permission after authflow's list was created, even if the name resembles a listed name.
  static func isPlausible(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map { $0.lowercased() }
    return parts.count >= 2 && parts.allSatisfy(knownParts.contains)
  }

  private static let knownParts = Set(
    GraphPermission.publishedNames.flatMap { $0.split(separator: ".").map { $0.lowercased() } })
}

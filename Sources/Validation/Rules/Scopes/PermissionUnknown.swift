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
      let shown = name.utf8.count > 100 ? name.prefix(80) + "…" : name[...]
      let words = "Microsoft Graph has no permission \"\(shown)\""
      let nearest = Suggestion.nearest(to: name, among: GraphPermission.publishedNames)
      guard let nearest, !Self.isPlausible(name) else {
        let end = nearest.map { ", or did you mean \($0)?" } ?? ""
        return finding(
          words, severity: .note, help: "write the resource before the scope of another API\(end)", at: use.place)
      }
      return finding(
        words, help: "did you mean \(nearest)?", at: use.place, fix: Self.fix(name, nearest, at: use.place))
    }
  }

  /// Whether it is a delegated permission, or an application permission, which another rule reports.
  static func isPublished(_ name: String) -> Bool {
    GraphPermission.published(name) != nil || GraphPermission.named(name) != nil
  }

  /// The permission's own name replaced, whatever stands around it.
  private static func fix(_ name: String, _ meant: String, at place: FileSpan) -> Diagnostic.Fix? {
    guard let span = place.span, !place.source.isBinary else { return nil }
    let written = place.source.text(in: span)
    guard let range = written.firstRange(of: name) else { return nil }
    let start = span.start + written.utf8.distance(from: written.startIndex, to: range.lowerBound)
    let edit = Diagnostic.Edit(span: SourceSpan(start: start, end: start + name.utf8.count), replacement: meant)
    return Diagnostic.Fix(description: "write \(meant)", edits: [edit])
  }

  /// `Files.ReadWrite.Selected` is one letter run away from listed names and may well exist: only the parts that Graph builds names
  /// of are judged, resource and verb. A name whose every part is one that Graph uses is let pass.
  static func isPlausible(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map { $0.lowercased() }
    return parts.count >= 2 && parts.allSatisfy(knownParts.contains)
  }

  private static let knownParts = Set(
    GraphPermission.publishedNames.flatMap { $0.split(separator: ".").map { $0.lowercased() } })
}

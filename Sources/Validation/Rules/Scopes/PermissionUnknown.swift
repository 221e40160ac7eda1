import Diagnostics
import IdentityPlatform

struct PermissionUnknown: Rule {
  let id = "permission-unknown"
  let severity = Diagnostic.Severity.warning
  let words = "a scope is nearly, but not quite, a permission of Microsoft Graph"
  let help = """
    A name without a resource before it is Microsoft Graph's. Graph does not know this one (AADSTS70011), and knows one that is \
    spelled almost like it. Names that are like none are let pass, for Graph has more permissions than are listed here.
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [1️⃣User.Raed]
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read]
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.scopeUses.compactMap { use in
      guard ScopeRules.isGraph(use.scope) else { return nil }
      let name = ScopeRules.permission(of: use.scope)
      guard name != ".default", GraphPermission.named(name) == nil, !Self.isPlausible(name) else { return nil }
      return Suggestion.nearest(to: name, among: GraphPermission.names).map { nearest in
        finding(
          "Microsoft Graph has no permission \"\(name)\"", help: "did you mean \(nearest)?", at: use.place,
          fix: Self.fix(name, nearest, at: use.place))
      }
    }
  }

  /// The permission's own name replaced, whatever stands around it.
  private static func fix(_ name: String, _ meant: String, at place: Place) -> Diagnostic.Fix? {
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
    GraphPermission.names.flatMap { $0.split(separator: ".").map { $0.lowercased() } })
}

import Diagnostics
import Documents
import IdentityPlatform

struct ScopeDuplicate: Rule {
  let id = "scope-duplicate"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.scopeLists.flatMap { list -> [Diagnostic] in
      var seen: Set<String> = []
      // ScopeReserved reports reserved scopes.
      let duplicates = list.scopes.indices.filter { index in
        let scope = list.scopes[index].value
        return !ScopeRules.isReserved(scope) && !seen.insert(Self.normalized(scope)).inserted
      }
      guard !duplicates.isEmpty else { return [] }
      let fix = list.removing(Set(duplicates).contains, "remove duplicate scopes")
      return duplicates.map { index in
        finding(
          "duplicate scope `\(list.scopes[index].value)`", help: "remove it", at: list.scopes[index].place, fix: fix)
      }
    }
  }

  /// Returns a normalized scope that is identical for all equivalent spellings.
  private static func normalized(_ scope: String) -> String {
    guard ScopeRules.isGraph(scope) else { return scope }
    return "graph/\(ScopeRules.permission(of: scope).lowercased())"
  }
}

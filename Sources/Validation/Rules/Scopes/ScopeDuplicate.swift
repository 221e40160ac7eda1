import Diagnostics
import Documents
import IdentityPlatform

struct ScopeDuplicate: Rule {
  let id = "scope-duplicate"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.scopeLists.flatMap { list -> [Diagnostic] in
      var seen: Set<String> = []
      // What MSAL refuses is to be removed anyhow.
      let repeated = list.scopes.indices.filter { index in
        let scope = list.scopes[index].value
        return !ScopeRules.isReserved(scope) && !seen.insert(Self.normal(scope)).inserted
      }
      guard !repeated.isEmpty else { return [] }
      let fix = list.removing(Set(repeated).contains, "remove what is there already")
      return repeated.map { index in
        finding(
          "\(list.scopes[index].value) is asked for already", help: "remove it", at: list.scopes[index].place, fix: fix)
      }
    }
  }

  /// The same text for every spelling of one scope.
  private static func normal(_ scope: String) -> String {
    guard ScopeRules.isGraph(scope) else { return scope }
    return "graph/\(ScopeRules.permission(of: scope).lowercased())"
  }
}

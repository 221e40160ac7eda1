import AppRegistration
import Documents
import Effects
import IdentityPlatform

extension ValidatedFile {
  /// The scopes that appsettings files request for downstream APIs. The scopes are under a `Scopes` key next to an
  /// API's `BaseUrl`, for example in `DownstreamApi` or `DownstreamApis`.
  ///
  /// Scopes without a resource are included only if the API is Microsoft Graph.
  var downstreamScopeLists: [ScopeList] {
    guard kind == .appsettings, let node else { return [] }
    var lists: [ScopeList] = []
    Self.collect(node, depth: 0, into: &lists)
    return lists
  }

  /// The maximum number of APIs to check. Real apps call fewer APIs.
  private static let mostAPIs = 100

  private static func collect(_ node: Node, depth: Int, into lists: inout [ScopeList]) {
    for (_, value) in node.entries where value.kind == .mapping {
      guard lists.count < mostAPIs else { return }
      if let list = list(of: value) {
        lists.append(list)
      } else if depth < 2 {
        collect(value, depth: depth + 1, into: &lists)
      }
    }
  }

  private static func list(of api: Node) -> ScopeList? {
    guard let address = (api["BaseUrl"] ?? api["BaseUri"])?.string, let node = api["Scopes"] else { return nil }
    let scopes = scopes(node).prefix(mostScopes)
    let isGraph = URLReference(valid: address)?.host.map { Cloud.withGraph(host: $0) != nil } ?? false
    guard !scopes.isEmpty, isGraph || scopes.allSatisfy({ $0.value.contains("/") }) else { return nil }
    return ScopeList(node: node, scopes: Array(scopes))
  }

  /// Returns the scopes in a list or in a space-separated string, each with its location.
  private static func scopes(_ node: Node) -> [Positioned<String>] {
    guard let text = node.string else { return scopeTexts(node) }
    let value = Positioned(text, at: node.place)
    return text.split(separator: " ").map { Positioned(String($0), at: value.place(of: $0)) }
  }
}

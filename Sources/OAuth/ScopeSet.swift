/// Scopes in order and as typed, compared without regard to case: what is asked for, and what was granted.
package struct ScopeSet: Sendable {
  /// As typed, in order, each once. The wire has them as they are, so two that differ in case only are two.
  package let scopes: [String]

  /// An element that holds several, parted by spaces, is several.
  package init(_ scopes: some Sequence<String>) {
    var distinct: [String] = []
    for element in scopes {
      for scope in element.utf8.split(separator: 0x20) {
        let scope = String(Substring(scope)).trimmingSpaces()
        if !scope.isEmpty, !distinct.contains(scope) { distinct.append(scope) }
      }
    }
    self.scopes = distinct
  }

  /// What is known to be trimmed, and each once.
  private init(distinct scopes: [String]) {
    self.scopes = scopes
  }

  /// Splits a space-separated text (RFC 6749 §3.3); blanks are dropped.
  package init(parsing text: some StringProtocol) {
    self.init([String(text)])
  }

  /// The scopes of OpenID Connect that MSAL adds by itself, in the order in which it sends them.
  package static let openIDConnect: ScopeSet = ["openid", "profile", "offline_access"]

  /// What the wire and the token cache write.
  package var text: String { scopes.joined(separator: " ") }

  package var isEmpty: Bool { scopes.isEmpty }

  package func contains(_ scope: String) -> Bool {
    if scopes.contains(scope) { return true }
    let wanted = scope.lowercased()
    return scopes.contains { $0.lowercased() == wanted }
  }

  package func isSubset(of other: ScopeSet) -> Bool { subtracting(other).isEmpty }

  package func intersects(_ other: ScopeSet) -> Bool { scopes.contains { other.contains($0) } }

  package func union(_ other: ScopeSet) -> ScopeSet { ScopeSet(scopes + other.scopes) }

  package func subtracting(_ other: ScopeSet) -> ScopeSet {
    ScopeSet(distinct: scopes.filter { !other.contains($0) })
  }

  /// Without `openid`, `profile` and `offline_access`, which say nothing about a resource.
  package var withoutOpenIDConnect: ScopeSet { subtracting(.openIDConnect) }

  /// The resources that the scopes name, each once, in order; nil for scopes without a resource, such as `User.Read`.
  package var resources: [String?] {
    var seen: Set<String?> = []
    return scopes.map { ScopeName($0).resource }.filter { seen.insert($0?.lowercased()).inserted }
  }
}

extension ScopeSet: Hashable {
  /// Equal sets grant the same: order and case do not matter.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    Set(lhs.scopes.map { $0.lowercased() }) == Set(rhs.scopes.map { $0.lowercased() })
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Set(scopes.map { $0.lowercased() }))
  }
}

extension ScopeSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: String...) { self.init(elements) }
}

/// One scope, parted into the resource and what is asked of it.
package struct ScopeName: Hashable, Sendable {
  /// Everything before the last `/`: `https://graph.microsoft.com`, `api://…`, a client id; nil in a bare name.
  ///
  /// A resource that ends in a slash therefore needs two before the name: `https://management.azure.com//.default`.
  package var resource: String?
  /// `User.Read`, `.default`, `openid`.
  package var name: String

  package init(_ scope: String) {
    if let slash = scope.lastIndex(of: "/") {
      resource = String(scope[..<slash])
      name = String(scope[scope.index(after: slash)...])
    } else {
      resource = nil
      name = scope
    }
  }

  /// Whether all permissions that the app's registration lists are asked for at once.
  package var isDefault: Bool { name.lowercased() == ".default" }

  package var text: String { resource.map { "\($0)/\(name)" } ?? name }
}

extension String {
  /// Looks at bytes: none of a longer character is a space.
  fileprivate var withoutSpacesAround: String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = utf8.first, let last = utf8.last, isSpace(first) || isSpace(last) else { return self }
    var rest = utf8[...]
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return String(Substring(rest))
  }
}

extension StringProtocol {
  /// Without ASCII whitespace at either end.
  package func trimmingSpaces() -> String {
    String(self).withoutSpacesAround
  }
}

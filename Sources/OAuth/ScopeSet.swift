/// Requested or granted scopes (RFC 6749 §3.3), in order. Comparisons ignore case.
package struct ScopeSet: Sendable {
  /// The distinct scopes as written, in order. Scopes that differ only in case count as distinct, because requests send
  /// scopes as written.
  package let scopes: [String]

  /// Creates a set. Elements can contain several scopes, separated by spaces.
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

  /// Creates a set of distinct, trimmed scopes.
  private init(distinct scopes: [String]) {
    self.scopes = scopes
  }

  /// Parses a space-separated list (RFC 6749 §3.3).
  package init(parsing text: some StringProtocol) {
    self.init([String(text)])
  }

  /// The OpenID Connect scopes that MSAL adds to every request, in its order.
  package static let openIDConnect: ScopeSet = ["openid", "profile", "offline_access"]

  /// The scopes as a space-separated list, for requests and the token cache.
  package var text: String { scopes.joined(separator: " ") }

  package var isEmpty: Bool { scopes.isEmpty }

  package func contains(_ scope: String) -> Bool {
    if scopes.contains(scope) { return true }
    let lowercased = scope.lowercased()
    return scopes.contains { $0.lowercased() == lowercased }
  }

  package func isSubset(of other: ScopeSet) -> Bool { subtracting(other).isEmpty }

  package func union(_ other: ScopeSet) -> ScopeSet { ScopeSet(scopes + other.scopes) }

  package func subtracting(_ other: ScopeSet) -> ScopeSet {
    ScopeSet(distinct: scopes.filter { !other.contains($0) })
  }

  /// The scopes other than `openid`, `profile`, and `offline_access`, which do not belong to a resource.
  package var withoutOpenIDConnect: ScopeSet { subtracting(.openIDConnect) }

  /// The distinct resources of the scopes, in order. An element is nil for scopes without a resource, such as
  /// `User.Read`.
  package var resources: [String?] {
    var seen: Set<String?> = []
    return scopes.map { ScopeName($0).resource }.filter { seen.insert($0?.lowercased()).inserted }
  }
}

extension ScopeSet: Hashable {
  /// Compares two sets, ignoring order and case.
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

/// A scope, split into its resource and permission.
package struct ScopeName: Hashable, Sendable {
  /// The text before the last `/`, such as `https://graph.microsoft.com`, `api://…`, or a client ID. Nil if there is no
  /// slash.
  ///
  /// If the resource itself ends in a slash, the scope contains two slashes, as in
  /// `https://management.azure.com//.default`.
  package var resource: String?
  /// The permission, such as `User.Read`, `.default`, or `openid`.
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

  /// Whether the scope requests all permissions in the app registration.
  package var isDefault: Bool { name.lowercased() == ".default" }

  package var text: String { resource.map { "\($0)/\(name)" } ?? name }
}

extension String {
  /// The text without surrounding ASCII whitespace. Trimming UTF-8 bytes is safe, because multibyte characters do not
  /// contain ASCII bytes.
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
  /// Returns the text without leading or trailing ASCII whitespace.
  package func trimmingSpaces() -> String {
    String(self).withoutSpacesAround
  }
}

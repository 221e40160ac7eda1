/// The keys of cache entries, as in the file that MSAL for Python, .NET, and Go share.
package enum CacheKey {
  /// Trims and lowercases a key component for comparison.
  package static func normalized(_ component: String) -> String {
    // Fast path, because most components are already normalized.
    let isNormalized = component.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 < 0x80 && !(0x41...0x5A).contains($0) }
    }
    if isNormalized == true, component.utf8.first != 0x20, component.utf8.last != 0x20 { return component }
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
    guard component.first.map(isSpace) == true || component.last.map(isSpace) == true else {
      return component.lowercased()
    }
    var rest = component[...]
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return rest.lowercased()
  }

  /// Returns `<home>-<environment>-accesstoken-<client>-<realm>-<sorted target>`.
  package static func accessToken(
    homeAccountID: String, environment: String, clientID: String, realm: String, target: [String]
  ) -> String {
    joined(homeAccountID, environment, "accesstoken", clientID, realm, target.sorted().joined(separator: " "))
  }

  /// Returns `<home>-<environment>-refreshtoken-<client>--<sorted target>`. The key of a family refresh token contains
  /// the family ID instead of the client ID.
  package static func refreshToken(
    homeAccountID: String, environment: String, clientOrFamilyID: String, target: [String]
  ) -> String {
    joined(homeAccountID, environment, "refreshtoken", clientOrFamilyID, "", target.sorted().joined(separator: " "))
  }

  /// Returns `<home>-<environment>-idtoken-<client>-<realm>-`.
  package static func idToken(homeAccountID: String, environment: String, clientID: String, realm: String) -> String {
    joined(homeAccountID, environment, "idtoken", clientID, realm, "")
  }

  /// Returns `<home>-<environment>-<realm>`.
  package static func account(homeAccountID: String, environment: String, realm: String) -> String {
    joined(homeAccountID, environment, realm)
  }

  /// Returns `appmetadata-<environment>-<client>`, not lowercased.
  package static func appMetadata(environment: String, clientID: String) -> String {
    "appmetadata-\(environment)-\(clientID)"
  }

  /// Returns `authority_map-<client>`: the account and service attributes of MSAL's keychain item.
  package static func accountMetadata(clientID: String) -> String {
    joined("authority_map", clientID)
  }

  private static func joined(_ components: String...) -> String {
    components.map { normalized($0) }.joined(separator: "-")
  }
}

/// The keys of the entries, as MSAL for Python, .NET and Go write them into the file that they share.
package enum CacheKey {
  /// Trimmed and in lower case: how components of keys are compared.
  package static func normal(_ component: String) -> String {
    // Nearly always there is nothing to do, and it is asked often.
    let isNormal = component.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 < 0x80 && !(0x41...0x5A).contains($0) }
    }
    if isNormal == true, component.utf8.first != 0x20, component.utf8.last != 0x20 { return component }
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
    guard component.first.map(isSpace) == true || component.last.map(isSpace) == true else {
      return component.lowercased()
    }
    var rest = component[...]
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return rest.lowercased()
  }

  /// `<home>-<environment>-accesstoken-<client>-<realm>-<sorted target>`
  package static func accessToken(
    homeAccountID: String, environment: String, clientID: String, realm: String, target: [String]
  ) -> String {
    joined(homeAccountID, environment, "accesstoken", clientID, realm, target.sorted().joined(separator: " "))
  }

  /// `<home>-<environment>-refreshtoken-<client>--<sorted target>`; the copy of a family has the family id for the client.
  package static func refreshToken(
    homeAccountID: String, environment: String, clientOrFamilyID: String, target: [String]
  ) -> String {
    joined(homeAccountID, environment, "refreshtoken", clientOrFamilyID, "", target.sorted().joined(separator: " "))
  }

  /// `<home>-<environment>-idtoken-<client>-<realm>-`
  package static func idToken(homeAccountID: String, environment: String, clientID: String, realm: String) -> String {
    joined(homeAccountID, environment, "idtoken", clientID, realm, "")
  }

  /// `<home>-<environment>-<realm>`
  package static func account(homeAccountID: String, environment: String, realm: String) -> String {
    joined(homeAccountID, environment, realm)
  }

  /// `appmetadata-<environment>-<client>`, in the case that the components have.
  package static func appMetadata(environment: String, clientID: String) -> String {
    "appmetadata-\(environment)-\(clientID)"
  }

  /// `authority_map-<client>`: account and service of MSAL's keychain entry.
  package static func accountMetadata(clientID: String) -> String {
    joined("authority_map", clientID)
  }

  private static func joined(_ components: String...) -> String {
    components.map { normal($0) }.joined(separator: "-")
  }
}

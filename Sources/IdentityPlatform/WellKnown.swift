/// Names and identifiers that are the same in every tenant.
package enum WellKnown {
  /// The application id of Microsoft Graph, as it stands in `requiredResourceAccess`.
  package static let graphAppID = "00000003-0000-0000-c000-000000000000"
  /// The tenant that personal accounts live in.
  package static let personalTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"
  /// The scopes that MSAL adds to every request, in the order in which it adds them.
  package static let addedScopes = ["openid", "profile", "offline_access"]
  /// The scopes that belong to OpenID Connect rather than to a resource.
  package static let openIDScopes = ["openid", "profile", "email", "offline_access"]
  /// What MSAL takes where an app names no authority.
  package static let defaultAuthority = "https://login.microsoftonline.com/common"
  /// The redirect URI of a device without a browser of its own (RFC 6749's predecessor drafts; still registered by many apps).
  package static let outOfBandRedirect = "urn:ietf:wg:oauth:2.0:oob"
}

/// The text form of a GUID: 8-4-4-4-12 hexadecimal digits, in either case.
package enum GUIDText {
  package static let zero = "00000000-0000-0000-0000-000000000000"

  package static func isWellFormed(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { index, byte in
        hyphens.contains(index) ? byte == UInt8(ascii: "-") : isHexDigit(byte)
      }
  }

  /// Where the hyphens stand.
  private static let hyphens = [8, 13, 18, 23]

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

/// Names and identifiers that are identical in all tenants.
package enum WellKnown {
  /// The application ID of Microsoft Graph in `requiredResourceAccess`.
  package static let graphAppID = "00000003-0000-0000-c000-000000000000"
  /// The ID of the tenant for personal accounts.
  package static let personalTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"
  /// The scopes that MSAL adds to every request, in MSAL's order.
  package static let addedScopes = ["openid", "profile", "offline_access"]
  /// The scopes that belong to OpenID Connect rather than to a resource.
  package static let openIDScopes = ["openid", "profile", "email", "offline_access"]
  /// The authority that MSAL uses if the app does not set one.
  package static let defaultAuthority = "https://login.microsoftonline.com/common"
  /// The out-of-band redirect URI for devices without a browser. This URI predates RFC 6749, but many apps still
  /// register it.
  package static let outOfBandRedirect = "urn:ietf:wg:oauth:2.0:oob"
}

/// The text format of GUIDs: 8-4-4-4-12 hexadecimal digits in either case.
package enum GUIDText {
  package static let zero = "00000000-0000-0000-0000-000000000000"

  package static func isWellFormed(_ text: some StringProtocol) -> Bool {
    var index = 0
    for byte in text.utf8 {
      let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
      guard isHyphen ? byte == UInt8(ascii: "-") : isHexDigit(byte), index < 36 else { return false }
      index += 1
    }
    return index == 36
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

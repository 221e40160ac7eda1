import Documents
import IdentityPlatform

/// The audience of an access token in the `Authorization` header. The signature is not checked.
struct BearerAudience {
  let name: String

  var isGraph: Bool { name == WellKnown.graphAppID || name.hasPrefix("https://graph.microsoft.") }

  /// - Returns: The audience, or nil if the token is opaque.
  static func audience(of header: String) -> BearerAudience? {
    let parts = header.dropFirst("bearer ".count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = try? Base64URL.decode(parts[1]), let claims = try? JSON(parsing: payload),
      let audience = claims["aud"]?.string
    else { return nil }
    return BearerAudience(name: audience.hasSuffix("/") ? String(audience.dropLast()) : audience)
  }
}

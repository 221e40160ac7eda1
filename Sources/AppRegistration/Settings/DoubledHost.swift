import Effects
import IdentityPlatform

/// Finds a login URL with a repeated host or domain: `contoso.b2clogin.com.b2clogin.com`,
/// `contoso.b2clogin.com/contoso.b2clogin.com/…`.
package struct DoubledHost: Sendable {
  /// The invalid part as written.
  package let text: String
  /// The replacement, or an empty string to remove the invalid part.
  package let replacement: String
  package let message: String

  package var help: String { replacement.isEmpty ? "remove it" : "use `\(replacement)`" }

  /// - Returns: Nil if no Microsoft host or domain is repeated.
  package init?(in address: String) {
    guard address.utf8.count <= TemplatePlaceholder.longestText, address.contains(".") else { return nil }
    let parts = URLReference(valid: address.contains("://") ? address : "https://\(address)")
    guard let parts, let host = parts.host else { return nil }
    if let match = Self.suffixTwice(host) {
      self = match
      return
    }
    let segments = Array(parts.segments.drop { ["tfp", "te"].contains($0.lowercased()) }.prefix(2))
    guard let tenant = segments.first else { return nil }
    if let match = Self.suffixTwice(tenant.lowercased()) {
      self = match
    } else if Authority.hasB2CHost(host), Authority.hasB2CHost(tenant) {
      let isFollowedByTenant = segments.count > 1 && segments[1].contains(".")
      let tenant = String(tenant)
      self.init(
        written: tenant, meant: isFollowedByTenant ? "" : Self.label(of: tenant) + ".onmicrosoft.com",
        message: "host `\(tenant)` is repeated where the tenant's domain belongs")
    } else {
      return nil
    }
  }

  private init(written: String, meant: String, message: String) {
    (self.text, self.replacement, self.message) = (written, meant, message)
  }

  /// Finds a name that ends with two suffixes.
  private static func suffixTwice(_ name: String) -> DoubledHost? {
    guard let last = suffixes.first(where: name.hasSuffix) else { return nil }
    let rest = name.dropLast(last.count)
    guard suffixes.contains(where: rest.hasSuffix) else { return nil }
    return DoubledHost(
      written: name, meant: label(of: name) + last, message: "`\(name)` ends with two domains")
  }

  private static func label(of name: String) -> String { String(name.prefix { $0 != "." }) }

  private static let suffixes = [".b2clogin.com", ".ciamlogin.com", ".onmicrosoft.com", ".microsoftonline.com"]
}

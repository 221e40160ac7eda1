import IdentityPlatform

/// Finds a login address into which a host or a domain was pasted twice: `contoso.b2clogin.com.b2clogin.com`,
/// `contoso.b2clogin.com/contoso.b2clogin.com/…`.
package struct DoubledHost: Sendable {
  /// The wrong part as it is written.
  package let written: String
  /// Its replacement; empty if it is to be removed.
  package let meant: String
  package let message: String

  package var help: String { meant.isEmpty ? "remove it" : "write \(meant)" }

  /// - Returns: nil if no host or domain of Microsoft is doubled.
  package init?(in address: String) {
    guard address.utf8.count <= TemplatePlaceholder.longestText, address.contains(".") else { return nil }
    let parts = URLParts(address.contains("://") ? address : "https://\(address)")
    guard let parts, let host = parts.host?.lowercased() else { return nil }
    if let found = Self.suffixTwice(host) {
      self = found
      return
    }
    let segments = Array(parts.segments.drop { ["tfp", "te"].contains($0.lowercased()) }.prefix(2))
    guard let tenant = segments.first else { return nil }
    if let found = Self.suffixTwice(tenant.lowercased()) {
      self = found
    } else if Authority.hasB2CHost(host), Authority.hasB2CHost(tenant) {
      let isFollowedByTenant = segments.count > 1 && segments[1].contains(".")
      let tenant = String(tenant)
      self.init(
        written: tenant, meant: isFollowedByTenant ? "" : Self.label(of: tenant) + ".onmicrosoft.com",
        message: "the host `\(tenant)` is repeated in the path, where B2C expects the tenant's domain")
    } else {
      return nil
    }
  }

  private init(written: String, meant: String, message: String) {
    (self.written, self.meant, self.message) = (written, meant, message)
  }

  /// A name that ends with one of the suffixes, and still does, or with another one, without it.
  private static func suffixTwice(_ name: String) -> DoubledHost? {
    guard let last = suffixes.first(where: name.hasSuffix) else { return nil }
    let rest = name.dropLast(last.count)
    guard suffixes.contains(where: rest.hasSuffix) else { return nil }
    return DoubledHost(
      written: name, meant: label(of: name) + last, message: "`\(name)` ends with two domains, and no such name exists")
  }

  private static func label(of name: String) -> String { String(name.prefix { $0 != "." }) }

  private static let suffixes = [".b2clogin.com", ".ciamlogin.com", ".onmicrosoft.com", ".microsoftonline.com"]
}

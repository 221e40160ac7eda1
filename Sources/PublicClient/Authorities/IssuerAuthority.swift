import IdentityPlatform
import TokenCache

/// Which authority a silent call for an account goes to.
enum IssuerAuthority {
  /// The authority that answered for this one before; else, for authorities of many tenants, the account's home tenant; any
  /// other tenant as it is, since a guest's tenant is meant.
  static func resolve(
    _ authority: Authority, for account: Account, metadata: AccountMetadataRecord?, instanceAware: Bool
  ) -> (authority: Authority, why: String) {
    if let cached = metadata?.cachedAuthority(
      for: authority.url, instanceAware: instanceAware, account: account.identifier),
      let known = try? Authority(parsing: cached, as: authority.kind)
    {
      return (known, "\(cached) answered for \(authority.url) before")
    }
    guard authority.kind == .aad, let home = account.homeTenantID else { return (authority, "as it was asked for") }
    switch authority.tenant {
    case .common, .consumers:
      return (authority.replacingTenant(with: home), "the account's home tenant stands in for \(authority.url)")
    case .organizations where home != WellKnown.personalTenantID:
      return (authority.replacingTenant(with: home), "the account's home tenant stands in for \(authority.url)")
    default:
      return (authority, "as it was asked for")
    }
  }
}

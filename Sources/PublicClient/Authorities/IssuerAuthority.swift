import IdentityPlatform
import TokenCache

/// The authority that a silent call for an account uses.
struct IssuerAuthority: Sendable {
  enum Reason: Sendable {
    /// The authority previously issued tokens for the requested authority.
    case cached
    case homeTenant
    case requested
  }

  var authority: Authority
  var reason: Reason

  /// Selects the authority that previously issued tokens for the requested authority. If there is none, a multitenant
  /// authority is replaced by the account's home tenant, and any other authority is used as requested, because it can
  /// be a guest's resource tenant.
  init(
    _ requested: Authority, for account: Account, metadata: AccountMetadataRecord?, instanceAware: Bool,
    authorities: AuthorityCache
  ) {
    if let url = metadata?.cachedAuthority(
      for: requested.url, instanceAware: instanceAware, account: account.identifier),
      let cached = authorities.authority(url, as: requested.kind)
    {
      (authority, reason) = (cached, .cached)
      return
    }
    (authority, reason) = (requested, .requested)
    guard requested.kind == .aad, let home = account.homeTenantID else { return }
    switch requested.tenant {
    case .common, .consumers: (authority, reason) = (requested.replacingTenant(with: home), .homeTenant)
    case .organizations where home != WellKnown.personalTenantID:
      (authority, reason) = (requested.replacingTenant(with: home), .homeTenant)
    default: break
    }
  }

  /// Returns the reason to record in a trace.
  func reason(_ requested: Authority) -> String {
    switch reason {
    case .cached: "\(authority.url) previously issued tokens for \(requested.url)"
    case .homeTenant: "the account's home tenant replaces the tenant of \(requested.url)"
    case .requested: "requested by the app"
    }
  }
}

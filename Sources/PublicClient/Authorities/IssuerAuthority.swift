import IdentityPlatform
import TokenCache

/// Which authority a silent call for an account goes to.
struct IssuerAuthority: Sendable {
  enum Reason: Sendable {
    case answeredBefore
    case homeTenant
    case asAsked
  }

  var authority: Authority
  var reason: Reason

  /// The authority that answered for this one before; else, for authorities of many tenants, the account's home tenant; any
  /// other tenant as it is, since a guest's tenant is meant.
  init(
    _ asked: Authority, for account: Account, metadata: AccountMetadataRecord?, instanceAware: Bool,
    memo: AuthorityCache
  ) {
    if let cached = metadata?.cachedAuthority(
      for: asked.url, instanceAware: instanceAware, account: account.identifier),
      let known = memo.authority(cached, as: asked.kind)
    {
      (authority, reason) = (known, .answeredBefore)
      return
    }
    (authority, reason) = (asked, .asAsked)
    guard asked.kind == .aad, let home = account.homeTenantID else { return }
    switch asked.tenant {
    case .common, .consumers: (authority, reason) = (asked.replacingTenant(with: home), .homeTenant)
    case .organizations where home != WellKnown.personalTenantID:
      (authority, reason) = (asked.replacingTenant(with: home), .homeTenant)
    default: break
    }
  }

  /// One sentence for people.
  func reason(_ asked: Authority) -> String {
    switch reason {
    case .answeredBefore: "\(authority.url) answered for \(asked.url) before"
    case .homeTenant: "the account's home tenant stands in for \(asked.url)"
    case .asAsked: "as it was asked for"
    }
  }
}

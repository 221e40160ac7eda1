import IdentityPlatform

extension ResolvedSettings {
  /// A token issuer from the settings.
  package struct NamedIssuer: Hashable, Sendable {
    package var host: String
    /// The tenant's ID or domain, or nil for endpoints such as `common`.
    package var tenant: String?
    /// The user flow of a B2C authority.
    package var userFlow: String?
  }

  /// The issuers of the authority and of all known authorities.
  package var namedIssuers: [NamedIssuer] {
    ([authority] + knownAuthorities).map { authority in
      var issuer = NamedIssuer(host: authority.host, userFlow: authority.policy)
      if case .identifier(let name)? = authority.tenant { issuer.tenant = name }
      return issuer
    }
  }
}

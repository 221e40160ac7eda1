import Effects

/// The authority that issues tokens. Its URL is classified and normalized as in MSAL.
package struct Authority: Hashable, Sendable {
  /// The type of an authority's service, which determines the path format and how MSAL handles the authority.
  package enum Kind: String, Sendable, CaseIterable {
    case aad, b2c, ciam, adfs
    /// Any other OpenID Connect issuer. MSAL does not detect this kind, so the app must request it explicitly.
    case oidc
  }

  /// The accounts that the tenant segment allows.
  package enum Tenant: Hashable, Sendable {
    case common, organizations, consumers
    /// A single tenant, by ID or domain.
    case identifier(String)

    package init(_ segment: some StringProtocol) {
      switch segment.lowercased() {
      case "common": self = .common
      case "organizations": self = .organizations
      case "consumers": self = .consumers
      default: self = .identifier(String(segment))
      }
    }

    /// The tenant's path segment in the URL.
    package var segment: String {
      switch self {
      case .common: "common"
      case .organizations: "organizations"
      case .consumers: "consumers"
      case .identifier(let name): name
      }
    }

    /// The name of the tenant's kind: `common`, `organizations`, `consumers`, `id`, or `domain`.
    package var kindName: String {
      switch self {
      case .common, .organizations, .consumers: segment
      case .identifier(let name): GUIDText.isWellFormed(name) ? "id" : "domain"
      }
    }
  }

  package let kind: Kind
  /// The normalized URL, without a query, fragment, or trailing slash.
  package let url: String
  /// The host, followed by the port unless it is the scheme's default port.
  package let environment: String
  /// The tenant. Nil for AD FS, other issuers, and URLs without a tenant.
  package let tenant: Tenant?
  /// The user flow (policy) of a B2C authority.
  package let policy: String?

  init(kind: Kind, url: String, environment: String, tenant: Tenant?, policy: String? = nil) {
    self.kind = kind
    self.url = url
    self.environment = environment
    self.tenant = tenant
    self.policy = policy
  }

  /// Whether MSAL's public client supports the authority. MSAL cannot create a client with an AD FS authority.
  package var isAcceptedByPublicClient: Bool { kind != .adfs }

  /// The host without a port.
  package var host: String { URLReference(valid: url)?.host ?? environment }

  /// The cloud that the host belongs to, or nil if the host does not belong to a known cloud.
  package var cloud: Cloud? { Cloud.containing(host: environment) }

  /// Whether the host belongs to Microsoft. Client IDs for these hosts are GUIDs.
  package var isMicrosofts: Bool { cloud != nil || Self.isMicrosofts(host: host) }

  /// All hosts of the cloud in MSAL's lookup order: the cache host first, then this authority's host, and then the
  /// others.
  package var aliases: [String] {
    guard let cloud else { return [environment] }
    var hosts: [String] = []
    for host in [cloud.preferredCache, environment] + cloud.aliases where !hosts.contains(host) { hosts.append(host) }
    return hosts
  }

  /// Returns the authority with a different tenant. Replaces the first path segment, or the second segment if the first
  /// is `tfp`.
  package func replacingTenant(with rawTenant: String) -> Authority {
    guard tenant != nil, let parts = URLReference(valid: url) else { return self }
    var segments = parts.segments.map(String.init)
    let position = kind == .b2c && segments.first?.lowercased() == "tfp" ? 1 : 0
    guard segments.indices.contains(position) else { return self }
    segments[position] = rawTenant
    let scheme = parts.scheme ?? "https"
    return Authority(
      kind: kind, url: "\(scheme)://\(environment)/\(segments.joined(separator: "/"))", environment: environment,
      tenant: kind == .aad ? Tenant(rawTenant) : .identifier(rawTenant), policy: policy)
  }

  /// Whether a host belongs to a Microsoft cloud, Azure AD B2C, or External ID.
  package static func isMicrosofts(host: some StringProtocol) -> Bool {
    Cloud.containing(host: host) != nil || hasB2CHost(host) || hasCIAMHost(host)
  }

  /// Whether the host is an Azure AD B2C host.
  package static func hasB2CHost(_ host: some StringProtocol) -> Bool {
    let host = host.lowercased()
    return [".b2clogin.com", ".b2clogin.cn", ".b2clogin.us", ".b2clogin.de"].contains { host.hasSuffix($0) }
  }

  /// Whether the host belongs to External ID, with or without the tenant's subdomain.
  package static func hasCIAMHost(_ host: some StringProtocol) -> Bool {
    let host = host.lowercased()
    return host == "ciamlogin.com" || host.hasSuffix(".ciamlogin.com")
  }
}

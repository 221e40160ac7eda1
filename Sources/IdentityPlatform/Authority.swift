/// Who issues the tokens: the URL that an app names, classified and brought to its normal form as MSAL does it.
package struct Authority: Hashable, Sendable {
  /// The kind of service behind an authority; each has its own path and its own rules.
  package enum Kind: String, Sendable, CaseIterable {
    case aad, b2c, ciam, adfs
    /// Any other OpenID Connect issuer; MSAL has no such class, so nothing is taken for it unless it is asked for by name.
    case oidc
  }

  /// Whose accounts the tenant segment lets in.
  package enum Tenant: Hashable, Sendable {
    case common, organizations, consumers
    /// One tenant, by id or by domain.
    case identifier(String)

    package init(_ segment: some StringProtocol) {
      switch segment.lowercased() {
      case "common": self = .common
      case "organizations": self = .organizations
      case "consumers": self = .consumers
      default: self = .identifier(String(segment))
      }
    }

    /// The path segment.
    package var segment: String {
      switch self {
      case .common: "common"
      case .organizations: "organizations"
      case .consumers: "consumers"
      case .identifier(let name): name
      }
    }

    /// `common`, `organizations`, `consumers`, `id` or `domain`, for people.
    package var kindName: String {
      switch self {
      case .common, .organizations, .consumers: segment
      case .identifier(let name): GUIDText.isWellFormed(name) ? "id" : "domain"
      }
    }
  }

  package let kind: Kind
  /// The normal form: no query, no fragment, no trailing slash.
  package let url: String
  /// The host, with the port where it is not the scheme's own.
  package let environment: String
  /// Nil for ADFS, other issuers, and forms that name none.
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

  /// Whether MSAL's public client takes it at all: an application object with an ADFS authority cannot be made.
  package var isAcceptedByPublicClient: Bool { kind != .adfs }

  /// The host without a port.
  package var host: String { URLParts(url)?.host?.lowercased() ?? environment }

  /// The cloud it belongs to; nil for hosts that belong to none.
  package var cloud: Cloud? { Cloud.containing(host: environment) }

  /// Whether this host is Microsoft's, where a client id is always a GUID.
  package var isMicrosofts: Bool { cloud != nil || Self.isMicrosofts(host: host) }

  /// Every host that means the same, the cache's first, then its own, then the rest: MSAL's order of look-up.
  package var aliases: [String] {
    guard let cloud else { return [environment] }
    var hosts: [String] = []
    for host in [cloud.preferredCache, environment] + cloud.aliases where !hosts.contains(host) { hosts.append(host) }
    return hosts
  }

  /// The authority under which tokens for all organizations may also have been kept: `organizations` becomes `common`.
  package var universal: Authority {
    guard kind == .aad, tenant == .organizations else { return self }
    return replacingTenant(with: "common")
  }

  /// The same authority for another tenant: the first path segment is replaced as given, the second after `/tfp`.
  package func replacingTenant(with rawTenant: String) -> Authority {
    guard tenant != nil, let parts = URLParts(url) else { return self }
    var segments = parts.segments.map(String.init)
    let position = kind == .b2c && segments.first?.lowercased() == "tfp" ? 1 : 0
    guard segments.indices.contains(position) else { return self }
    segments[position] = rawTenant
    let scheme = parts.scheme ?? "https"
    return Authority(
      kind: kind, url: "\(scheme)://\(environment)/\(segments.joined(separator: "/"))", environment: environment,
      tenant: kind == .aad ? Tenant(rawTenant) : .identifier(rawTenant), policy: policy)
  }

  /// Whether a host is Microsoft's: that of a cloud, of Azure AD B2C or of External ID.
  package static func isMicrosofts(host: some StringProtocol) -> Bool {
    Cloud.containing(host: host) != nil || hasB2CHost(host) || hasCIAMHost(host)
  }

  /// Whether the host is one of Azure AD B2C's own.
  package static func hasB2CHost(_ host: some StringProtocol) -> Bool {
    let host = host.lowercased()
    return [".b2clogin.com", ".b2clogin.cn", ".b2clogin.us", ".b2clogin.de"].contains { host.hasSuffix($0) }
  }

  /// Whether the host belongs to External ID for customers, with or without the tenant's label.
  package static func hasCIAMHost(_ host: some StringProtocol) -> Bool {
    let host = host.lowercased()
    return host == "ciamlogin.com" || host.hasSuffix(".ciamlogin.com")
  }
}

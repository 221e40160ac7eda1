import Effects

extension Authority {
  /// Parses a URL and classifies it in the same order as MSAL: B2C if the path contains `/tfp/`, AD FS by the first
  /// path segment, AAD if there is any other first segment, and CIAM by the host. The kind is never `.oidc`.
  package init(parsing text: String) throws(AuthorityError) {
    let parts = try Self.httpsParts(of: text)
    switch parts.segments.first?.lowercased() {
    case "tfp": self = try Self.policyPath(parts)
    case "adfs": self = Self.federationServer(parts)
    case _?:
      self = Self.hasCIAMHost(parts.host ?? "") ? try Self.customerTenant(parts) : Self.organization(parts)
    case nil:
      guard Self.hasCIAMHost(parts.host ?? "") else { throw .missingTenant }
      self = try Self.customerTenant(parts)
    }
  }

  /// Parses a URL as a specific kind of authority, like MSAL's class for that kind. B2C and CIAM authorities can then
  /// have any host and path.
  package init(parsing text: String, as kind: Kind) throws(AuthorityError) {
    switch kind {
    case .aad, .adfs:
      let authority = try Authority(parsing: text)
      guard authority.kind == kind else { throw .wrongKind(expected: kind, found: authority.kind) }
      self = authority
    case .b2c:
      let parts = try Self.parts(of: text)
      self = try Self.verbatim(parts, kind: .b2c)
    case .ciam:
      let parts = try Self.httpsParts(of: text)
      self = Self.hasCIAMHost(parts.host ?? "") ? try Self.customerTenant(parts) : try Self.verbatim(parts, kind: .ciam)
    case .oidc:
      let parts = try Self.parts(of: text)
      switch parts.scheme?.lowercased() {
      case "https": break
      case "http":
        guard parts.isLoopback else { throw .httpBeyondLoopback(host: parts.host ?? "") }
      default: throw .notHTTPS(scheme: parts.scheme)
      }
      self = try Self.verbatim(parts, kind: .oidc)
    }
  }

  /// Parses the authority for a single request. A Microsoft host other than a B2C host determines the kind. For any
  /// other host, the kind of the app's authority applies. If that kind is AAD, the URL determines the kind.
  /// - Parameter appKind: The kind of the app's authority.
  package init(parsing text: String, forAppOf appKind: Kind) throws(AuthorityError) {
    if appKind == .oidc, let issuer = try? Authority(parsing: text, as: .oidc), !issuer.isMicrosofts {
      self = issuer
      return
    }
    let authority = try Authority(parsing: text)
    let isAmbiguous = !authority.isMicrosofts || Authority.hasB2CHost(authority.host)
    self =
      authority.kind != appKind && isAmbiguous && appKind != .aad
      ? try Authority(parsing: text, as: appKind) : authority
  }

  /// Creates an authority from a cloud, an audience, and a tenant.
  /// - Parameter rawTenant: A tenant ID or domain. The audience `AzureADMyOrg` requires a tenant, and all other
  ///   audiences reject a tenant.
  package init(cloud: Cloud, audience: Audience?, rawTenant: String?) throws(AuthorityError) {
    let segment: String
    switch (audience, rawTenant) {
    case (let audience?, let rawTenant?):
      guard audience == .myOrg else { throw .tenantNotAllowed(audience) }
      segment = rawTenant
    case (let audience?, nil):
      guard let fixed = audience.tenantSegment else { throw .tenantRequired(audience) }
      segment = fixed
    case (nil, let rawTenant): segment = rawTenant ?? "common"
    }
    try self.init(parsing: "https://\(cloud.loginHost)/\(segment)")
  }

  // MARK: - Normal form of each kind

  /// Returns `https://host/<first segment>`, without the rest of the path.
  private static func organization(_ parts: URLReference) -> Authority {
    let segment = parts.segments.first.map(String.init) ?? ""
    let environment = parts.environment ?? ""
    return Authority(
      kind: .aad, url: "https://\(environment)/\(segment)", environment: environment, tenant: Tenant(segment))
  }

  /// Returns `https://host/tfp/<tenant>/<policy>`, without the rest of the path.
  private static func policyPath(_ parts: URLReference) throws(AuthorityError) -> Authority {
    let segments = parts.segments
    guard segments.count >= 3 else { throw .incompletePolicyPath(segments: segments.count) }
    let environment = parts.environment ?? ""
    return Authority(
      kind: .b2c, url: "https://\(environment)/\(segments.prefix(3).joined(separator: "/"))", environment: environment,
      tenant: .identifier(String(segments[1])), policy: String(segments[2]))
  }

  private static func federationServer(_ parts: URLReference) -> Authority {
    let environment = parts.environment ?? ""
    return Authority(kind: .adfs, url: "https://\(environment)/adfs", environment: environment, tenant: nil)
  }

  /// Returns `https://<name>.ciamlogin.com/<first segment>`. If the path is empty, the tenant is
  /// `<name>.onmicrosoft.com`.
  private static func customerTenant(_ parts: URLReference) throws(AuthorityError) -> Authority {
    let environment = parts.environment ?? ""
    let labels = (parts.host ?? "").split(separator: ".")
    guard labels.count >= 3, let name = labels.first?.lowercased() else { throw .missingSubdomain }
    let segment = parts.segments.first.map(String.init) ?? "\(name).onmicrosoft.com"
    return Authority(
      kind: .ciam, url: "https://\(environment)/\(segment)", environment: environment, tenant: .identifier(segment))
  }

  /// Returns the URL as written, without its query, fragment, or trailing slash.
  private static func verbatim(_ parts: URLReference, kind: Kind) throws(AuthorityError) -> Authority {
    guard let environment = parts.environment else { throw .missingHost }
    let segments = parts.segments
    let hasPrefix = kind == .b2c && segments.first?.lowercased() == "tfp"
    let significant = hasPrefix ? segments.dropFirst() : segments[...]
    var path = parts.path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    return Authority(
      kind: kind, url: "\(parts.scheme?.lowercased() ?? "https")://\(environment)\(path)", environment: environment,
      tenant: kind == .oidc ? nil : significant.first.map { .identifier(String($0)) },
      policy: kind == .b2c && significant.count >= 2 ? significant.last.map(String.init) : nil)
  }

  // MARK: - Requirements of all kinds

  private static func httpsParts(of text: String) throws(AuthorityError) -> URLReference {
    let parts = try parts(of: text)
    guard parts.scheme?.lowercased() == "https" else { throw .notHTTPS(scheme: parts.scheme) }
    return parts
  }

  private static func parts(of text: String) throws(AuthorityError) -> URLReference {
    guard text.contains(where: { !$0.isWhitespace }) else { throw .blank }
    guard !text.contains(where: \.isWhitespace) else { throw .whiteSpace }
    if let character = text.first(where: isIllegal) { throw .malformed(illegal: character) }
    guard let parts = URLReference(valid: text) else { throw .malformed(illegal: nil) }
    guard parts.authority != nil else { throw .notHTTPS(scheme: parts.scheme) }
    guard parts.environment != nil else { throw .missingHost }
    return parts
  }

  /// Whether the character is illegal in URLs (RFC 3986).
  private static func isIllegal(_ character: Character) -> Bool {
    switch character {
    case "<", ">", "\"", "{", "}", "|", "\\", "^", "`": true
    default: character.isASCII && (character.asciiValue ?? 0) < 0x20
    }
  }
}

extension Authority {
  /// Classifies a bare URL in MSAL's order: B2C by `/tfp/`, ADFS by its first segment, AAD by any first segment, CIAM by its
  /// host. Another issuer is never guessed.
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

  /// Reads the URL as the kind that the app names, as MSAL's class for that kind does: B2C and CIAM then take any host and path.
  package init(parsing text: String, as kind: Kind) throws(AuthorityError) {
    switch kind {
    case .aad, .adfs:
      let found = try Authority(parsing: text)
      guard found.kind == kind else { throw .wrongKind(expected: kind, found: found.kind) }
      self = found
    case .b2c:
      let parts = try Self.parts(of: text)
      self = try Self.asGiven(parts, kind: .b2c)
    case .ciam:
      let parts = try Self.httpsParts(of: text)
      self = Self.hasCIAMHost(parts.host ?? "") ? try Self.customerTenant(parts) : try Self.asGiven(parts, kind: .ciam)
    case .oidc:
      let parts = try Self.parts(of: text)
      switch parts.scheme?.lowercased() {
      case "https": break
      case "http":
        guard parts.isLoopback else { throw .httpBeyondLoopback(host: parts.host ?? "") }
      default: throw .notHTTPS(scheme: parts.scheme)
      }
      self = try Self.asGiven(parts, kind: .oidc)
    }
  }

  /// Reads the authority of one request of an app. A host that could belong to any kind is read as the app's own kind, as
  /// the app would construct it. Microsoft's other hosts decide their kind themselves.
  /// - Parameter own: the kind of the app's authority.
  package init(parsing text: String, forAppOf own: Kind) throws(AuthorityError) {
    if own == .oidc, let issuer = try? Authority(parsing: text, as: .oidc), !issuer.isMicrosofts {
      self = issuer
      return
    }
    let found = try Authority(parsing: text)
    let isOpen = !found.isMicrosofts || Authority.hasB2CHost(found.host)
    self = found.kind != own && isOpen && own != .aad ? try Authority(parsing: text, as: own) : found
  }

  /// The authority that cloud, audience and tenant stand for together.
  /// - Parameter rawTenant: a tenant id or domain; required by `AzureADMyOrg`, refused by every other audience.
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

  // MARK: The forms of each kind

  /// `https://host/<first segment>`; whatever follows is dropped.
  private static func organization(_ parts: URLParts) -> Authority {
    let segment = parts.segments.first.map(String.init) ?? ""
    let environment = parts.environment ?? ""
    return Authority(
      kind: .aad, url: "https://\(environment)/\(segment)", environment: environment, tenant: Tenant(segment))
  }

  /// `https://host/tfp/<tenant>/<policy>`, with what follows dropped.
  private static func policyPath(_ parts: URLParts) throws(AuthorityError) -> Authority {
    let segments = parts.segments
    guard segments.count >= 3 else { throw .incompletePolicyPath(segments: segments.count) }
    let environment = parts.environment ?? ""
    return Authority(
      kind: .b2c, url: "https://\(environment)/\(segments.prefix(3).joined(separator: "/"))", environment: environment,
      tenant: .identifier(String(segments[1])), policy: String(segments[2]))
  }

  private static func federationServer(_ parts: URLParts) -> Authority {
    let environment = parts.environment ?? ""
    return Authority(kind: .adfs, url: "https://\(environment)/adfs", environment: environment, tenant: nil)
  }

  /// `https://<name>.ciamlogin.com/<first segment>`; without one, the name's own `onmicrosoft.com` domain.
  private static func customerTenant(_ parts: URLParts) throws(AuthorityError) -> Authority {
    let environment = parts.environment ?? ""
    let labels = (parts.host ?? "").split(separator: ".")
    guard labels.count >= 3, let name = labels.first?.lowercased() else { throw .missingSubdomain }
    let segment = parts.segments.first.map(String.init) ?? "\(name).onmicrosoft.com"
    return Authority(
      kind: .ciam, url: "https://\(environment)/\(segment)", environment: environment, tenant: .identifier(segment))
  }

  /// Nothing but query, fragment and trailing slash is taken away.
  private static func asGiven(_ parts: URLParts, kind: Kind) throws(AuthorityError) -> Authority {
    guard let environment = parts.environment else { throw .missingHost }
    let segments = parts.segments
    let hasPrefix = kind == .b2c && segments.first?.lowercased() == "tfp"
    let own = hasPrefix ? segments.dropFirst() : segments[...]
    var path = parts.path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    return Authority(
      kind: kind, url: "\(parts.scheme?.lowercased() ?? "https")://\(environment)\(path)", environment: environment,
      tenant: kind == .oidc ? nil : own.first.map { .identifier(String($0)) },
      policy: kind == .b2c && own.count >= 2 ? own.last.map(String.init) : nil)
  }

  // MARK: What every kind asks of the text

  private static func httpsParts(of text: String) throws(AuthorityError) -> URLParts {
    let parts = try parts(of: text)
    guard parts.scheme?.lowercased() == "https" else { throw .notHTTPS(scheme: parts.scheme) }
    return parts
  }

  private static func parts(of text: String) throws(AuthorityError) -> URLParts {
    guard text.contains(where: { !$0.isWhitespace }) else { throw .blank }
    guard !text.contains(where: \.isWhitespace) else { throw .whiteSpace }
    if let character = text.first(where: isIllegal) { throw .malformed(illegal: character) }
    guard let parts = URLParts(text) else { throw .malformed(illegal: nil) }
    guard parts.hasAuthority else { throw .notHTTPS(scheme: parts.scheme) }
    guard parts.environment != nil else { throw .missingHost }
    return parts
  }

  /// Characters that RFC 3986 lets stand nowhere in a URL, and the control characters.
  private static func isIllegal(_ character: Character) -> Bool {
    switch character {
    case "<", ">", "\"", "{", "}", "|", "\\", "^", "`": true
    default: character.isASCII && (character.asciiValue ?? 0) < 0x20
    }
  }
}

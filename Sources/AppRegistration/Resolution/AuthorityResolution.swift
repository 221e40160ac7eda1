import Diagnostics
import Documents
import Effects
import IdentityPlatform

extension SettingsResolution {
  /// Returns the authority that the settings specify, as a URL or as a cloud, an audience, and a tenant.
  mutating func resolveAuthority() -> Authority? {
    let tenant = resolveTenant()
    guard let tenant else { return nil }
    guard let written = settings.authority else { return composedAuthority(rawTenant: tenant.value) }
    guard !Definitions.containsReference(written.value) else { return nil }
    if let other = settings.cloud?.place ?? settings.audience?.place {
      error(
        .authorityContradiction, "`Authority` conflicts with `Cloud` or `Audience`",
        help: "use either `Authority`, or `Cloud` with `TenantId` or `Audience`", at: other)
      return nil
    }
    guard let authority = parse(written, as: settings.authorityType?.value) else { return nil }
    origins.append(("Authority", .source(written.place)))
    guard let rawTenant = tenant.value else {
      checkHost(authority, at: written.place)
      return authority
    }
    checkAgreement(of: authority, with: rawTenant)
    let effective = authority.tenant?.segment == rawTenant ? authority : authority.replacingTenant(with: rawTenant)
    checkHost(effective, at: written.place)
    return effective
  }

  /// Warns if `TenantId` and the authority contain different tenant IDs. An ID and a domain may belong to the same
  /// tenant.
  private mutating func checkAgreement(of authority: Authority, with rawTenant: String) {
    guard let place = settings.tenantID?.place, let segment = authority.tenant?.segment,
      GUIDText.isWellFormed(segment), GUIDText.isWellFormed(rawTenant), segment.lowercased() != rawTenant.lowercased()
    else { return }
    warning(
      .authorityContradiction, "`TenantId` conflicts with the tenant `\(segment)` in `Authority`",
      help: "remove one of them: `TenantId` overrides the tenant in `Authority`", at: place)
  }

  /// Parses and checks one authority, and reports problems at its location.
  mutating func parse(_ written: Positioned<String>, as named: Authority.Kind?, rule: SettingsRule? = nil) -> Authority?
  {
    let text = written.value
    guard text.utf8.count <= TemplatePlaceholder.longestText else {
      error(
        rule ?? .authorityMalformed, "authority is too long",
        help: "use a URL such as `https://login.microsoftonline.com/common`", at: written.place)
      return nil
    }
    if let placeholder = TemplatePlaceholder.find(in: text) {
      error(
        rule ?? .authorityPlaceholder, "authority contains a placeholder: `\(placeholder)`",
        help: "replace it with your tenant's ID or domain, or with `common`", at: written.place)
      return nil
    }
    if let doubled = DoubledHost(in: text) {
      error(rule ?? .authorityMalformed, doubled.message, help: doubled.help, at: written.place)
      return nil
    }
    // Apps pass a B2C URL without /tfp/ to MSAL's B2C class. Otherwise, the URL would be parsed as a Microsoft Entra
    // tenant URL.
    let kind =
      named ?? (Authority.hasB2CHost(URLReference(valid: text)?.host ?? "") && !text.contains("/tfp/") ? .b2c : nil)
    do {
      let authority = if let kind { try Authority(parsing: text, as: kind) } else { try Authority(parsing: text) }
      return isAcceptable(authority, written, rule: rule) ? authority : nil
    } catch {
      reject(error, at: written.place, rule: rule)
      return nil
    }
  }

  private mutating func reject(_ reason: AuthorityError, at place: FileSpan, rule: SettingsRule?) {
    let isHTTP =
      switch reason {
      case .notHTTPS(let scheme?): scheme.lowercased() == "http"
      case .httpBeyondLoopback: true
      default: false
      }
    error(rule ?? (isHTTP ? .authorityHTTP : .authorityMalformed), reason.message, help: reason.help, at: place)
  }

  private mutating func isAcceptable(_ authority: Authority, _ written: Positioned<String>, rule: SettingsRule?) -> Bool
  {
    if !authority.isAcceptedByPublicClient {
      error(
        rule ?? .authorityADFS, "AD FS authority, which MSAL's public client does not support",
        help: "use Microsoft Entra ID, or set `AuthorityType: oidc`",
        at: written.place)
      return false
    }
    // MSAL's B2C class accepts any scheme. authflow requires TLS for token requests.
    if authority.kind == .b2c, !authority.url.hasPrefix("https://") {
      reject(.notHTTPS(scheme: URLReference(valid: authority.url)?.scheme), at: written.place, rule: rule)
      return false
    }
    if authority.kind == .aad, authority.cloud != nil, case .identifier(let name)? = authority.tenant,
      !Self.isTenantName(name)
    {
      error(
        rule ?? .tenantMalformed, "tenant `\(name)` in the authority is neither a GUID nor a domain (AADSTS900023)",
        help: "use a tenant such as `contoso.onmicrosoft.com` or `7bcd2220-f576-41b0-b47a-de4b6f2ebac1`",
        at: written.place)
      return false
    }
    if authority.kind == .aad, authority.tenant?.segment == GUIDText.zero {
      rejectZeroTenant(at: written.place, rule)
      return false
    }
    if authority.kind == .b2c, authority.policy == nil {
      error(
        rule ?? .policyMissing, "B2C authority without a user flow (policy)",
        help: "use `https://<tenant>.b2clogin.com/tfp/<tenant>.onmicrosoft.com/<policy>`", at: written.place)
      return false
    }
    return true
  }

  private mutating func rejectZeroTenant(at place: FileSpan, _ rule: SettingsRule? = nil) {
    error(
      rule ?? .tenantMalformed, "tenant is the all-zero GUID, which is not a valid tenant",
      help: "replace it with your tenant's ID or domain, or with `common`", at: place)
  }

  /// Combines cloud, audience, and tenant as MSAL's initializers do.
  private mutating func composedAuthority(rawTenant: String?) -> Authority? {
    let place = settings.tenantID?.place ?? settings.audience?.place ?? settings.cloud?.place
    do {
      let authority = try Authority(
        cloud: settings.cloud?.value ?? .public, audience: settings.audience?.value, rawTenant: rawTenant)
      let keys = [
        settings.cloud.map { _ in "Cloud" }, settings.tenantID.map { _ in "TenantId" },
        settings.audience.map { _ in "Audience" },
      ].compactMap { $0 }
      origins.append(("Authority", keys.isEmpty ? .byDefault : .derived("from \(keys.joined(separator: " and "))")))
      return authority
    } catch {
      self.error(.authorityContradiction, error.message, help: error.help, at: place ?? base)
      return nil
    }
  }

  /// Returns the tenant from `TenantId`. The outer optional is nil if the tenant is invalid.
  private mutating func resolveTenant() -> (value: String?, isPresent: Bool)? {
    guard let tenant = settings.tenantID else { return (nil, false) }
    let text = tenant.value
    guard !Definitions.containsReference(text) else { return nil }
    origins.append(("TenantId", .source(tenant.place)))
    if text.trimmingWhiteSpace.isEmpty {
      error(
        .tenantMalformed, "`TenantId` is empty", help: "set a tenant ID or domain, or remove the key to use `common`",
        at: tenant.place)
      return nil
    }
    if let placeholder = TemplatePlaceholder.find(in: text) {
      error(
        .authorityPlaceholder, "`TenantId` is a placeholder: `\(placeholder)`",
        help: "replace it with your tenant's ID or domain", at: tenant.place)
      return nil
    }
    let isWellKnownTenant = if case .identifier = Authority.Tenant(text) { false } else { true }
    guard isWellKnownTenant || Self.isTenantName(text) else {
      error(
        .tenantMalformed, "`TenantId` is neither a GUID nor a domain: `\(text)`",
        help: "use a tenant such as `contoso.onmicrosoft.com` or `7bcd2220-f576-41b0-b47a-de4b6f2ebac1`",
        at: tenant.place)
      return nil
    }
    guard text != GUIDText.zero else {
      rejectZeroTenant(at: tenant.place)
      return nil
    }
    return (text, true)
  }

  /// Whether a string is a GUID or a domain. `te` also counts, because it replaces the tenant in the oldest B2C URLs.
  private static func isTenantName(_ text: String) -> Bool {
    let isDomain = text.contains(".") && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
    return isDomain || GUIDText.isWellFormed(text) || text.lowercased() == "te"
  }

  private static let maximumKnownAuthorities = 200

  mutating func resolveKnownAuthorities() -> [Authority] {
    guard let known = settings.knownAuthorities else { return [] }
    origins.append(("KnownAuthorities", .source(known.place)))
    var authorities: [Authority] = []
    // Limit the number of entries, because every request is compared with all of them.
    for entry in known.value.prefix(Self.maximumKnownAuthorities) where !Definitions.containsReference(entry.value) {
      // Some platforms list hosts, but MSAL for iOS and macOS expects URLs.
      let isHost = !entry.value.contains("://")
      if isHost {
        warning(
          .knownAuthorityMalformed,
          "known authority `\(entry.value)` is a host, but MSAL for iOS and macOS compares URLs",
          help: "use the URL of the authority", at: entry.place)
      } else if let authority = parse(entry, as: kind(ofKnownAuthority: entry.value), rule: .knownAuthorityMalformed) {
        authorities.append(authority)
      }
    }
    return authorities
  }

  /// Returns the kind from `AuthorityType` if the URL has the same host as the app's authority. The URL itself does not
  /// identify its kind.
  private func kind(ofKnownAuthority url: String) -> Authority.Kind? {
    guard let own = settings.authority.flatMap({ URLReference(valid: $0.value) }),
      URLReference(valid: url)?.environment == own.environment
    else { return nil }
    return settings.authorityType?.value
  }

  /// Whether an entry of `KnownAuthorities` matches this authority. MSAL compares kind and URL.
  private func covers(_ entry: String, _ authority: Authority) -> Bool {
    // The value of a reference is unknown. Bare hosts are reported by another rule.
    if Definitions.containsReference(entry) || entry.lowercased() == authority.environment { return true }
    return (try? Authority(parsing: entry, as: authority.kind))?.url == authority.url
  }

  /// Warns about a host that does not belong to any cloud, unless the app lists the authority or disables validation.
  private mutating func checkHost(_ authority: Authority, at place: FileSpan) {
    guard settings.validateAuthority?.value ?? true else { return }
    let needsDiscovery = authority.kind == .aad && authority.cloud == nil
    let isCustomB2C = authority.kind == .b2c
    guard needsDiscovery || isCustomB2C, URLReference(valid: authority.url)?.isLoopback != true else { return }
    let known = (settings.knownAuthorities?.value ?? []).prefix(Self.maximumKnownAuthorities).map(\.value)
    guard !known.contains(where: { covers($0, authority) }) else { return }
    if known.contains(where: { URLReference(valid: $0)?.environment == authority.environment }) {
      warning(
        .authorityUnknownHost, "`KnownAuthorities` lists other authorities on `\(authority.host)`, but not this one",
        help: "add `\(authority.url)` to `KnownAuthorities`: MSAL compares complete URLs", at: place)
    } else if needsDiscovery {
      let nearest = Suggestion.nearest(to: authority.host, among: Cloud.allCases.flatMap(\.aliases))
      warning(
        .authorityUnknownHost, "host `\(authority.host)` does not belong to a Microsoft cloud",
        help: nearest.map { "did you mean `\($0)`?" }
          ?? "add the authority to `KnownAuthorities`, or set `AuthorityType: oidc`", at: place)
    } else {
      warning(
        .authorityUnknownHost, "B2C authority missing from `KnownAuthorities`",
        help: "add the authority to `KnownAuthorities`", at: place)
    }
  }
}

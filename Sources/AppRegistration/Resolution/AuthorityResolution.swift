import Diagnostics
import Documents
import IdentityPlatform

extension SettingsResolution {
  /// The authority that the settings name: by its URL, or by cloud, audience and tenant.
  mutating func resolveAuthority() -> Authority? {
    let tenant = resolveTenant()
    guard let tenant else { return nil }
    guard let written = settings.authority else { return composedAuthority(rawTenant: tenant.value) }
    guard !Definitions.holdsReference(written.value) else { return nil }
    if let other = settings.cloud?.place ?? settings.audience?.place {
      error(
        .authorityContradiction, "Authority already says cloud and audience",
        help: "keep Authority, or Cloud with TenantId or Audience", at: other)
      return nil
    }
    guard let authority = parse(written, as: settings.authorityType?.value) else { return nil }
    origins.append(("Authority", .written(written.place)))
    guard let rawTenant = tenant.value else {
      checkHost(authority, at: written.place)
      return authority
    }
    checkAgreement(of: authority, with: rawTenant)
    let effective = authority.tenant?.segment == rawTenant ? authority : authority.replacingTenant(with: rawTenant)
    checkHost(effective, at: written.place)
    return effective
  }

  /// Two ids are two tenants; an id and a domain may well be one.
  private mutating func checkAgreement(of authority: Authority, with rawTenant: String) {
    guard let place = settings.tenantID?.place, let segment = authority.tenant?.segment,
      GUIDText.isWellFormed(segment), GUIDText.isWellFormed(rawTenant), segment.lowercased() != rawTenant.lowercased()
    else { return }
    warning(
      .authorityContradiction, "Authority names another tenant, \(segment)",
      help: "keep one of them: TenantId takes the place of the tenant in Authority", at: place)
  }

  /// One authority's text, with what is wrong with it told at its place.
  mutating func parse(_ written: Positioned<String>, as named: Authority.Kind?, rule: SettingsRule? = nil) -> Authority?
  {
    let text = written.value
    guard text.utf8.count <= TemplatePlaceholder.longestText else {
      error(
        rule ?? .authorityMalformed, "the authority is longer than any address",
        help: "write it like https://login.microsoftonline.com/common", at: written.place)
      return nil
    }
    if let placeholder = TemplatePlaceholder.find(in: text) {
      error(
        rule ?? .authorityPlaceholder, "the authority still holds a placeholder: \(placeholder)",
        help: "write your tenant's id or domain in its place, or common for any", at: written.place)
      return nil
    }
    if let doubled = DoubledHost(in: text) {
      error(rule ?? .authorityMalformed, doubled.message, help: doubled.help, at: written.place)
      return nil
    }
    // A B2C host without /tfp/ is what apps give to MSAL's class for B2C; the bare URL would be taken for an organization.
    let kind = named ?? (Authority.hasB2CHost(URLParts(text)?.host ?? "") && !text.contains("/tfp/") ? .b2c : nil)
    do {
      let authority = if let kind { try Authority(parsing: text, as: kind) } else { try Authority(parsing: text) }
      return accept(authority, written, rule: rule) ? authority : nil
    } catch {
      refuse(error, at: written.place, rule: rule)
      return nil
    }
  }

  private mutating func refuse(_ reason: AuthorityError, at place: FileSpan, rule: SettingsRule?) {
    let isHTTP =
      switch reason {
      case .notHTTPS(let scheme?): scheme.lowercased() == "http"
      case .httpBeyondLoopback: true
      default: false
      }
    error(rule ?? (isHTTP ? .authorityHTTP : .authorityMalformed), reason.words, help: reason.help, at: place)
  }

  private mutating func accept(_ authority: Authority, _ written: Positioned<String>, rule: SettingsRule?) -> Bool {
    if !authority.isAcceptedByPublicClient {
      error(
        rule ?? .authorityADFS, "MSAL's public client does not work with AD FS: the application object cannot be made",
        help: "sign in through Microsoft Entra ID, or say AuthorityType: oidc to use it as any other issuer",
        at: written.place)
      return false
    }
    // MSAL's class for B2C takes any scheme; a token request without TLS is refused here all the same.
    if authority.kind == .b2c, !authority.url.hasPrefix("https://") {
      refuse(.notHTTPS(scheme: URLParts(authority.url)?.scheme), at: written.place, rule: rule)
      return false
    }
    if authority.kind == .aad, authority.cloud != nil, case .identifier(let name)? = authority.tenant,
      !Self.isTenantName(name)
    {
      error(
        rule ?? .tenantMalformed, "the authority's tenant \"\(name)\" is neither a GUID nor a domain (AADSTS900023)",
        help: "write it like contoso.onmicrosoft.com or 7bcd2220-f576-41b0-b47a-de4b6f2ebac1", at: written.place)
      return false
    }
    if authority.kind == .aad, authority.tenant?.segment == GUIDText.zero {
      refuseZeroTenant(at: written.place, rule)
      return false
    }
    if authority.kind == .b2c, authority.policy == nil {
      error(
        rule ?? .policyMissing, "a B2C authority names the tenant and then the user flow (policy)",
        help: "write https://<tenant>.b2clogin.com/tfp/<tenant>.onmicrosoft.com/<policy>", at: written.place)
      return false
    }
    return true
  }

  private mutating func refuseZeroTenant(at place: FileSpan, _ rule: SettingsRule? = nil) {
    error(
      rule ?? .tenantMalformed, "the tenant is the all-zero GUID, which no tenant has",
      help: "write your tenant's id or domain in its place, or common for any", at: place)
  }

  /// Cloud, audience and tenant, as MSAL's constructors combine them.
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
      self.error(.authorityContradiction, error.words, help: error.help, at: place ?? base)
      return nil
    }
  }

  /// The tenant that is given apart from the authority. The outer nil means that it was refused.
  private mutating func resolveTenant() -> (value: String?, isGiven: Bool)? {
    guard let tenant = settings.tenantID else { return (nil, false) }
    let text = tenant.value
    guard !Definitions.holdsReference(text) else { return nil }
    origins.append(("TenantId", .written(tenant.place)))
    if text.trimmingWhiteSpace.isEmpty {
      error(
        .tenantMalformed, "TenantId is empty", help: "write a tenant id or domain, or leave the key out for common",
        at: tenant.place)
      return nil
    }
    if let placeholder = TemplatePlaceholder.find(in: text) {
      error(
        .authorityPlaceholder, "TenantId is still a placeholder: \(placeholder)",
        help: "write your tenant's id or domain in its place", at: tenant.place)
      return nil
    }
    let isWord = if case .identifier = Authority.Tenant(text) { false } else { true }
    guard isWord || Self.isTenantName(text) else {
      error(
        .tenantMalformed, "TenantId \"\(text)\" is neither a GUID nor a domain",
        help: "write it like contoso.onmicrosoft.com or 7bcd2220-f576-41b0-b47a-de4b6f2ebac1", at: tenant.place)
      return nil
    }
    guard text != GUIDText.zero else {
      refuseZeroTenant(at: tenant.place)
      return nil
    }
    return (text, true)
  }

  /// `te` is the first segment of B2C's oldest addresses.
  private static func isTenantName(_ text: String) -> Bool {
    let isDomain = text.contains(".") && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
    return isDomain || GUIDText.isWellFormed(text) || text.lowercased() == "te"
  }

  private static let mostKnownAuthorities = 200

  mutating func resolveKnownAuthorities() -> [Authority] {
    guard let known = settings.knownAuthorities else { return [] }
    origins.append(("KnownAuthorities", .written(known.place)))
    var authorities: [Authority] = []
    // Every request compares with all of them; nobody vouches for hundreds of hosts.
    for entry in known.value.prefix(Self.mostKnownAuthorities) where !Definitions.holdsReference(entry.value) {
      // Some platforms list hosts where MSAL for iOS and macOS lists URLs.
      let isHost = !entry.value.contains("://")
      if isHost {
        warning(
          .knownAuthorityMalformed, "\"\(entry.value)\" is a host; MSAL for iOS and macOS compares whole authorities",
          help: "write the authority's URL", at: entry.place)
      } else if let authority = parse(entry, as: kind(ofKnown: entry.value), rule: .knownAuthorityMalformed) {
        authorities.append(authority)
      }
    }
    return authorities
  }

  /// On the authority's own host an authority is of the kind that AuthorityType says, for the URL does not show it.
  private func kind(ofKnown url: String) -> Authority.Kind? {
    guard let own = settings.authority.flatMap({ URLParts($0.value) }),
      URLParts(url)?.environment == own.environment
    else { return nil }
    return settings.authorityType?.value
  }

  /// Whether an entry of KnownAuthorities is this authority, as MSAL compares them: by kind and URL.
  private func covers(_ entry: String, _ authority: Authority) -> Bool {
    // The value of a reference is unknown. For a bare host another rule asks for the URL.
    if Definitions.holdsReference(entry) || entry.lowercased() == authority.environment { return true }
    return (try? Authority(parsing: entry, as: authority.kind))?.url == authority.url
  }

  /// A host that is in no cloud is taken only if the app lists it, or has MSAL validate nothing.
  private mutating func checkHost(_ authority: Authority, at place: FileSpan) {
    guard settings.validateAuthority?.value ?? true else { return }
    let needsDiscovery = authority.kind == .aad && authority.cloud == nil
    let isCustomB2C = authority.kind == .b2c
    guard needsDiscovery || isCustomB2C, URLParts(authority.url)?.isLoopback != true else { return }
    let known = (settings.knownAuthorities?.value ?? []).prefix(Self.mostKnownAuthorities).map(\.value)
    guard !known.contains(where: { covers($0, authority) }) else { return }
    if known.contains(where: { URLParts($0)?.environment == authority.environment }) {
      warning(
        .authorityUnknownHost, "KnownAuthorities lists other authorities of \(authority.host), but not this one",
        help: "add \(authority.url) to KnownAuthorities: MSAL compares the whole URL", at: place)
    } else if needsDiscovery {
      let near = Suggestion.nearest(to: authority.host, among: Cloud.allCases.flatMap(\.aliases))
      warning(
        .authorityUnknownHost, "\(authority.host) is in none of Microsoft's clouds",
        help: near.map { "did you mean \($0)? A host of your own goes into KnownAuthorities" }
          ?? "add the authority to KnownAuthorities, or say AuthorityType: oidc", at: place)
    } else {
      warning(
        .authorityUnknownHost, "MSAL takes a B2C authority only where the app vouches for it",
        help: "add it to KnownAuthorities", at: place)
    }
  }
}

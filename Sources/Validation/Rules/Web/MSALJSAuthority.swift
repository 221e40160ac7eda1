import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct MSALJSAuthority: Rule {
  let id = "msal-js-authority"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS else { return [] }
    if let authority = config.authority, !authority.isReference, !authority.isBlank {
      return check(authority, in: file).map { [$0] } ?? []
    }
    guard let tenant = config.tenantID, !tenant.isReference, !tenant.isBlank else { return [] }
    if let placeholder = TemplatePlaceholder.find(in: tenant.value) {
      return [
        finding(
          "placeholder in `tenantId`: `\(placeholder)`", help: "replace it with your tenant's ID or domain",
          at: place(of: placeholder, in: tenant))
      ]
    }
    return tenantFinding(tenant.value[...], at: tenant.place(of: tenant.value[...])).map { [$0] } ?? []
  }

  private func check(_ authority: Positioned<String>, in file: ValidatedFile) -> Diagnostic? {
    let place = authority.place(of: authority.value[...])
    if let placeholder = TemplatePlaceholder.find(in: authority.value) {
      return finding(
        "authority contains a placeholder: `\(placeholder)`", help: "replace it with your tenant's ID or domain",
        at: self.place(of: placeholder, in: authority))
    }
    guard let parts = URLReference(valid: authority.value), let host = parts.host,
      !authority.value.contains(where: \.isWhitespace)
    else {
      return finding(
        "authority is not a URL", help: "use the format `https://login.microsoftonline.com/<tenant>`", at: place)
    }
    guard parts.scheme?.lowercased() == "https" else {
      return finding(
        "authority does not start with `https://`", help: "use `https://`", at: place,
        fix: Authority.isMicrosofts(host: host) ? file.overTLS(authority) : nil)
    }
    if let doubled = DoubledHost(in: authority.value) { return finding(doubled.message, help: doubled.help, at: place) }
    if let endpoint = endpoint(authority, parts, host) { return endpoint }
    if Authority.hasB2CHost(host) {
      let own = parts.segments.first?.lowercased() == "tfp" ? parts.segments.dropFirst() : parts.segments[...]
      guard own.count < 2 else { return nil }
      return finding("authority does not contain a user flow (policy)", help: "add it after the tenant", at: place)
    }
    guard Cloud.containing(host: host) != nil, let segment = parts.segments.first,
      !["tfp", "te", "adfs", "oauth2"].contains(segment.lowercased()),
      let range = authority.value.firstRange(of: "/\(segment)", after: "://")
    else { return nil }
    let tenant = authority.value[range].dropFirst()
    return tenantFinding(tenant, at: authority.place(of: tenant))
  }

  /// Reports an authority with an endpoint path or a query. For such an authority, msal.js requests a nonexistent
  /// document at `<authority>/v2.0/.well-known/…`. For hosts with built-in metadata, msal.js skips this request, so
  /// sign-in can succeed.
  private func endpoint(_ authority: Positioned<String>, _ parts: URLReference, _ host: String) -> Diagnostic? {
    guard Authority.isMicrosofts(host: host) else { return nil }
    let folded = parts.segments.map { $0.lowercased() }
    guard let end = folded.dropFirst().firstIndex(where: Self.endpoints.contains) else {
      guard let query = authority.value.firstIndex(of: "?") else { return nil }
      return finding(
        "authority contains a query", severity: .warning, help: "use `\(authority.value[..<query])`",
        at: authority.place(of: authority.value[query...]))
    }
    return finding(
      "authority contains an endpoint path", severity: .warning,
      help: "remove everything after `https://\(host)/\(parts.segments[..<end].joined(separator: "/"))`",
      at: authority.place(of: authority.value[...]))
  }

  private static let endpoints: Set<String> = ["oauth2", "saml2", "wsfed", ".well-known", "discovery"]
}

import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct MSALJSAuthority: Rule {
  let id = "msal-js-authority"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS else { return [] }
    if let authority = config.authority, !authority.isReference, !authority.isBlank {
      return judge(authority, in: file).map { [$0] } ?? []
    }
    guard let tenant = config.tenantID, !tenant.isReference, !tenant.isBlank else { return [] }
    if let placeholder = TemplatePlaceholder.find(in: tenant.value) {
      return [
        finding(
          "tenantId is still a placeholder: \(placeholder)", help: "write your tenant's id or domain in its place",
          at: placeOf(placeholder, in: tenant))
      ]
    }
    return judgeTenant(tenant.value[...], at: tenant.place(of: tenant.value[...])).map { [$0] } ?? []
  }

  private func judge(_ authority: Positioned<String>, in file: ValidatedFile) -> Diagnostic? {
    let place = authority.place(of: authority.value[...])
    if let placeholder = TemplatePlaceholder.find(in: authority.value) {
      return finding(
        "the authority still holds a placeholder: \(placeholder)",
        help: "write your tenant's id or domain in its place",
        at: placeOf(placeholder, in: authority))
    }
    guard let parts = URLParts(authority.value), let host = parts.host, !host.isEmpty,
      !authority.value.contains(where: \.isWhitespace)
    else {
      return finding(
        "the authority is no address", help: "write it like https://login.microsoftonline.com/<tenant>", at: place)
    }
    guard parts.scheme?.lowercased() == "https" else {
      return finding(
        "the authority must begin with https://", help: "write https://", at: place,
        fix: Authority.isMicrosofts(host: host) ? file.overTLS(authority) : nil)
    }
    if let doubled = DoubledHost(in: authority.value) { return finding(doubled.message, help: doubled.help, at: place) }
    if let endpoint = endpoint(authority, parts, host) { return endpoint }
    if Authority.hasB2CHost(host) {
      let own = parts.segments.first?.lowercased() == "tfp" ? parts.segments.dropFirst() : parts.segments[...]
      guard own.count < 2 else { return nil }
      return finding("the authority names no user flow (policy)", help: "write it behind the tenant", at: place)
    }
    guard Cloud.containing(host: host) != nil, let segment = parts.segments.first,
      !["tfp", "te", "adfs", "oauth2"].contains(segment.lowercased()),
      let range = authority.value.firstRange(of: "/\(segment)", after: "://")
    else { return nil }
    let tenant = authority.value[range].dropFirst()
    return judgeTenant(tenant, at: authority.place(of: tenant))
  }

  /// An address that goes on to an endpoint, or with a query. msal.js asks for `<authority>/v2.0/.well-known/…`, which is not there;
  /// of hosts that it knows by heart it asks nothing, so that the sign-in may come about all the same.
  private func endpoint(_ authority: Positioned<String>, _ parts: URLParts, _ host: String) -> Diagnostic? {
    guard Authority.isMicrosofts(host: host) else { return nil }
    let folded = parts.segments.map { $0.lowercased() }
    guard let end = folded.dropFirst().firstIndex(where: Self.endpoints.contains) else {
      guard let query = authority.value.firstIndex(of: "?") else { return nil }
      return finding(
        "an authority has no query", severity: .warning, help: "write \(authority.value[..<query])",
        at: authority.place(of: authority.value[query...]))
    }
    return finding(
      "an authority ends with its tenant or user flow; this one goes on to an endpoint", severity: .warning,
      help: "write https://\(host)/\(parts.segments[..<end].joined(separator: "/"))",
      at: authority.place(of: authority.value[...]))
  }

  private static let endpoints: Set<String> = ["oauth2", "saml2", "wsfed", ".well-known", "discovery"]
}

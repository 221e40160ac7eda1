import Diagnostics
import Documents
import IdentityPlatform
import RunTrace

extension SettingsResolution {
  /// Returns the client secret for a public test server. Reports an error for Microsoft authorities, because a public
  /// client does not have a secret there, and sending one would disclose it.
  ///
  /// The error is reported on another line, because a diagnostic at the secret would print it.
  mutating func resolveTestServerSecret(_ authority: Authority) -> Secret? {
    guard let secret = settings.testServerClientSecret else { return nil }
    origins.append(("TestServerClientSecret", .source(secret.place)))
    let line = secret.place.span == nil ? "" : " (line \(secret.place.start.line))"
    let others = [
      settings.authority?.place, settings.cloud?.place, settings.audience?.place, settings.tenantID?.place,
      settings.authorityType?.place, settings.appID?.place,
    ]
    let elsewhere = others.lazy.compactMap { $0 }.first { place in
      place.source.name != secret.place.source.name || place.start.line != secret.place.start.line
    }
    let place = elsewhere ?? FileSpan(secret.place.source, nil)
    guard authority.kind == .oidc, !authority.isMicrosofts else {
      error(
        .testServerSecret,
        authority.isMicrosofts
          ? "`TestServerClientSecret`\(line) is only for public test servers, but `\(authority.host)` belongs to Microsoft"
          : "`TestServerClientSecret`\(line) is only for public test servers, which require `AuthorityType: oidc`",
        help: "remove it: a public client must not contain a secret, because users can extract it from the app",
        at: place)
      return nil
    }
    return secret.value
  }
}

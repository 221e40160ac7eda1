import Diagnostics
import Documents
import IdentityPlatform
import RunTrace

extension SettingsResolution {
  /// The secret for a public test server. It is refused for every authority that could be Microsoft's: a public client
  /// has no secret there, and one that is sent along is a secret given away.
  ///
  /// What is wrong is told elsewhere than at the secret, whose line would be shown with it.
  mutating func resolveTestServerSecret(_ authority: Authority) -> Secret? {
    guard let secret = settings.testServerClientSecret else { return nil }
    origins.append(("TestServerClientSecret", .written(secret.place)))
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
          ? "TestServerClientSecret\(line) is for public test servers, and \(authority.host) is Microsoft's"
          : "TestServerClientSecret\(line) is for public test servers, which are named with AuthorityType: oidc",
        help: "take it out: a public client has no secret, and one that an app carries is known to everybody",
        at: place)
      return nil
    }
    return secret.value
  }
}

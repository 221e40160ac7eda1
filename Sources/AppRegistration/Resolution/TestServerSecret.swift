import DeclaredFields
import Diagnostics
import IdentityPlatform
import RunTrace

extension SettingsResolution {
  /// The secret for a public test server. It is refused for every authority that could be Microsoft's: a public client
  /// has no secret there, and one that is sent along is a secret given away.
  ///
  /// What is wrong is told without the place, whose line would be shown with the secret in it.
  mutating func resolveTestServerSecret(_ authority: Authority) -> Secret? {
    guard let secret = settings.testServerClientSecret else { return nil }
    origins.append(("TestServerClientSecret", .written(secret.place)))
    let place = Place(secret.place.source, nil)
    let line = secret.place.span == nil ? "" : " (line \(secret.place.start.line))"
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

import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestBrokerRedirect: Rule {
  let id = "manifest-broker-redirect"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.writtenRedirects.compactMap { check($0, in: file) } + missing(manifest)
    }
  }

  private func check(_ redirect: AppManifest.Redirect, in file: ValidatedFile) -> Diagnostic? {
    let uri = redirect.uri
    guard let expected = Self.expected(for: uri.value), expected != uri.value else { return nil }
    return finding(
      "redirect URI does not match the redirect URI that MSAL sends, `\(expected)`",
      help: "replace it with `\(expected)`",
      at: uri.place, fix: .replacing(uri, in: file, with: expected, "replace with the URI that MSAL sends"))
  }

  /// Returns the redirect URI that MSAL sends instead of the given URI. Returns nil if the URI is not for a broker, or
  /// if the intended URI is unclear.
  private static func expected(for uri: String) -> String? {
    let lower = uri.lowercased()
    if lower.hasPrefix("msauth.") {
      guard let colon = uri.firstIndex(of: ":") else { return nil }
      let ending = lower[colon...]
      return ["://auth", "://auth/", "://", ":///", ":/auth", "://auth:"].contains(String(ending))
        ? "\(uri[..<colon])://auth" : nil
    }
    if lower.hasPrefix("msauth://code/") {
      let target = uri.dropFirst("msauth://code/".count)
      let decoded = PercentText.decode(target)
      guard decoded.hasPrefix("msauth."), decoded.hasSuffix("://auth") || decoded.hasSuffix("://auth/") else {
        return nil
      }
      let bundle = decoded.dropFirst("msauth.".count).prefix { $0 != ":" }
      return "msauth://code/msauth.\(bundle)%3A%2F%2Fauth"
    }
    guard lower.hasPrefix("msauth://"), let slash = uri.dropFirst("msauth://".count).firstIndex(of: "/") else {
      return nil
    }
    let encodedHash = uri[uri.index(after: slash)...]
    // A hash that is encoded twice still contains percent signs after it is decoded once.
    let once = PercentText.decode(encodedHash)
    let hash = once.contains("%") ? PercentText.decode(once) : once
    guard SignatureHash.isWellFormed(hash), !encodedHash.contains("%") || once.contains("%") else { return nil }
    return "\(uri[...slash])\(PercentText.encodeBase64(hash))"
  }

  /// Reports missing redirect URIs as notes, because the app may not need them.
  private func missing(_ manifest: AppManifest) -> [Diagnostic] {
    let uris = manifest.redirects.map(\.uri.value)
    let hasBroker = uris.contains { $0.hasPrefix("msauth") }
    let certificates = Set(
      uris.lazy.map { $0.lowercased() }.filter { $0.hasPrefix("msauth://code/") }
        .map { $0.dropFirst("msauth://code/".count).prefix { $0 != "%" && $0 != ":" } })
    return manifest.writtenRedirects.compactMap { redirect in
      let uri = redirect.uri
      guard redirect.kind == .installedClient, uri.value.hasPrefix("msauth."), uri.value.hasSuffix("://auth") else {
        guard redirect.kind == .installedClient, uri.value.hasPrefix("msal"), uri.value.hasSuffix("://auth"),
          !hasBroker
        else { return nil }
        return finding(
          "brokers do not support `\(uri.value)`", severity: .note,
          help: "also register `msauth.<bundle id>://auth` to enable single sign-on through Authenticator",
          at: uri.place)
      }
      let scheme = uri.value.dropLast("://auth".count)
      let certificate = "msauth://code/\(scheme)%3A%2F%2Fauth"
      guard !certificates.contains(Substring(scheme.lowercased())) else { return nil }
      return finding(
        "redirect URI for certificate sign-in in Safari is not registered: `\(certificate)`", severity: .note,
        help: "register it if the app's users sign in with certificates", at: uri.place)
    }
  }
}

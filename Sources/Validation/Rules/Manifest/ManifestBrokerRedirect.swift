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
      manifest.writtenRedirects.compactMap { judge($0, in: file) } + missing(manifest)
    }
  }

  private func judge(_ redirect: AppManifest.Redirect, in file: ValidatedFile) -> Diagnostic? {
    let uri = redirect.uri
    guard let right = Self.fixed(uri.value), right != uri.value else { return nil }
    return finding(
      "MSAL sends \(right), and this differs from it", help: "write \(right)", at: uri.place,
      fix: .replacing(uri, in: file, with: right, "write it as MSAL sends it"))
  }

  /// The form that MSAL sends; nil where the URI is for no broker, or it is not clear which was meant.
  private static func fixed(_ uri: String) -> String? {
    let lower = uri.lowercased()
    if lower.hasPrefix("msauth.") {
      guard let colon = uri.firstIndex(of: ":") else { return nil }
      let rest = lower[colon...]
      return ["://auth", "://auth/", "://", ":///", ":/auth", "://auth:"].contains(String(rest))
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
    let written = uri[uri.index(after: slash)...]
    // Encoded twice, a hash still has its percent signs after the first decoding.
    let once = PercentText.decode(written)
    let hash = once.contains("%") ? PercentText.decode(once) : once
    guard SignatureHash.isWellFormed(hash), !written.contains("%") || once.contains("%") else { return nil }
    return "\(uri[...slash])\(PercentText.encodeBase64(hash))"
  }

  /// What is not there, and may never be needed.
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
          "no broker can answer to \(uri.value)", severity: .note,
          help:
            "register msauth.<bundle id>://auth as well: without it there is no single sign-on through Authenticator",
          at: uri.place)
      }
      let scheme = uri.value.dropLast("://auth".count)
      let certificate = "msauth://code/\(scheme)%3A%2F%2Fauth"
      guard !certificates.contains(Substring(scheme.lowercased())) else { return nil }
      return finding(
        "sign-in with a certificate in Safari comes back to \(certificate), which is not registered", severity: .note,
        help: "register it as well, if users of the app sign in with certificates", at: uri.place)
    }
  }
}

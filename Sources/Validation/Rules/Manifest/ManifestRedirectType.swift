import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestRedirectType: Rule {
  let id = "manifest-redirect-type"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.error, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.redirects.compactMap { spelling($0, in: file) ?? meaning($0, in: file) }
    }
  }

  private func spelling(_ redirect: AppManifest.Redirect, in file: ValidatedFile) -> Diagnostic? {
    guard let written = redirect.writtenKind, AppManifest.RedirectKind(rawValue: written.value) == nil,
      !AppManifest.isToBeFilledIn(written.value)
    else { return nil }
    if let kind = redirect.kind {
      return finding(
        "the type \(written.value) is spelled \(kind.rawValue)", help: "write \(kind.rawValue)", at: written.place,
        fix: .replacing(written, in: file, with: kind.rawValue, "write \(kind.rawValue)"))
    }
    let all = AppManifest.RedirectKind.allCases.map(\.rawValue)
    let nearest = Suggestion.nearest(to: written.value, among: all)
    return finding(
      "there is no type \"\(written.value)\" of redirect URIs", severity: .error,
      help: nearest.map { "did you mean \($0)?" } ?? "write one of \(all.joined(separator: ", "))", at: written.place)
  }

  private func meaning(_ redirect: AppManifest.Redirect, in file: ValidatedFile) -> Diagnostic? {
    guard let kind = redirect.kind else { return nil }
    let uri = redirect.uri
    let scheme = uri.value.prefix { $0 != ":" }.lowercased()
    let isOwn = uri.value.contains(":") && scheme != "http" && scheme != "https" && scheme != "localhost"
    let isApps =
      isOwn && (!AppManifest.isToBeFilledIn(uri.value) || scheme.hasPrefix("msauth") || scheme.hasPrefix("msal"))
    if kind != .installedClient, isApps {
      let fix = redirect.writtenKind.flatMap {
        Diagnostic.Fix.replacing($0, in: file, with: "InstalledClient", "register it as InstalledClient")
      }
      return finding(
        "\(uri.value) leads to an installed app, and is registered as \(kind.rawValue)",
        help: fix == nil ? "move it to publicClient.redirectUris" : "register it as InstalledClient",
        at: redirect.writtenKind?.place ?? uri.place, fix: fix)
    }
    guard kind == .installedClient, scheme == "https", !AppManifest.isToBeFilledIn(uri.value),
      let parts = URLParts(uri.value), !parts.path.hasSuffix("/nativeclient"),
      !parts.path.hasSuffix("/oauth20_desktop.srf")
    else { return nil }
    return finding(
      "an https address is registered for an installed app", severity: .note,
      help: "that is right for a link that opens the app, and wrong for a web page: register that as Web or Spa",
      at: redirect.writtenKind?.place ?? uri.place)
  }
}

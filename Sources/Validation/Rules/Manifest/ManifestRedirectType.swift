import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct ManifestRedirectType: Rule {
  let id = "manifest-redirect-type"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.error, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.redirects.compactMap { checkSpelling($0, in: file) ?? checkMeaning($0, in: file) }
    }
  }

  private func checkSpelling(_ redirect: AppManifest.Redirect, in file: ValidatedFile) -> Diagnostic? {
    guard let type = redirect.writtenKind, AppManifest.RedirectKind(rawValue: type.value) == nil,
      !AppManifest.isToBeFilledIn(type.value)
    else { return nil }
    if let kind = redirect.kind {
      return finding(
        "wrong letter case in type `\(type.value)`", help: "use `\(kind.rawValue)`", at: type.place,
        fix: .replacing(type, in: file, with: kind.rawValue, "replace with `\(kind.rawValue)`"))
    }
    let all = AppManifest.RedirectKind.allCases.map(\.rawValue)
    let nearest = Suggestion.nearest(to: type.value, among: all)
    return finding(
      "unknown redirect URI type `\(type.value)`", severity: .error,
      help: nearest.map { "did you mean `\($0)`?" } ?? "use one of `\(all.joined(separator: "`, `"))`",
      at: type.place)
  }

  private func checkMeaning(_ redirect: AppManifest.Redirect, in file: ValidatedFile) -> Diagnostic? {
    guard let kind = redirect.kind else { return nil }
    let uri = redirect.uri
    let scheme = uri.value.prefix { $0 != ":" }.lowercased()
    let isCustom = uri.value.contains(":") && scheme != "http" && scheme != "https" && scheme != "localhost"
    let isForInstalledApp =
      isCustom && (!AppManifest.isToBeFilledIn(uri.value) || scheme.hasPrefix("msauth") || scheme.hasPrefix("msal"))
    if kind != .installedClient, isForInstalledApp {
      let fix = redirect.writtenKind.flatMap {
        Diagnostic.Fix.replacing($0, in: file, with: "InstalledClient", "change the type to `InstalledClient`")
      }
      return finding(
        "redirect URI of an installed app is registered as `\(kind.rawValue)`",
        help: fix == nil ? "move it to `publicClient.redirectUris`" : "register it as `InstalledClient`",
        at: redirect.writtenKind?.place ?? uri.place, fix: fix)
    }
    guard kind == .installedClient, scheme == "https", !AppManifest.isToBeFilledIn(uri.value),
      let parts = URLReference(valid: uri.value), !parts.path.hasSuffix("/nativeclient"),
      !parts.path.hasSuffix("/oauth20_desktop.srf")
    else { return nil }
    return finding(
      "HTTPS redirect URI is registered for an installed app", severity: .note,
      help: "register it as `Web` or `Spa` unless it is a link that opens the app",
      at: redirect.writtenKind?.place ?? uri.place)
  }
}

import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AndroidRedirectMalformed: Rule {
  let id = "android-redirect-malformed"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  /// Checks the intent filters. A filter is reported only if all of its schemes are in the format for iOS and macOS.
  private func check(_ manifest: AndroidManifest) -> [Diagnostic] {
    manifest.activities.flatMap(\.filters).compactMap { filter in
      let schemes = filter.data.filter { $0.scheme != nil }
      guard schemes.allSatisfy(\.isAppleForm), let scheme = schemes.first?.scheme, !scheme.isResolvedAtBuildTime,
        TemplatePlaceholder.find(in: scheme.value) == nil
      else { return nil }
      return finding(
        "intent filter with the redirect scheme of MSAL for iOS and macOS", severity: .warning,
        help: "use `msauth` as `android:scheme`, the package as `android:host`, and the hash as `android:path`",
        at: scheme.place)
    }
  }

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    if let manifest = file.androidManifest { return check(manifest) }
    guard let config = file.androidConfig, let redirect = config.redirect, !redirect.source.isReference,
      !redirect.source.isBlank, TemplatePlaceholder.find(in: redirect.source.value) == nil
    else { return [] }
    let uri = redirect.source
    func report(_ message: String, _ help: String, severity: Diagnostic.Severity = .error) -> [Diagnostic] {
      [finding(message, severity: severity, help: help, at: uri.place(of: uri.value[...]))]
    }
    let format = "copy it from the portal: `msauth://<package>/<signature hash>`"
    if uri.value.contains(where: \.isWhitespace) { return report("whitespace in `redirect_uri`", "remove it") }
    guard let scheme = redirect.scheme, redirect.host != nil else {
      return report("`redirect_uri` without a \(redirect.scheme == nil ? "scheme" : "host")", format)
    }
    if redirect.isAppleForm {
      return report(
        "`redirect_uri` has the format of MSAL for iOS and macOS, which Android does not support", format,
        severity: config.usesBroker ? .error : .warning)
    }
    if redirect.isWeb {
      return report("`redirect_uri` is a web address that does not return the user to the app", format)
    }
    if uri.value.contains("#") { return report("fragment in `redirect_uri`", "remove `#` and everything after it") }
    if let clientID = config.clientID?.value, GUIDText.isWellFormed(clientID), scheme.lowercased().hasPrefix("msal") {
      let named = scheme.dropFirst(4)
      if GUIDText.isWellFormed(named), named.lowercased() != clientID.lowercased() {
        return report(
          "`redirect_uri` contains another client ID, `\(named)`", "use `msal\(clientID)://auth`", severity: .warning)
      }
    }
    return []
  }
}

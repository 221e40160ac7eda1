import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AndroidRedirectMalformed: Rule {
  let id = "android-redirect-malformed"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  /// A filter is wrong only if it opens no other URI, such as one of a product flavor.
  private func check(_ manifest: AndroidManifest) -> [Diagnostic] {
    manifest.activities.flatMap(\.filters).compactMap { filter in
      let schemes = filter.data.filter { $0.scheme != nil }
      guard schemes.allSatisfy(\.isAppleForm), let scheme = schemes.first?.scheme, !scheme.isFilledIn,
        TemplatePlaceholder.find(in: scheme.value) == nil
      else { return nil }
      return finding(
        "the filter has the redirect scheme of MSAL for iOS and macOS",
        severity: .warning,
        help: "write android:scheme=\"msauth\", the package as android:host, and the signature hash as android:path",
        at: scheme.place)
    }
  }

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    if let manifest = file.androidManifest { return check(manifest) }
    guard let config = file.androidConfig, let redirect = config.redirect, !redirect.written.isReference,
      !redirect.written.isBlank, TemplatePlaceholder.find(in: redirect.written.value) == nil
    else { return [] }
    let written = redirect.written
    func judge(_ message: String, _ help: String, severity: Diagnostic.Severity = .error) -> [Diagnostic] {
      [finding(message, severity: severity, help: help, at: written.place(of: written.value[...]))]
    }
    let form = "write it as the portal makes it: msauth://<package>/<signature hash>"
    if written.value.contains(where: \.isWhitespace) { return judge("redirect_uri holds white space", "remove it") }
    guard let scheme = redirect.scheme, redirect.host != nil else {
      return judge("redirect_uri lacks its \(redirect.scheme == nil ? "scheme" : "host")", form)
    }
    if redirect.isAppleForm {
      return judge(
        "redirect_uri has the format of MSAL for iOS and macOS, which no Android broker or activity answers", form,
        severity: config.usesBroker ? .error : .warning)
    }
    if redirect.isWeb { return judge("redirect_uri is a web address: the answer does not come back to the app", form) }
    if written.value.contains("#") { return judge("redirect_uri holds a fragment", "remove everything from # on") }
    if let clientID = config.clientID?.value, GUIDText.isWellFormed(clientID), scheme.lowercased().hasPrefix("msal") {
      let named = scheme.dropFirst(4)
      if GUIDText.isWellFormed(named), named.lowercased() != clientID.lowercased() {
        return judge(
          "redirect_uri names another client id, \(named)", "write msal\(clientID)://auth", severity: .warning)
      }
    }
    return []
  }
}

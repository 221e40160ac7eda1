import AppRegistration
import Diagnostics
import Documents

struct AndroidRedirectUnhandled: Rule {
  let id = "android-redirect-unhandled"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig, let redirect = config.redirect, isComparable(redirect), !file.isExample,
      // With an embedded web view, MSAL receives the response directly.
      config.userAgent?.value.uppercased() != "WEBVIEW"
    else { return [] }
    let filters = project.app(of: file).summary.androidFilters
    // If the project does not contain a filter for MSAL, a library's manifest may contain the filter, or the build may
    // generate it.
    guard !filters.places.isEmpty, !filters.mayOpen(redirect) else { return [] }
    return [
      finding(
        "no `BrowserTabActivity` intent filter matches this redirect URI", help: help(redirect, filters),
        at: redirect.source.place, related: filters.places.map { .init("an intent filter is here", at: $0) })
    ]
  }

  /// Returns whether the URI is complete. Other rules report malformed URIs.
  private func isComparable(_ redirect: AndroidRedirect) -> Bool {
    guard !redirect.isEndless, redirect.scheme != nil, redirect.host != nil, !redirect.isWeb, !redirect.isAppleForm,
      !redirect.source.isReference,
      TemplatePlaceholder.find(in: redirect.source.value) == nil
    else { return false }
    let hash = PercentText.decode(redirect.hash ?? "")
    return !SignatureHash.isDummy(hash) && !SignatureHash.isItsName(hash) && !redirect.path.contains("%25")
  }

  private func help(_ redirect: AndroidRedirect, _ filters: AndroidRedirectFilters) -> String {
    let path = PercentText.decode(redirect.path)
    if filters.containsHost(redirect.host) {
      return path.isEmpty
        ? "remove `android:path`, or add the path to the redirect URI"
        : "set `android:path` to `\(path)`, or use the filter's path in the redirect URI"
    }
    let pathText = path.isEmpty ? "" : ", and the path `\(path)`"
    let comma = path.isEmpty ? " and" : ","
    return
      "add a filter with the scheme `\(redirect.scheme ?? "")`\(comma) the host `\(redirect.host ?? "")`\(pathText)"
  }
}

import AppRegistration
import Diagnostics
import Documents

struct AndroidRedirectUnhandled: Rule {
  let id = "android-redirect-unhandled"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig, let redirect = config.redirect, isJudged(redirect), !file.isExample,
      // Inside a web view MSAL takes the answer itself.
      config.userAgent?.value.uppercased() != "WEBVIEW"
    else { return [] }
    let filters = project.app(of: file).summary.androidFilters
    // Without any filter of MSAL's in sight it stands elsewhere: in a library's manifest, or one that is made at build time.
    guard !filters.places.isEmpty, !filters.mayOpen(redirect) else { return [] }
    return [
      finding(
        "no intent filter of BrowserTabActivity opens this redirect URI", help: help(redirect, filters),
        at: redirect.written.place, related: filters.places.map { .init("a filter is here", at: $0) })
    ]
  }

  /// What is wrong with the URI itself is told by other rules.
  private func isJudged(_ redirect: AndroidRedirect) -> Bool {
    guard !redirect.isEndless, redirect.scheme != nil, redirect.host != nil, !redirect.isWeb, !redirect.isAppleForm,
      !redirect.written.isReference,
      TemplatePlaceholder.find(in: redirect.written.value) == nil
    else { return false }
    let hash = PercentText.decode(redirect.hash ?? "")
    return !SignatureHash.isDummy(hash) && !SignatureHash.isItsName(hash) && !redirect.path.contains("%25")
  }

  private func help(_ redirect: AndroidRedirect, _ filters: AndroidRedirectFilters) -> String {
    let path = PercentText.decode(redirect.path)
    if filters.name(redirect.host) {
      return path.isEmpty
        ? "remove android:path, or write the path into the redirect URI as well"
        : "let android:path be \(path), or write the redirect URI of the filter's"
    }
    let end = path.isEmpty ? "" : ", and the path \(path)"
    return "add a filter with the scheme \(redirect.scheme ?? "") and the host \(redirect.host ?? "")\(end)"
  }
}

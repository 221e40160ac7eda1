import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AndroidAuthorityURL: Rule {
  let id = "android-authority-url"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).compactMap { entry in
      guard let url = entry.url, !url.isReference, TemplatePlaceholder.find(in: url.value) == nil else { return nil }
      return check(url, type: entry.type?.value, in: file)
    }
  }

  private func check(_ url: Positioned<String>, type: String?, in file: ValidatedFile) -> Diagnostic? {
    func report(_ message: String, _ help: String, severity: Diagnostic.Severity = .error, fix: Diagnostic.Fix? = nil)
      -> Diagnostic
    {
      finding(message, severity: severity, help: help, at: url.place(of: url.value[...]), fix: fix)
    }
    let format = "use the format `https://login.microsoftonline.com/<tenant>`"
    if url.isBlank { return report("`authority_url` is empty", format) }
    if url.value.contains(where: \.isWhitespace) { return report("whitespace in `authority_url`", "remove it") }
    guard let parts = URLReference(valid: url.value), let host = parts.host, host.contains(".") || parts.isLoopback
    else {
      return report("`authority_url` is not a URL", format)
    }
    guard parts.scheme?.lowercased() == "https" else {
      return report(
        "`authority_url` does not start with `https://`", "use `https://`",
        fix: Authority.isMicrosofts(host: host) ? file.overTLS(url) : nil)
    }
    if let doubled = DoubledHost(in: url.value) { return report(doubled.message, doubled.help) }
    if Authority.hasB2CHost(host) {
      let own = parts.segments.first?.lowercased() == "tfp" ? parts.segments.dropFirst() : parts.segments[...]
      if own.count < 2 {
        return report(
          "`authority_url` does not contain a user flow (policy)",
          "add it after the tenant: `…/\(own.first ?? "<tenant>")/<user flow>`")
      }
    }
    if Cloud.containing(host: host) != nil, parts.segments.isEmpty {
      return report("`authority_url` does not contain a tenant", format, severity: .warning)
    }
    guard type == "AAD", !Authority.isMicrosofts(host: host),
      let suggestion = Suggestion.nearest(to: host, among: Cloud.allCases.flatMap(\.aliases)), host.contains("login")
    else { return nil }
    return report("`\(host)` is not a Microsoft cloud host", "did you mean `\(suggestion)`?", severity: .warning)
  }
}

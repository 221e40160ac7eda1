import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AndroidAuthorityURL: Rule {
  let id = "android-authority-url"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).compactMap { entry in
      guard let url = entry.url, !url.isReference, TemplatePlaceholder.find(in: url.value) == nil else { return nil }
      return judge(url, type: entry.type?.value, in: file)
    }
  }

  private func judge(_ url: Positioned<String>, type: String?, in file: ValidatedFile) -> Diagnostic? {
    func say(_ message: String, _ help: String, severity: Diagnostic.Severity = .error, fix: Diagnostic.Fix? = nil)
      -> Diagnostic
    {
      finding(message, severity: severity, help: help, at: url.place(of: url.value[...]), fix: fix)
    }
    let form = "write it like https://login.microsoftonline.com/<tenant>"
    if url.isBlank { return say("authority_url is empty", form) }
    if url.value.contains(where: \.isWhitespace) { return say("authority_url holds white space", "remove it") }
    guard let parts = URLParts(url.value), let host = parts.host, host.contains(".") || parts.isLoopback else {
      return say("authority_url is no address", form)
    }
    guard parts.scheme?.lowercased() == "https" else {
      return say(
        "authority_url must begin with https://", "write https://",
        fix: Authority.isMicrosofts(host: host) ? file.overTLS(url) : nil)
    }
    if let doubled = DoubledHost(in: url.value) { return say(doubled.message, doubled.help) }
    if Authority.hasB2CHost(host) {
      let own = parts.segments.first?.lowercased() == "tfp" ? parts.segments.dropFirst() : parts.segments[...]
      if own.count < 2 {
        return say(
          "authority_url names no user flow (policy)",
          "write it behind the tenant: …/\(own.first ?? "<tenant>")/<user flow>")
      }
    }
    if Cloud.containing(host: host) != nil, parts.segments.isEmpty {
      return say("authority_url names no tenant", form, severity: .warning)
    }
    guard type == "AAD", !Authority.isMicrosofts(host: host),
      let near = Suggestion.nearest(to: host, among: Cloud.allCases.flatMap(\.aliases)), host.contains("login")
    else { return nil }
    return say("\(host) is in none of Microsoft's clouds", "did you mean \(near)?", severity: .warning)
  }
}

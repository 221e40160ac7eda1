import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AzureAdInstance: Rule {
  let id = "azure-ad-instance"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.flatMap { section in
      [("Instance", section.instance), ("Authority", section.authority)].flatMap { key, value -> [Diagnostic] in
        guard let value, !value.isReference, !value.isBlank, TemplatePlaceholder.find(in: value.value) == nil else {
          return []
        }
        return check(value, key, section, in: file)
      }
    }
  }

  private func check(
    _ value: Positioned<String>, _ key: String, _ section: AzureAdSection, in file: ValidatedFile
  ) -> [Diagnostic] {
    func report(_ message: String, _ help: String, _ severity: Diagnostic.Severity, fix: Diagnostic.Fix? = nil)
      -> [Diagnostic]
    {
      [finding(message, severity: severity, help: help, at: value.place(of: value.value[...]), fix: fix)]
    }
    if value.value.contains(where: \.isWhitespace) { return report("whitespace in `\(key)`", "remove it", .error) }
    guard let parts = URLReference(valid: value.value), let host = parts.host else {
      return report("`\(key)` is not a URL", "use the format `https://login.microsoftonline.com/`", .error)
    }
    guard parts.scheme?.lowercased() == "https" || parts.isLoopback else {
      // A host name without a dot, such as the name of a service in a cluster, is internal.
      let isMicrosofts = Authority.isMicrosofts(host: host)
      let severity: Diagnostic.Severity = isMicrosofts ? .error : host.contains(".") ? .warning : .note
      return report(
        "`\(key)` does not start with `https://`", "use `https://`", severity,
        fix: isMicrosofts ? file.overTLS(value) : nil)
    }
    if let doubled = DoubledHost(in: value.value) { return report(doubled.message, doubled.help, .error) }
    // AzureAdB2C reports these hosts in B2C sections.
    if Cloud.containing(host: host) == .public, !section.isB2C, host.lowercased() != Cloud.public.loginHost {
      return report(
        "`\(host)` is outdated", "use `https://\(Cloud.public.loginHost)/`", .note)
    }
    guard key == "Instance" else { return [] }
    if Cloud.containing(host: host) != nil, let segment = parts.segments.first, segment.lowercased() != "tfp",
      !segment.hasPrefix("{"),
      let tenant = section.tenantID, !tenant.isBlank
    {
      return report(
        "`Instance` contains the tenant `\(segment)` in addition to `TenantId`", "remove everything after the host",
        .warning)
    }
    if !value.value.hasSuffix("/") {
      return report("`Instance` does not end with a slash", "use `\(value.value)/`", .note)
    }
    return []
  }
}

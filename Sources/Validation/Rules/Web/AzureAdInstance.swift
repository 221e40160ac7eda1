import AppRegistration
import Diagnostics
import Documents
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
        return judge(value, key, section, in: file)
      }
    }
  }

  private func judge(
    _ value: Positioned<String>, _ key: String, _ section: AzureAdSection, in file: ValidatedFile
  ) -> [Diagnostic] {
    func say(_ message: String, _ help: String, _ severity: Diagnostic.Severity, fix: Diagnostic.Fix? = nil)
      -> [Diagnostic]
    {
      [finding(message, severity: severity, help: help, at: value.place(of: value.value[...]), fix: fix)]
    }
    if value.value.contains(where: \.isWhitespace) { return say("\(key) holds white space", "remove it", .error) }
    guard let parts = URLParts(value.value), let host = parts.host, !host.isEmpty else {
      return say("\(key) is no address", "write it like https://login.microsoftonline.com/", .error)
    }
    guard parts.scheme?.lowercased() == "https" || parts.isLoopback else {
      // A host without a dot is a stand-in inside a cluster.
      let isMicrosofts = Authority.isMicrosofts(host: host)
      let severity: Diagnostic.Severity = isMicrosofts ? .error : host.contains(".") ? .warning : .note
      return say(
        "\(key) must begin with https://", "write https://", severity, fix: isMicrosofts ? file.overTLS(value) : nil)
    }
    if let doubled = DoubledHost(in: value.value) { return say(doubled.message, doubled.help, .error) }
    // B2C moved away from all of them, which is told by another rule.
    if Cloud.containing(host: host) == .public, !section.isB2C, host.lowercased() != Cloud.public.loginHost {
      return say(
        "\(host) is an old name of \(Cloud.public.loginHost)", "write https://\(Cloud.public.loginHost)/", .note)
    }
    guard key == "Instance" else { return [] }
    if Cloud.containing(host: host) != nil, let segment = parts.segments.first, segment.lowercased() != "tfp",
      !segment.hasPrefix("{"),
      let tenant = section.tenantID, !tenant.isBlank
    {
      return say(
        "Instance names a tenant of its own, \(segment), and TenantId follows it", "leave the host alone", .warning)
    }
    if !value.value.hasSuffix("/") {
      return say("Instance is written with a slash at its end everywhere", "write \(value.value)/", .note)
    }
    return []
  }
}

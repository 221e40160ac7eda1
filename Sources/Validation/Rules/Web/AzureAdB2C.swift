import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AzureAdB2C: Rule {
  let id = "azure-ad-b2c"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.flatMap { section -> [Diagnostic] in
      guard section.isB2C else { return [] }
      return retiredHost(section) + missing(section) + misnamed(section)
    }
  }

  /// Reports names with an incorrect prefix. User flow names start with `B2C_1_`, and custom policy names start with
  /// `B2C_1A_`.
  private func misnamed(_ section: AzureAdSection) -> [Diagnostic] {
    guard let host = section.host, !Authority.hasCIAMHost(host) else { return [] }
    return section.policies.compactMap { key, policy in
      guard !policy.isReference, !policy.isBlank, TemplatePlaceholder.find(in: policy.value) == nil,
        !policy.value.lowercased().hasPrefix("b2c_1"),
        // Libraries other than Microsoft.Identity.Web also use this key.
        key != "DefaultPolicy" || Authority.hasB2CHost(host)
      else { return nil }
      return finding(
        "`\(policy.value)` is not a user flow or custom policy",
        help: "use a name that starts with `B2C_1_` (user flow) or `B2C_1A_` (custom policy)",
        at: policy.place(of: policy.value[...]))
    }
  }

  private func retiredHost(_ section: AzureAdSection) -> [Diagnostic] {
    guard let authority = section.instance ?? section.authority, let host = section.host,
      Cloud.containing(host: host) != nil
    else { return [] }
    return [
      finding(
        "`\(host)` is outdated for B2C", help: "use `https://<tenant>.b2clogin.com`",
        at: authority.place(of: authority.value[...]))
    ]
  }

  /// Reports missing keys as notes, because another configuration source may provide them.
  private func missing(_ section: AzureAdSection) -> [Diagnostic] {
    guard section.authority == nil, section.instance != nil, section.clientID != nil, let node = section.node else {
      return []
    }
    var keys: [String] = []
    if section.domain == nil, section.tenantID == nil { keys.append("Domain") }
    if !section.policies.contains(where: { $0.key == "SignUpSignInPolicyId" || $0.key == "DefaultPolicy" }) {
      keys.append("SignUpSignInPolicyId")
    }
    guard !keys.isEmpty else { return [] }
    let names = keys.map { "`\($0)`" }.joined(separator: " and ")
    return [
      finding(
        "B2C section without \(names)", severity: .note,
        help: "add \(names), or provide the value in another configuration source",
        at: section.name?.place ?? node.place)
    ]
  }
}

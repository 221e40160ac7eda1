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

  /// Azure AD B2C puts B2C_1_ before the name of each user flow, and takes custom policies with B2C_1A_ only.
  private func misnamed(_ section: AzureAdSection) -> [Diagnostic] {
    guard let host = section.host, !Authority.hasCIAMHost(host) else { return [] }
    return section.policies.compactMap { key, policy in
      guard !policy.isReference, !policy.isBlank, TemplatePlaceholder.find(in: policy.value) == nil,
        !policy.value.lowercased().hasPrefix("b2c_1"),
        // Others than Microsoft.Identity.Web have policies as well.
        key != "DefaultPolicy" || Authority.hasB2CHost(host)
      else { return nil }
      return finding(
        "\"\(policy.value)\" is the name of no user flow",
        help: "user flows begin with B2C_1_, custom policies with B2C_1A_", at: policy.place(of: policy.value[...]))
    }
  }

  private func retiredHost(_ section: AzureAdSection) -> [Diagnostic] {
    guard let written = section.instance ?? section.authority, let host = section.host,
      Cloud.containing(host: host) != nil
    else { return [] }
    return [
      finding(
        "B2C signs in at <tenant>.b2clogin.com now, not at \(host)", help: "write https://<tenant>.b2clogin.com",
        at: written.place(of: written.value[...]))
    ]
  }

  /// What is missing may come from another file of the configuration.
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
    return [
      finding(
        "for B2C \(keys.joined(separator: " and ")) must come from elsewhere", severity: .note,
        help: "add \(keys.joined(separator: " and "))", at: section.name?.place ?? node.place)
    ]
  }
}

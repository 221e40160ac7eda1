import AppRegistration
import DeclaredFields
import Diagnostics
import Documents
import IdentityPlatform

struct AndroidAudienceContradiction: Rule {
  let id = "android-audience-contradiction"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.error, .note]
  let words = "the audience of an Android authority and its tenant_id contradict each other"
  let help = """
    AzureADMyOrg needs the tenant's id or domain; the other audiences stand for common, organizations and consumers. MSAL takes \
    tenant_id as it stands, so that another one lets other accounts in than the audience says: with a tenant's id only that tenant's.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [
        { "type": "AAD", "audience": { "type": "AzureADMyOrg", "tenant_id": "1️⃣organizations" }, "default": true },
        {
          "type": "AAD",
          "audience": {
            "type": "AzureADandPersonalMicrosoftAccount",
            "tenant_id": "1️⃣7bcd2220-f576-41b0-b47a-de4b6f2ebac1"
          }
        }
      ]
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [
        { "type": "AAD", "audience": { "type": "AzureADMyOrg", "tenant_id": "contoso.com" }, "default": true },
        {
          "type": "AAD",
          "audience": {
            "type": "AzureADandPersonalMicrosoftAccount",
            "tenant_id": "common"
          }
        }
      ]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).compactMap { entry in
      guard entry.url == nil, let audience = entry.audience, let type = audience.value.type,
        let known = Audience(named: type.value)
      else { return nil }
      guard let tenant = audience.value.tenantID, !tenant.isBlank else {
        guard known == .myOrg, !Self.hasTenantInAnotherSpelling(audience.place, in: file) else { return nil }
        return finding(
          "AzureADMyOrg needs the tenant_id of its organization", severity: .error,
          help: "write the tenant's id or domain",
          at: audience.value.tenantID?.place ?? type.place)
      }
      guard !tenant.isReference, TemplatePlaceholder.find(in: tenant.value) == nil,
        let words = judge(known, tenant.value)
      else {
        return nil
      }
      return finding(
        "the audience \(known.rawValue) contradicts tenant_id: \(words.message)",
        severity: isHarmless(known, tenant.value) ? .note : .warning, help: words.help,
        at: tenant.place(of: tenant.value[...]),
        related: [.init("the audience is here", at: type.place)])
    }
  }

  /// Whether another rule reports the tenant's key: `tenantId`.
  private static func hasTenantInAnotherSpelling(_ place: FileSpan, in file: ValidatedFile) -> Bool {
    file.node(at: place)?.entries.contains { key, _ in
      guard let text = key.string, text != "tenant_id" else { return false }
      return AndroidKeyCase.meant(by: text, ["tenant_id"]) != nil
    } ?? false
  }

  /// The registration says whose accounts may sign in; a segment for more, or fewer, of several organizations still serves them.
  private func isHarmless(_ audience: Audience, _ tenant: String) -> Bool {
    switch audience {
    case .myOrg: false
    case .personal: tenant.lowercased() == "common"
    default: ["common", "organizations"].contains(tenant.lowercased())
    }
  }

  private func judge(_ audience: Audience, _ tenant: String) -> (message: String, help: String)? {
    let shared = ["common", "organizations", "consumers"].contains(tenant.lowercased())
    if audience == .myOrg {
      guard shared else { return nil }
      return ("\(tenant) is no organization", "write the tenant's id or domain, or another audience")
    }
    guard let segment = audience.tenantSegment, segment != tenant.lowercased() else { return nil }
    if shared { return ("it stands for \(segment)", "write \(segment), or leave tenant_id out") }
    guard GUIDText.isWellFormed(tenant) || tenant.contains(".") else { return nil }
    if audience == .personal, tenant.lowercased() == WellKnown.personalTenantID { return nil }
    return ("only accounts of this one tenant could sign in", "leave tenant_id out, or write AzureADMyOrg")
  }
}

import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct AndroidTenantMalformed: Rule {
  let id = "android-tenant-malformed"
  let severity = Diagnostic.Severity.error
  let words = "the tenant of an Android authority is neither an id nor a domain"
  let help = """
    A tenant is named by its id (a GUID) or by one of its domains; common, organizations and consumers stand for many. The service \
    knows no other (AADSTS900023, AADSTS90002).
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [{ "type": "AAD", "audience": { "type": "AzureADMyOrg", "tenant_id": "1️⃣contoso" } }]
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [{ "type": "AAD", "audience": { "type": "AzureADMyOrg", "tenant_id": "contoso.onmicrosoft.com" } }]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).compactMap { entry in
      guard let (value, tenant) = Self.tenant(of: entry), !value.isReference,
        TemplatePlaceholder.find(in: value.value) == nil
      else { return nil }
      return judgeTenant(tenant, at: value.place(of: tenant))
    }
  }

  /// What an authority of organizations names as its tenant, with the value that it stands in.
  private static func tenant(of entry: AndroidConfig.AuthorityEntry) -> (Positioned<String>, Substring)? {
    if let url = entry.url {
      guard entry.type?.value == "AAD", let parts = URLParts(url.value),
        Cloud.containing(host: parts.host ?? "") != nil,
        let segment = parts.segments.first, !["tfp", "te", "adfs"].contains(segment.lowercased()),
        let range = url.value.firstRange(of: "/\(segment)", after: "://")
      else { return nil }
      return (url, url.value[range].dropFirst())
    }
    guard entry.type?.value == "AAD", let tenant = entry.audience?.value.tenantID, !tenant.isBlank else { return nil }
    return (tenant, tenant.value[...])
  }
}

import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AndroidTenantMalformed: Rule {
  let id = "android-tenant-malformed"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).compactMap { entry in
      guard let (value, tenant) = Self.tenant(of: entry), !value.isReference,
        TemplatePlaceholder.find(in: value.value) == nil
      else { return nil }
      return tenantFinding(tenant, at: value.place(of: tenant))
    }
  }

  /// Returns the tenant in a Microsoft Entra ID authority, together with the value that contains the tenant.
  private static func tenant(of entry: AndroidConfig.AuthorityEntry) -> (Positioned<String>, Substring)? {
    if let url = entry.url {
      guard entry.type?.value == "AAD", let parts = URLReference(valid: url.value),
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

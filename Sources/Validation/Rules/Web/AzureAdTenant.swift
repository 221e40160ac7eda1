import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AzureAdTenant: Rule {
  let id = "azure-ad-tenant"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.compactMap { section in
      guard let tenant = section.tenantID, !tenant.isReference, !tenant.isBlank, !section.isB2C,
        // Elsewhere than at Microsoft's hosts TenantId may be anything.
        section.host.map({ Cloud.containing(host: $0) != nil }) ?? true,
        TemplatePlaceholder.find(in: tenant.value) == nil
      else { return nil }
      return judgeTenant(tenant.value[...], at: tenant.place(of: tenant.value[...]))
    }
  }
}

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
        // For hosts other than Microsoft's, TenantId can have any format.
        section.host.map({ Cloud.containing(host: $0) != nil }) ?? true,
        TemplatePlaceholder.find(in: tenant.value) == nil
      else { return nil }
      return tenantFinding(tenant.value[...], at: tenant.place(of: tenant.value[...]))
    }
  }
}

import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct AzureAdTenant: Rule {
  let id = "azure-ad-tenant"
  let severity = Diagnostic.Severity.error
  let words = "TenantId of an AzureAd section is neither an id nor a domain"
  let help = """
    A tenant is named by its id (a GUID) or by one of its domains; common, organizations and consumers stand for many. The service \
    knows no other (AADSTS900023).
    """
  let bad = RuleExample(
    "appsettings.json",
    #"""
    {
      "AzureAd": {
        "Instance": "https://login.microsoftonline.com/",
        "TenantId": "1️⃣contoso",
        "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e"
      }
    }
    """#)
  let good = RuleExample(
    "appsettings.json",
    #"""
    {
      "AzureAd": {
        "Instance": "https://login.microsoftonline.com/",
        "TenantId": "contoso.onmicrosoft.com",
        "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e"
      }
    }
    """#)

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

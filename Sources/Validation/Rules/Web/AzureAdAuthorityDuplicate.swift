import AppRegistration
import DeclaredFields
import Diagnostics

struct AzureAdAuthorityDuplicate: Rule {
  let id = "azure-ad-authority-duplicate"
  let severity = Diagnostic.Severity.note
  let words = "an AzureAd section names its authority in two ways"
  let help = """
    Authority stands for Instance and TenantId together. Microsoft.Identity.Web makes Authority of the other two where they are given, \
    so that the one that is written may not be the one that is used.
    """
  let bad = RuleExample(
    "appsettings.json",
    #"""
    {
      "AzureAd": {
        "Authority": 1️⃣"https://login.microsoftonline.com/contoso.com",
        "Instance": "https://login.microsoftonline.com/",
        "TenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1",
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
        "TenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1",
        "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e"
      }
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.compactMap { section in
      guard let authority = section.authority, !authority.isBlank, let instance = section.instance, !instance.isBlank
      else {
        return nil
      }
      return finding(
        "Authority stands beside Instance", help: "keep Instance and TenantId, or Authority", at: authority.place,
        related: [.init("Instance is here", at: instance.place)])
    }
  }
}

import AppRegistration
import DeclaredFields
import Diagnostics

struct AzureAdIncomplete: Rule {
  let id = "azure-ad-incomplete"
  let severity = Diagnostic.Severity.note
  let words = "an AzureAd section leaves its client id or tenant to another source"
  let help = """
    ASP.NET Core joins appsettings.json, its variant for the environment, user secrets and environment variables. What is empty here \
    must come from one of them: AzureAd__ClientId, AzureAd__TenantId.
    """
  let bad = RuleExample(
    "appsettings.json",
    #"""
    {
      "AzureAd": {
        "Instance": "https://login.microsoftonline.com/",
        "TenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1",
        "ClientId": 1️⃣""
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
    file.azureAdSections.flatMap { section in
      [("ClientId", section.clientID), ("TenantId", section.tenantID)].compactMap { key, value in
        guard let value, value.isBlank else { return nil }
        return finding(
          "\(key) is empty here", help: "user secrets, the environment or another file must give it", at: value.place)
      }
    }
  }
}

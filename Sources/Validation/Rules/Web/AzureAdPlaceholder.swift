import AppRegistration
import DeclaredFields
import Diagnostics

struct AzureAdPlaceholder: Rule {
  let id = "azure-ad-placeholder"
  let severity = Diagnostic.Severity.error
  let words = "a value of an AzureAd section is still to be filled in"
  let help = """
    Templates and samples leave tenant, domain and user flow to their readers. The overview page of the registration shows the \
    tenant's id and domain. What comes from user secrets or the environment may be left out, or empty.
    """
  let bad = RuleExample(
    "appsettings.json",
    #"""
    {
      "AzureAd": {
        "Instance": "https://login.microsoftonline.com/",
        "Domain": "1️⃣qualified.domain.name",
        "TenantId": "1️⃣[Enter the tenant id here]",
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
        "Domain": "contoso.onmicrosoft.com",
        "TenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1",
        "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e"
      }
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.flatMap { section -> [Diagnostic] in
      let named: [Located<String>?] = [section.instance, section.authority, section.tenantID, section.domain]
      let values = named.compactMap { $0 } + section.policies.map(\.value)
      return values.compactMap { value in
        guard !value.isReference, let placeholder = Self.placeholder(in: value) else { return nil }
        return finding(
          "this is still a placeholder: \(placeholder)", help: "write your own tenant's, or leave it to user secrets",
          at: placeOf(placeholder, in: value))
      }
    }
  }

  /// What `dotnet new` writes where no domain is given is a placeholder as well.
  private static func placeholder(in value: Located<String>) -> Substring? {
    if value.value == "qualified.domain.name" { return value.value[...] }
    guard let found = Placeholder.find(in: value.value) else { return nil }
    // `{0}` is filled in by the app itself.
    return found.dropFirst().dropLast().allSatisfy(\.isNumber) ? nil : found
  }
}

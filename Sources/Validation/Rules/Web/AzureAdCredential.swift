import AppRegistration
import DeclaredFields
import Diagnostics

struct AzureAdCredential: Rule {
  let id = "azure-ad-credential"
  let severity = Diagnostic.Severity.warning
  let words = "SourceType of a credential is none that Microsoft.Identity.Web knows"
  let help = """
    SourceType says where a credential comes from: KeyVault, Path, StoreWithThumbprint, StoreWithDistinguishedName, Base64Encoded, \
    ClientSecret, SignedAssertionFromManagedIdentity, SignedAssertionFilePath and some more. The app does not start with any other.
    """
  let bad = RuleExample(
    "appsettings.json",
    #"""
    {
      "AzureAd": {
        "Instance": "https://login.microsoftonline.com/",
        "TenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1",
        "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "ClientCertificates": [
          { "SourceType": "1️⃣KeyValut", "KeyVaultUrl": "https://contoso.vault.azure.net", "KeyVaultCertificateName": "web" }
        ]
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
        "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "ClientCertificates": [
          { "SourceType": "KeyVault", "KeyVaultUrl": "https://contoso.vault.azure.net", "KeyVaultCertificateName": "web" }
        ]
      }
    }
    """#)

  private static let known = [
    "Certificate", "KeyVault", "Base64Encoded", "Path", "StoreWithThumbprint", "StoreWithDistinguishedName",
    "ClientSecret", "SignedAssertionFromManagedIdentity", "SignedAssertionFilePath", "SignedAssertionFromVault",
    "AutoDecryptKeys", "CustomSignedAssertion",
  ]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.flatMap(\.sourceTypes).compactMap { type in
      guard !type.isReference, !type.isBlank, TemplatePlaceholder.find(in: type.value) == nil,
        !Self.known.contains(where: { $0.lowercased() == type.value.lowercased() }), Int(type.value) == nil
      else { return nil }
      let near = Suggestion.nearest(to: type.value, among: Self.known)
      return finding(
        "\"\(type.value)\" is no source of credentials",
        help: near.map { "did you mean \($0)?" } ?? "write \(Self.known.joined(separator: ", "))",
        at: type.place(of: type.value[...]))
    }
  }
}

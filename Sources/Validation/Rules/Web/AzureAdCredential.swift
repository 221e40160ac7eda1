import AppRegistration
import Diagnostics
import Documents

struct AzureAdCredential: Rule {
  let id = "azure-ad-credential"
  let severity = Diagnostic.Severity.warning

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
      let suggestion = Suggestion.nearest(to: type.value, among: Self.known)
      return finding(
        "unknown credential source `\(type.value)`",
        help: suggestion.map { "did you mean `\($0)`?" } ?? "use one of `\(Self.known.joined(separator: "`, `"))`",
        at: type.place(of: type.value[...]))
    }
  }
}

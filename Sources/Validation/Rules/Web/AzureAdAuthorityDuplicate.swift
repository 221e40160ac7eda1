import AppRegistration
import Diagnostics
import Documents

struct AzureAdAuthorityDuplicate: Rule {
  let id = "azure-ad-authority-duplicate"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.compactMap { section in
      guard let authority = section.authority, !authority.isBlank, let instance = section.instance, !instance.isBlank
      else {
        return nil
      }
      return finding(
        "both `Authority` and `Instance` are set", help: "use either `Authority`, or `Instance` and `TenantId`",
        at: authority.place, related: [.init("`Instance` is here", at: instance.place)])
    }
  }
}

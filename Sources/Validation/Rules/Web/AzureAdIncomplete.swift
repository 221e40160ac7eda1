import AppRegistration
import Diagnostics
import Documents

struct AzureAdIncomplete: Rule {
  let id = "azure-ad-incomplete"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.flatMap { section in
      [("ClientId", section.clientID), ("TenantId", section.tenantID)].compactMap { key, value in
        guard let value, value.isBlank else { return nil }
        return finding(
          "`\(key)` is empty", help: "provide it in user secrets, an environment variable, or another file",
          at: value.place)
      }
    }
  }
}

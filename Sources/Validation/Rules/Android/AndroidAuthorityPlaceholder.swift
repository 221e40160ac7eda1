import AppRegistration
import Diagnostics
import Documents

struct AndroidAuthorityPlaceholder: Rule {
  let id = "android-authority-placeholder"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).flatMap { entry -> [Diagnostic] in
      // MSAL ignores the audience if the entry contains a URL.
      let values = [entry.url ?? entry.audience?.value.tenantID].compactMap { $0 }
      return values.compactMap { value in
        guard !value.isReference, let placeholder = TemplatePlaceholder.find(in: value.value) else { return nil }
        let help =
          placeholder.lowercased().contains("policy")
          ? "replace it with the name of the user flow, such as `B2C_1_signin`"
          : "replace it with your tenant's ID or domain"
        return finding(
          "authority contains a placeholder: `\(placeholder)`", help: help, at: place(of: placeholder, in: value))
      }
    }
  }
}

import AppRegistration
import Diagnostics
import Documents

struct AndroidAuthorityPlaceholder: Rule {
  let id = "android-authority-placeholder"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).flatMap { entry -> [Diagnostic] in
      // Where the address stands, the audience is not read.
      let values = [entry.url ?? entry.audience?.value.tenantID].compactMap { $0 }
      return values.compactMap { value in
        guard !value.isReference, let placeholder = TemplatePlaceholder.find(in: value.value) else { return nil }
        let help =
          placeholder.lowercased().contains("policy")
          ? "write the user flow's name, such as B2C_1_signin" : "write your tenant's id or domain in its place"
        return finding(
          "the authority still holds a placeholder: \(placeholder)", help: help, at: placeOf(placeholder, in: value))
      }
    }
  }
}

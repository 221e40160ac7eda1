import AppRegistration
import Diagnostics
import Documents

struct AndroidAccountMode: Rule {
  let id = "android-account-mode"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let mode = file.androidConfig?.accountMode else { return [] }
    return unknownValue(mode, "account_mode", among: ["SINGLE", "MULTIPLE"], in: file)
  }
}

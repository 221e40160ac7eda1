import AppRegistration
import Diagnostics
import Documents

struct ManifestFragment: Rule {
  let id = "manifest-fragment"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.diagnostics.filter { $0.rule == id }
  }
}

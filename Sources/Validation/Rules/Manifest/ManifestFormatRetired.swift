import AppRegistration
import Diagnostics
import Documents

struct ManifestFormatRetired: Rule {
  let id = "manifest-format-retired"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.filter { $0.dialect == .azureADGraph }.map { manifest in
      finding(
        "this is how Azure AD Graph wrote a registration down, and it is retired",
        help: "export the registration anew: az ad app show, or the portal's manifest page",
        at: manifest.redirectList ?? manifest.appID?.place ?? manifest.node.place)
    }
  }
}

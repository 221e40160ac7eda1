import AppRegistration
import Diagnostics
import Documents

struct ManifestFormatRetired: Rule {
  let id = "manifest-format-retired"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.filter { $0.dialect == .azureADGraph }.map { manifest in
      finding(
        "app manifest in the retired Azure AD Graph format",
        help: "export it again with `az ad app show` or from the portal's manifest page",
        at: manifest.redirectList ?? manifest.appID?.place ?? manifest.node.place)
    }
  }
}

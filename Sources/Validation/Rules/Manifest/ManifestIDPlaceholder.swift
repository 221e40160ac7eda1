import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestIDPlaceholder: Rule {
  let id = "manifest-id-placeholder"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.filter { $0.dialect != .appCreationScripts }.flatMap { manifest in
      manifest.ids.compactMap { name, id in
        if name == "appId", GUIDText.isWellFormed(id.value), id.value.allSatisfy({ $0 == "0" || $0 == "-" }) {
          return finding("appId is all zeros, which is no app's", help: "write the app's id in its place", at: id.place)
        }
        guard !AppManifest.isReference(id.value), !GUIDText.isWellFormed(id.value),
          let placeholder = TemplatePlaceholder.find(in: id.value)
        else { return nil }
        return finding(
          "\(name) is still a placeholder: \(placeholder)", help: "write the id in its place", at: id.place)
      }
    }
  }
}

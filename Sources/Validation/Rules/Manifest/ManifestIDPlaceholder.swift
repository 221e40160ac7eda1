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
        if let appID = manifest.appID, id.place.span == appID.place.span, GUIDText.isWellFormed(id.value),
          id.value.allSatisfy({ $0 == "0" || $0 == "-" })
        {
          return finding("`appId` is the all-zero GUID", help: "replace it with the app's client ID", at: id.place)
        }
        guard !AppManifest.isReference(id.value), !GUIDText.isWellFormed(id.value),
          let placeholder = TemplatePlaceholder.find(in: id.value)
        else { return nil }
        return finding(
          "placeholder for \(name): `\(placeholder)`", help: "replace it with the ID", at: id.place)
      }
    }
  }
}

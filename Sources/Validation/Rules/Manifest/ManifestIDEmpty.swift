import AppRegistration
import Diagnostics
import Documents

struct ManifestIDEmpty: Rule {
  let id = "manifest-id-empty"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.ids.filter { $0.id.value.allSatisfy(\.isWhitespace) }.map { name, id in
        finding("\(name) is empty", help: "set the ID, or remove the entry", at: id.place)
      }
    }
  }
}

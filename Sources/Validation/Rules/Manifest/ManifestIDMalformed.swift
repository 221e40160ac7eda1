import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestIDMalformed: Rule {
  let id = "manifest-id-malformed"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest -> [Diagnostic] in
      let identifiers = Set(manifest.identifierURIs.compactMap { $0.place.span?.start })
      let named = manifest.dialect.allowsNames ? manifest.namedPlaces : []
      return manifest.ids.compactMap { name, id in
        guard let start = id.place.span?.start, !identifiers.contains(start), !named.contains(start),
          !id.value.allSatisfy(\.isWhitespace), !GUIDText.isWellFormed(id.value), !AppManifest.isToBeFilledIn(id.value)
        else { return nil }
        return finding(
          "\(name) is not a GUID: `\(id.value)`", help: "use the format `6731de76-14a6-49ae-97bc-6eba6914391e`",
          at: id.place)
      }
    }
  }
}

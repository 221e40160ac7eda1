import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct ManifestIdentifierURI: Rule {
  let id = "manifest-identifier-uri"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.identifierURIs.compactMap { uri in
        guard !uri.value.allSatisfy(\.isWhitespace), !AppManifest.isToBeFilledIn(uri.value) else { return nil }
        return check(uri, personal: manifest.allowsPersonalAccounts)
      }
    }
  }

  private func check(_ uri: Positioned<String>, personal: Bool) -> Diagnostic? {
    guard let scheme = URLReference(valid: uri.value)?.scheme?.lowercased() else {
      return finding(
        "`\(uri.value)` is not a URI", help: "use the format `api://<client id>`", at: uri.place)
    }
    if personal, scheme == "urn" {
      return finding(
        "URN identifier URIs are not supported with personal accounts", help: "use the format `api://<client id>`",
        at: uri.place)
    }
    let limit = personal ? 120 : 255
    guard uri.value.count > limit else { return nil }
    return finding(
      "identifier URI has \(uri.value.count) characters (limit \(limit))", help: "shorten it", at: uri.place)
  }
}

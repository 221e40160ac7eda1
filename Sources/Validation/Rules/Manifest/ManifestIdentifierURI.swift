import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestIdentifierURI: Rule {
  let id = "manifest-identifier-uri"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.identifierURIs.compactMap { uri in
        guard !uri.value.allSatisfy(\.isWhitespace), !AppManifest.isToBeFilledIn(uri.value) else { return nil }
        return judge(uri, personal: manifest.allowsPersonalAccounts)
      }
    }
  }

  private func judge(_ uri: Positioned<String>, personal: Bool) -> Diagnostic? {
    guard let scheme = URLParts(uri.value)?.scheme?.lowercased() else {
      return finding(
        "\"\(uri.value)\" is no URI", help: "write it like api://<client id>", at: uri.place)
    }
    if personal, scheme == "urn" {
      return finding(
        "with personal accounts an identifier URI is no urn", help: "write it like api://<client id>", at: uri.place)
    }
    let limit = personal ? 120 : 255
    guard uri.value.count > limit else { return nil }
    return finding(
      "the identifier URI is \(uri.value.count) characters long", help: "at most \(limit) are allowed", at: uri.place)
  }
}

import AppRegistration
import Diagnostics
import Documents

struct CredentialExpired: Rule {
  let id = "credential-expired"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let now = project.now else { return [] }
    return file.appManifests.flatMap { manifest in
      [("secret", manifest.passwordCredentials), ("certificate", manifest.keyCredentials)].flatMap {
        label, credentials in
        credentials.compactMap { credential in
          guard let end = credential.end, let seconds = AppManifest.seconds(end.value), seconds <= now else {
            return nil
          }
          return finding(
            "\(label) expired on \(end.value.hasPrefix("/") ? end.value : String(end.value.prefix(10)))",
            help: "create a new credential and remove this one; public clients do not need credentials", at: end.place)
        }
      }
    }
  }
}

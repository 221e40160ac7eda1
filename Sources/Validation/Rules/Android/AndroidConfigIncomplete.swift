import AppRegistration
import Diagnostics
import Documents

struct AndroidConfigIncomplete: Rule {
  let id = "android-config-incomplete"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.androidConfig, let root = file.node else { return [] }
    let keys: [(String, Positioned<String>?, String)] = [
      ("client_id", config.clientID, "copy `client_id` from the overview page of the app registration"),
      (
        "redirect_uri", config.redirectURI,
        "copy `redirect_uri` from the portal: `msauth://<package>/<signature hash>`"
      ),
    ]
    let empty = keys.compactMap { key, value, help in
      value?.isBlank == true ? finding("`\(key)` is empty", help: help, at: value?.place ?? root.place) : nil
    }
    // Values of the wrong type are reported when the file is read.
    let absent = keys.filter { key, value, _ in value == nil && root[key] == nil }
    guard !absent.isEmpty else { return empty }
    let names = absent.map { "`\($0.0)`" }.joined(separator: " or ")
    return empty + [
      finding(
        "configuration without \(names); the app must pass \(absent.count == 1 ? "it" : "them") to MSAL in code",
        severity: .note, help: absent.map(\.2).joined(separator: ", and "), at: root.place)
    ]
  }
}

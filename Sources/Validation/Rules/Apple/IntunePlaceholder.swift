import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct IntunePlaceholder: Rule {
  let id = "intune-placeholder"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist else { return [] }
    return plist.intune.compactMap { key, entry in
      guard key.hasPrefix("ADAL") || key.hasPrefix("AAD") else { return nil }
      if entry.text.allSatisfy(\.isWhitespace) {
        return finding(
          "`\(key)` is empty", severity: .warning, help: "set a value, or remove the key", at: entry.node.place)
      }
      guard let placeholder = TemplatePlaceholder.find(in: entry.text) else { return nil }
      return finding(
        "placeholder in `\(key)`: `\(placeholder)`", help: Self.help(key), at: entry.node.place)
    }
  }

  private static func help(_ key: String) -> String {
    switch key {
    case "ADALClientId": "replace it with the application (client) ID of your app registration"
    case "ADALAuthority": "replace it with your tenant's ID or domain"
    case "ADALRedirectUri": "replace it with the redirect URI of your app registration: `msauth.<bundle id>://auth`"
    default: "replace it with your own value"
    }
  }
}

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
          "\(key) is empty", severity: .warning, help: "fill it in, or remove the key", at: entry.node.place)
      }
      guard let placeholder = TemplatePlaceholder.find(in: entry.text) else { return nil }
      return finding(
        "\(key) is still a placeholder: \(placeholder)", help: Self.help(key), at: entry.node.place)
    }
  }

  private static func help(_ key: String) -> String {
    switch key {
    case "ADALClientId": "write the application (client) id of your app registration"
    case "ADALAuthority": "write your tenant's id or domain in its place"
    case "ADALRedirectUri": "write the redirect URI of your app registration: msauth.<bundle id>://auth"
    default: "write your own in its place"
    }
  }
}

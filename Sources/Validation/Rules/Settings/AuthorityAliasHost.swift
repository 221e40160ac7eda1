import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AuthorityAliasHost: Rule {
  let id = "authority-alias-host"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    // Another rule checks Instance and Authority in appsettings files.
    guard file.kind != .appsettings else { return [] }
    return checkADALKeys(file)
      + file.loadedSettings.compactMap { loaded in
        guard let authority = loaded.settings.authority, let parts = URLReference(valid: authority.value),
          let host = parts.host, let writtenHost = parts.writtenHost,
          let cloud = Cloud.containing(host: host)
        else { return nil }
        if let first = parts.segments.first?.lowercased(), first == "tfp" || first == "te" {
          return finding(
            "`\(host)` is outdated for B2C", help: "use the tenant's own host, `<tenant>.b2clogin.com`",
            at: authority.place)
        }
        guard cloud == .public || cloud == .china, host != cloud.preferredNetwork, host != cloud.loginHost else {
          return nil
        }
        let corrected = authority.value.replacing(writtenHost, with: cloud.preferredNetwork, maxReplacements: 1)
        let edits = file.node(at: authority.place).flatMap { node in
          node.string == authority.value && SecretPattern.redacting(corrected) == corrected
            ? TextEdits.replaceValue(node, with: corrected) : nil
        }
        return finding(
          "`\(host)` is outdated", help: "replace it with `\(cloud.preferredNetwork)`",
          at: authority.place,
          fix: edits.map { .init(description: "replace with `\(cloud.preferredNetwork)`", edits: $0) })
      }
  }

  /// Checks `ADALAuthority` and similar keys, which the Intune SDK and the app's own code read.
  private func checkADALKeys(_ file: ValidatedFile) -> [Diagnostic] {
    guard let root = file.node, [.infoPlist, .authSettings].contains(file.kind) else { return [] }
    let settings = file.kind == .infoPlist ? root["IntuneMAMSettings"] : nil
    return [root, settings].compactMap { $0 }.flatMap { mapping in
      mapping.entries.prefix(Self.mostKeys).compactMap { key, value in
        guard let name = key.string.map(KeySpelling.folded),
          name.hasSuffix("authority") || name.hasSuffix("authorityurl"),
          file.kind == .infoPlist || AppSettings.fields.field(named: key.string ?? "") == nil,
          let authority = value.string, let url = URLReference(valid: authority), let host = url.host,
          let writtenHost = url.writtenHost,
          let cloud = Cloud.containing(host: host),
          cloud == .public, host != cloud.preferredNetwork, host != cloud.loginHost
        else { return nil }
        let corrected = authority.replacing(writtenHost, with: cloud.preferredNetwork, maxReplacements: 1)
        return finding(
          "`\(host)` is outdated", help: "replace it with `\(cloud.preferredNetwork)`",
          at: value.place,
          fix: TextEdits.replaceValue(value, with: corrected).map {
            .init(description: "replace with `\(cloud.preferredNetwork)`", edits: $0)
          })
      }
    }
  }

  private static let mostKeys = 1000
}

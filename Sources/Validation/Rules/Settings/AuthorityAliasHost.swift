import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AuthorityAliasHost: Rule {
  let id = "authority-alias-host"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    // Of appsettings' Instance and Authority their own rules speak.
    guard file.kind != .appsettings else { return [] }
    return ofADAL(file)
      + file.loadedSettings.compactMap { loaded in
        guard let written = loaded.settings.authority, let parts = URLParts(written.value),
          let writtenHost = parts.host, case let host = writtenHost.lowercased(),
          let cloud = Cloud.containing(host: host)
        else { return nil }
        if let first = parts.segments.first?.lowercased(), first == "tfp" || first == "te" {
          return finding(
            "B2C signs in at <tenant>.b2clogin.com now, not at \(host)", help: "write the tenant's own host",
            at: written.place)
        }
        guard cloud == .public || cloud == .china, host != cloud.preferredNetwork, host != cloud.loginHost else {
          return nil
        }
        let mended = written.value.replacing(writtenHost, with: cloud.preferredNetwork, maxReplacements: 1)
        let edits = file.node(at: written.place).flatMap { node in
          node.string == written.value && SecretPattern.hiding(mended) == mended
            ? TextEdits.replaceValue(node, with: mended) : nil
        }
        return finding(
          "\(host) is an older name of \(cloud.preferredNetwork)", help: "write \(cloud.preferredNetwork)",
          at: written.place, fix: edits.map { .init(description: "write \(cloud.preferredNetwork)", edits: $0) })
      }
  }

  /// Authorities that the Intune SDK and apps themselves read: `ADALAuthority` and its kind.
  private func ofADAL(_ file: ValidatedFile) -> [Diagnostic] {
    guard let root = file.node, [.infoPlist, .authSettings].contains(file.kind) else { return [] }
    let settings = file.kind == .infoPlist ? root["IntuneMAMSettings"] : nil
    return [root, settings].compactMap { $0 }.flatMap { mapping in
      mapping.entries.prefix(Self.mostKeys).compactMap { key, value in
        guard let name = key.string.map(KeySpelling.folded),
          name.hasSuffix("authority") || name.hasSuffix("authorityurl"),
          file.kind == .infoPlist || AppSettings.fields.field(named: key.string ?? "") == nil,
          let written = value.string, let host = URLParts(written)?.host,
          let cloud = Cloud.containing(host: host.lowercased()),
          cloud == .public, host.lowercased() != cloud.preferredNetwork, host.lowercased() != cloud.loginHost
        else { return nil }
        let mended = written.replacing(host, with: cloud.preferredNetwork, maxReplacements: 1)
        return finding(
          "\(host) is an older name of \(cloud.preferredNetwork)", help: "write \(cloud.preferredNetwork)",
          at: value.place,
          fix: TextEdits.replaceValue(value, with: mended).map {
            .init(description: "write \(cloud.preferredNetwork)", edits: $0)
          })
      }
    }
  }

  private static let mostKeys = 1000
}

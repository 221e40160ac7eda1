import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AuthorityEndpoint: Rule {
  let id = "authority-endpoint"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.loadedSettings.compactMap { loaded in
      guard let authorityURL = loaded.settings.authority, let parts = URLReference(valid: authorityURL.value),
        parts.segments.count > 1,
        Self.endpointSegments.contains(parts.segments[1].lowercased()), let host = parts.host,
        Cloud.containing(host: host) != nil, let authority = try? Authority(parsing: authorityURL.value)
      else { return nil }
      let isFixable = !ADALKeys.needsManualMigration(file)
      let edits = file.node(at: authorityURL.place).flatMap { node in
        isFixable && node.string == authorityURL.value ? TextEdits.replaceValue(node, with: authority.url) : nil
      }
      return finding(
        "authority contains an endpoint path", help: "remove everything after the tenant: `\(authority.url)`",
        at: authorityURL.place,
        fix: edits.map { Diagnostic.Fix(description: "replace with `\(authority.url)`", edits: $0) })
    }
  }

  private static let endpointSegments: Set<String> = ["oauth2", "v2.0", "saml2", "wsfed", ".well-known", "discovery"]
}

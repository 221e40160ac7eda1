import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AuthorityEndpoint: Rule {
  let id = "authority-endpoint"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.loadedSettings.compactMap { loaded in
      guard let written = loaded.settings.authority, let parts = URLParts(written.value), parts.segments.count > 1,
        Self.beginnings.contains(parts.segments[1].lowercased()), let host = parts.host,
        Cloud.containing(host: host) != nil, let authority = try? Authority(parsing: written.value)
      else { return nil }
      let isMendable = !ADALKeys.isHeldBack(file)
      let edits = file.node(at: written.place).flatMap { node in
        isMendable && node.string == written.value ? TextEdits.replaceValue(node, with: authority.url) : nil
      }
      return finding(
        "an authority ends with its tenant; this one goes on to an endpoint", help: "write \(authority.url)",
        at: written.place, fix: edits.map { Diagnostic.Fix(description: "write \(authority.url)", edits: $0) })
    }
  }

  private static let beginnings: Set<String> = ["oauth2", "v2.0", "saml2", "wsfed", ".well-known", "discovery"]
}

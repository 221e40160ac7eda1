import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct MSALJSKnownAuthorities: Rule {
  let id = "msal-js-known-authorities"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS, !config.hasOwnMetadata, let authority = config.authority, !authority.isReference,
      TemplatePlaceholder.find(in: authority.value) == nil, DoubledHost(in: authority.value) == nil,
      let host = URLReference(valid: authority.value)?.host,
      host.contains("."), Cloud.containing(host: host) == nil, !Authority.hasCIAMHost(host)
    else { return [] }
    let known = (config.knownAuthorities?.value ?? []).prefix(500)
    guard !known.contains(where: { Self.names(host, $0.value) || $0.isReference }) else { return [] }
    let place = authority.place(of: authority.value[...])
    guard known.isEmpty else {
      return [
        finding(
          "`\(host)` is not in `knownAuthorities`", help: "add `\"\(host)\"` to the list", at: place,
          related: config.knownAuthorities.map { [.init("`knownAuthorities` is here", at: $0.place)] } ?? [])
      ]
    }
    return [
      finding(
        "msal.js does not trust `\(host)` without `knownAuthorities`",
        help: "add `\"knownAuthorities\": [\"\(host)\"]`", at: place, fix: Self.fix(config, host))
    ]
  }

  /// Returns whether an entry refers to the given host. The entry is a host or a complete URL.
  private static func names(_ host: String, _ entry: String) -> Bool {
    let parts = entry.contains("://") ? URLReference(valid: entry) : URLReference(valid: "https://" + entry)
    return parts?.host == host
  }

  private static func fix(_ config: MSALJSConfig, _ host: String) -> Diagnostic.Fix? {
    guard let auth = config.auth, auth["knownAuthorities"] == nil, auth.entry("authority") != nil else { return nil }
    let edits = TextEdits.insertEntry("knownAuthorities", .array([.string(host)]), into: auth, after: "authority")
    return edits.map { .init(description: "add `knownAuthorities`", edits: $0) }
  }
}

import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AndroidAuthorityKind: Rule {
  let id = "android-authority-kind"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  private static let kinds = ["AAD", "B2C", "ADFS", "CIAM"]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.authorities?.value ?? []).prefix(AndroidConfig.mostEntries).flatMap {
      check($0.value, at: $0.place, in: file)
    }
  }

  private func check(
    _ entry: AndroidConfig.AuthorityEntry, at place: FileSpan, in file: ValidatedFile
  ) -> [Diagnostic] {
    guard let type = entry.type else {
      guard entry.url != nil || entry.audience != nil else { return [] }
      return [finding("authority without a type", severity: .warning, help: "add `\"type\": \"AAD\"`", at: place)]
    }
    guard !type.isReference else { return [] }
    guard Self.kinds.contains(type.value) else { return [unknown(type, in: file)] }
    guard let url = entry.url else {
      guard type.value != "AAD" else { return [] }
      return [
        finding(
          "authority of type `\(type.value)` without `authority_url`", help: "add the URL that the portal shows",
          at: type.place)
      ]
    }
    guard !url.isReference, let host = URLReference(valid: url.value)?.host,
      let mismatch = mismatch(type.value, host, url.value)
    else {
      return []
    }
    return [
      finding(
        "type `\(type.value)` does not match: `\(host)` \(mismatch.reason)", severity: mismatch.severity,
        help: mismatch.help,
        at: type.place, related: [.init("the authority URL is here", at: url.place)])
    ]
  }

  private func unknown(_ type: Positioned<String>, in file: ValidatedFile) -> Diagnostic {
    let meant = Self.kinds.first { $0.lowercased() == type.value.lowercased() }
    let suggestion = meant ?? Suggestion.nearest(to: type.value, among: Self.kinds)
    return finding(
      "unknown authority type `\(type.value)`",
      help: suggestion.map { "did you mean `\($0)`?" } ?? "use `AAD`, `B2C`, `ADFS`, or `CIAM`",
      at: type.place,
      fix: meant.flatMap { file.replacing(type, with: $0) })
  }

  private func mismatch(
    _ type: String, _ host: String, _ url: String
  ) -> (reason: String, help: String, severity: Diagnostic.Severity)? {
    let isEntra = Cloud.containing(host: host) != nil
    let (isB2C, isCIAM) = (Authority.hasB2CHost(host), Authority.hasCIAMHost(host))
    switch type {
    case "CIAM" where isEntra:
      return (
        "is a Microsoft Entra ID host", "use `AAD`, or `https://<tenant>.ciamlogin.com` as `authority_url`", .error
      )
    case "CIAM" where isB2C: return ("is an Azure AD B2C host", "use `B2C`", .error)
    case "B2C" where isCIAM: return ("is an External ID host", "use `CIAM`", .error)
    case "AAD" where isB2C: return ("is an Azure AD B2C host", "use `B2C`", .error)
    case "AAD" where isCIAM: return ("is an External ID host", "use `CIAM`", .warning)
    case "ADFS" where isEntra || isB2C || isCIAM:
      return ("is not an AD FS server", "use `AAD`, `B2C`, or `CIAM`", .error)
    case "B2C" where isEntra && !namesPolicy(url):
      return (
        "is a Microsoft Entra ID host", "use `AAD`, or `https://<tenant>.b2clogin.com/…` as `authority_url`",
        .warning
      )
    default: return nil
    }
  }

  /// Returns whether the URL contains a B2C policy. Old tenants can use policies with a Microsoft Entra ID host.
  private func namesPolicy(_ url: String) -> Bool {
    let segments = URLReference(valid: url)?.segments ?? []
    return ["tfp", "te"].contains(segments.first?.lowercased()) || segments.count > 1
  }
}

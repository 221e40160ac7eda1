import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AndroidAuthorityKind: Rule {
  let id = "android-authority-kind"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  private static let kinds = ["AAD", "B2C", "ADFS", "CIAM"]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.authorities?.value ?? []).prefix(AndroidConfig.mostEntries).flatMap {
      judge($0.value, at: $0.place, in: file)
    }
  }

  private func judge(
    _ entry: AndroidConfig.AuthorityEntry, at place: FileSpan, in file: ValidatedFile
  ) -> [Diagnostic] {
    guard let type = entry.type else {
      guard entry.url != nil || entry.audience != nil else { return [] }
      return [finding("the authority has no type", severity: .warning, help: "write \"type\": \"AAD\"", at: place)]
    }
    guard !type.isReference else { return [] }
    guard Self.kinds.contains(type.value) else { return [unknown(type, in: file)] }
    guard let url = entry.url else {
      guard type.value != "AAD" else { return [] }
      return [
        finding(
          "an authority of the type \(type.value) needs its authority_url", help: "name it, as the portal shows it",
          at: type.place)
      ]
    }
    guard !url.isReference, let host = URLParts(url.value)?.host, let misfit = misfit(type.value, host, url.value)
    else {
      return []
    }
    return [
      finding(
        "type is \(type.value), and \(host) is \(misfit.owner)", severity: misfit.severity, help: misfit.help,
        at: type.place, related: [.init("the authority is here", at: url.place)])
    ]
  }

  private func unknown(_ type: Positioned<String>, in file: ValidatedFile) -> Diagnostic {
    let meant = Self.kinds.first { $0.lowercased() == type.value.lowercased() }
    let near = meant ?? Suggestion.nearest(to: type.value, among: Self.kinds)
    return finding(
      "\"\(type.value)\" is no type of authority",
      help: near.map { "did you mean \($0)?" } ?? "write AAD, B2C, ADFS or CIAM",
      at: type.place,
      fix: meant.flatMap { file.replacing(type, with: $0) })
  }

  private func misfit(
    _ type: String, _ host: String, _ url: String
  ) -> (owner: String, help: String, severity: Diagnostic.Severity)? {
    let isEntra = Cloud.containing(host: host) != nil
    let (isB2C, isCIAM) = (Authority.hasB2CHost(host), Authority.hasCIAMHost(host))
    switch type {
    case "CIAM" where isEntra:
      return ("the host of organizations", "write AAD, or https://<tenant>.ciamlogin.com as authority_url", .error)
    case "CIAM" where isB2C: return ("Azure AD B2C's", "write B2C", .error)
    case "B2C" where isCIAM: return ("External ID's", "write CIAM", .error)
    case "AAD" where isB2C: return ("Azure AD B2C's", "write B2C", .error)
    case "AAD" where isCIAM: return ("External ID's", "write CIAM", .warning)
    case "ADFS" where isEntra || isB2C || isCIAM: return ("no AD FS server", "write AAD, B2C or CIAM", .error)
    case "B2C" where isEntra && !namesPolicy(url):
      return ("the host of organizations", "write AAD, or https://<tenant>.b2clogin.com/… as authority_url", .warning)
    default: return nil
    }
  }

  /// B2C's policies were once asked for at the host of organizations.
  private func namesPolicy(_ url: String) -> Bool {
    let segments = URLParts(url)?.segments ?? []
    return ["tfp", "te"].contains(segments.first?.lowercased()) || segments.count > 1
  }
}

import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct StepAuthorityKind: Rule {
  let id = "step-authority-kind"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let kinds = Set(project.settings(of: file).compactMap(\.resolved).map(\.authority.kind))
    guard file.workflow != nil, !kinds.isEmpty, let steps = file.node?["steps"] else { return [] }
    let names = kinds.map(\.rawValue).sorted().joined(separator: "` or `")
    return Self.authorities(in: steps).compactMap { node in
      guard let text = node.string, !Definitions.containsReference(text), let authority = Self.authority(text) else {
        return nil
      }
      guard !kinds.contains(authority.kind), !kinds.contains(.oidc) else { return nil }
      return finding(
        "authority type is `\(authority.kind.rawValue)`, but the app uses `\(names)`",
        help: "use an authority of the same type, or add a second app under `clients`", at: node.place)
    }
  }

  private static func authority(_ text: String) -> Authority? {
    let isB2C = Authority.hasB2CHost(URLReference(valid: text)?.host ?? "")
    return isB2C ? try? Authority(parsing: text, as: .b2c) : try? Authority(parsing: text)
  }

  private static func authorities(in node: Node) -> [Node] {
    var values: [Node] = []
    for element in node.elements { values += authorities(in: element) }
    for (key, value) in node.entries {
      if key.string == "authority" { values.append(value) } else { values += authorities(in: value) }
    }
    return values
  }
}

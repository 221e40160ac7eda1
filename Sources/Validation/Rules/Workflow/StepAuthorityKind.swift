import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct StepAuthorityKind: Rule {
  let id = "step-authority-kind"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let kinds = Set(project.settings(of: file).compactMap(\.resolved).map(\.authority.kind))
    guard file.workflow != nil, !kinds.isEmpty, let steps = file.node?["steps"] else { return [] }
    return Self.authorities(in: steps).compactMap { node in
      guard let text = node.string, !Definitions.holdsReference(text), let authority = Self.authority(text) else {
        return nil
      }
      guard !kinds.contains(authority.kind), !kinds.contains(.oidc) else { return nil }
      return finding(
        "this authority is of the kind \(authority.kind.rawValue), the app's is \(kinds.map(\.rawValue).sorted().joined(separator: " or "))",
        help: "name an authority of the same kind, or a second app under clients", at: node.place)
    }
  }

  private static func authority(_ text: String) -> Authority? {
    let isB2C = Authority.hasB2CHost(URLParts(text)?.host ?? "")
    return isB2C ? try? Authority(parsing: text, as: .b2c) : try? Authority(parsing: text)
  }

  private static func authorities(in node: Node) -> [Node] {
    var found: [Node] = []
    for element in node.elements { found += authorities(in: element) }
    for (key, value) in node.entries {
      if key.string == "authority" { found.append(value) } else { found += authorities(in: value) }
    }
    return found
  }
}

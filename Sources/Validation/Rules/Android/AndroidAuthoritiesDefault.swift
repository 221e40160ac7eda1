import AppRegistration
import Diagnostics
import Documents

struct AndroidAuthoritiesDefault: Rule {
  let id = "android-authorities-default"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let authorities = file.androidConfig?.authorities, let key = file.node?.entry("authorities")?.key else {
      return []
    }
    let defaults = authorities.value.compactMap(\.value.isDefault).filter(\.value)
    if authorities.value.count > 1, defaults.isEmpty {
      return [
        finding(
          "no default authority (\(authorities.value.count) listed)",
          help: "set `\"default\": true` on the authority used for sign-in", at: key.place)
      ]
    }
    guard let first = defaults.first else { return [] }
    return defaults.dropFirst().map {
      finding(
        "more than one default authority", help: "remove `\"default\": true` from all but one authority", at: $0.place,
        related: [.init("the first default is here", at: first.place)])
    }
  }
}

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
          "none of the \(authorities.value.count) authorities is the default",
          help: "write \"default\": true into the one that signs in", at: key.place)
      ]
    }
    guard let first = defaults.first else { return [] }
    return defaults.dropFirst().map {
      finding(
        "another authority is the default already", help: "leave out all but one", at: $0.place,
        related: [.init("the first is here", at: first.place)])
    }
  }
}

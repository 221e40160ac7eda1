import AppRegistration
import Diagnostics
import Documents

struct MSALJSOption: Rule {
  let id = "msal-js-option"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS else { return [] }
    let options: [(Positioned<String>?, String, [String])] = [
      (config.cacheLocation, "cacheLocation", ["sessionStorage", "localStorage", "memoryStorage"]),
      (config.protocolMode, "protocolMode", ["AAD", "OIDC", "EAR"]),
    ]
    return options.flatMap { value, key, allowed in
      value.map { unknownValue($0, key, among: allowed, in: file) } ?? []
    }
  }
}

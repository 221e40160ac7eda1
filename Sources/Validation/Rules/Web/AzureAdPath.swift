import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct AzureAdPath: Rule {
  let id = "azure-ad-path"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.azureAdSections.flatMap(\.paths).compactMap { key, path in
      guard !path.isReference, !path.isBlank, !path.value.hasPrefix("/"),
        TemplatePlaceholder.find(in: path.value) == nil
      else {
        return nil
      }
      let meant = Self.path(path.value)
      return finding(
        "`\(key)` does not start with a slash", help: "use `\(meant ?? "/signin-oidc")`",
        at: path.place(of: path.value[...]),
        fix: meant.flatMap { file.replacing(path, with: $0) })
    }
  }

  /// Returns the intended path, which is the path in a URL or the text with a leading slash.
  private static func path(_ text: String) -> String? {
    guard text.contains("://") else {
      return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) } ? "/" + text : nil
    }
    guard let path = URLReference(valid: text)?.path, path.count > 1 else { return nil }
    return path
  }
}

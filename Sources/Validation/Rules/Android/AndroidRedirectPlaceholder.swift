import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidRedirectPlaceholder: Rule {
  let id = "android-redirect-placeholder"
  let severity = Diagnostic.Severity.error
  let words = "an Android redirect URI still names no package"
  let help = """
    The host of msauth://<package>/<signature hash> is the app's package, which build.gradle calls applicationId. Samples leave it \
    to their readers.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://1️⃣YOUR_PACKAGE_NAME/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D"
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D"
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    configuration(file) + manifest(file)
  }

  private func configuration(_ file: ValidatedFile) -> [Diagnostic] {
    guard let redirect = file.androidConfig?.redirect, !redirect.written.isReference else { return [] }
    let parts =
      redirect.scheme == nil ? [redirect.written.value[...]] : [redirect.scheme, redirect.host].compactMap { $0 }
    for part in parts {
      guard let placeholder = TemplatePlaceholder.find(in: String(part)) else { continue }
      return [say(placeholder, at: redirect.written.place(of: part))]
    }
    return []
  }

  private func manifest(_ file: ValidatedFile) -> [Diagnostic] {
    file.redirectFilters.flatMap { $0.filter.data }.flatMap { [$0.scheme, $0.host] }.compactMap { $0 }.compactMap {
      value in
      guard !value.isFilledIn, let placeholder = TemplatePlaceholder.find(in: value.value) else { return nil }
      return say(placeholder, at: value.place)
    }
  }

  private func say(_ placeholder: Substring, at place: FileSpan) -> Diagnostic {
    finding(
      "the redirect URI still holds a placeholder: \(placeholder)",
      help: "write the app's package, which build.gradle calls applicationId", at: place)
  }
}

import AppRegistration
import Diagnostics
import Documents

struct AndroidRedirectPlaceholder: Rule {
  let id = "android-redirect-placeholder"
  let severity = Diagnostic.Severity.error

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

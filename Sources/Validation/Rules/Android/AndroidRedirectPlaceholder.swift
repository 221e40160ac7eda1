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
    guard let redirect = file.androidConfig?.redirect, !redirect.source.isReference else { return [] }
    let parts =
      redirect.scheme == nil ? [redirect.source.value[...]] : [redirect.scheme, redirect.host].compactMap { $0 }
    for part in parts {
      guard let placeholder = TemplatePlaceholder.find(in: String(part)) else { continue }
      return [report(placeholder, at: redirect.source.place(of: part))]
    }
    return []
  }

  private func manifest(_ file: ValidatedFile) -> [Diagnostic] {
    file.redirectFilters.flatMap { $0.filter.data }.flatMap { [$0.scheme, $0.host] }.compactMap { $0 }.compactMap {
      value in
      guard !value.isResolvedAtBuildTime, let placeholder = TemplatePlaceholder.find(in: value.value) else {
        return nil
      }
      return report(placeholder, at: value.place)
    }
  }

  private func report(_ placeholder: Substring, at place: FileSpan) -> Diagnostic {
    finding(
      "redirect URI contains a placeholder: `\(placeholder)`",
      help: "replace it with the app's package, which is `applicationId` in `build.gradle`", at: place)
  }
}

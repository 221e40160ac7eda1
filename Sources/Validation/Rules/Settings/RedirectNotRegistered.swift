import AppRegistration
import Diagnostics
import Documents

struct RedirectNotRegistered: LoadingRule {
  let rule = SettingsRule.redirectNotRegistered

  /// Returns no findings if the Info.plist rules already report the missing schemes in the Info.plist, where the fix
  /// belongs.
  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let findings = self.findings(in: file)
    guard !findings.isEmpty else { return [] }
    let plists = file.loadedSettings.compactMap(\.settings.infoPlist).compactMap {
      project.file(named: SettingsLoader.path($0.value, relativeTo: $0.place.source.name))
    }
    let isReported = plists.contains { plist in
      let rules: [any Rule] = [QuerySchemesMissing(), URLSchemeNotRegistered(), URLSchemeBundleMismatch()]
      return rules.contains { $0.check(plist, in: project).hasErrors }
    }
    return isReported ? [] : findings
  }
}

import AppRegistration
import Diagnostics
import Documents

struct RedirectNotRegistered: LoadingRule {
  let rule = SettingsRule.redirectNotRegistered

  /// Checks the file. If the project contains the Info.plist, the Info.plist rules report missing schemes at the
  /// location that must be fixed.
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

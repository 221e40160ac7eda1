import AppRegistration
import Diagnostics
import Documents

struct RedirectNotRegistered: LoadingRule {
  let rule = SettingsRule.redirectNotRegistered

  /// Where the Info.plist is looked at too, its own rules tell what it lacks, in the place where it is mended.
  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let told = findings(in: file)
    guard !told.isEmpty else { return [] }
    let plists = file.loadedSettings.compactMap(\.settings.infoPlist).compactMap {
      project.file(named: SettingsLoader.path($0.value, besides: $0.place.source.name))
    }
    let isTold = plists.contains { plist in
      let rules: [any Rule] = [QuerySchemesMissing(), URLSchemeNotRegistered(), URLSchemeBundleMismatch()]
      return rules.contains { $0.check(plist, in: project).hasErrors }
    }
    return isTold ? [] : told
  }
}

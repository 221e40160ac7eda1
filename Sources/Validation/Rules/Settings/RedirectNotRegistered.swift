import AppRegistration
import DeclaredFields
import Diagnostics

struct RedirectNotRegistered: LoadingRule {
  let rule = SettingsRule.redirectNotRegistered
  let words = "the Info.plist does not register the redirect URI's scheme"
  let help = """
    On iOS the scheme must stand in CFBundleURLTypes, and msauthv2 and msauthv3 in LSApplicationQueriesSchemes where a broker may
    answer; otherwise MSAL makes no application object (-42001).
    """
  let bad: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Platform: iOS
    BundleId: com.contoso.app
    RedirectUri: 1️⃣contoso
    """#
  let good: RuleExample = #"""
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    Platform: iOS
    BundleId: com.contoso.app
    """#

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

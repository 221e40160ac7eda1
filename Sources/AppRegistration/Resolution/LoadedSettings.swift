import Diagnostics
import Documents

/// Settings as loaded: what the files say, what MSAL makes of it, and everything that there is to say about them.
package struct LoadedSettings: Sendable {
  package var settings: AppSettings
  /// Nil where an error stands in the way; a failed redirect URI does not.
  package var resolved: ResolvedSettings?
  /// Why MSAL could not make its application object: a run ends before its first step, a scenario may expect it.
  package var failure: ApplicationFailure?
  /// The Info.plist that the settings name.
  package var infoPlist: InfoPlist?
  /// Without the failure's own.
  package var diagnostics: [Diagnostic]

  package init(
    settings: AppSettings, resolved: ResolvedSettings? = nil, failure: ApplicationFailure? = nil,
    infoPlist: InfoPlist? = nil, diagnostics: [Diagnostic]
  ) {
    self.settings = settings
    self.resolved = resolved
    self.failure = failure
    self.infoPlist = infoPlist
    self.diagnostics = diagnostics
  }

  /// Everything to be told, the failure included, in reading order.
  package var allDiagnostics: [Diagnostic] {
    (diagnostics + [failure?.diagnostic].compactMap { $0 }).inReadingOrder()
  }

  /// Whether a run can begin.
  package var isUsable: Bool { resolved != nil && failure == nil && !diagnostics.hasErrors }
}

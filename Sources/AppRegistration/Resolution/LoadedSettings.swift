import Diagnostics
import Documents

/// The result of loading settings: the values in the files, the values that MSAL uses, and all diagnostics.
package struct LoadedSettings: Sendable {
  package var settings: AppSettings
  /// The resolved settings, or nil after an error. An invalid redirect URI does not count as an error here.
  package var resolved: ResolvedSettings?
  /// The error that MSAL's application initializer returns. A run fails before its first step, and a scenario can
  /// expect the error.
  package var failure: ApplicationFailure?
  /// The Info.plist that the settings refer to.
  package var infoPlist: InfoPlist?
  /// All diagnostics except the failure's.
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

  /// All diagnostics including the failure's, in reading order.
  package var allDiagnostics: [Diagnostic] {
    (diagnostics + [failure?.diagnostic].compactMap { $0 }).inReadingOrder()
  }

  /// Whether a run can start.
  package var isUsable: Bool { resolved != nil && failure == nil && !diagnostics.hasErrors }
}

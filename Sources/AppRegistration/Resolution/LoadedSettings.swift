import Diagnostics
import Documents

/// The result of loading settings: the values in the files, the values that MSAL uses, and all diagnostics.
package struct LoadedSettings: Sendable {
  package var settings: AppSettings
  /// Nil after an error. An invalid redirect URI is not such an error.
  package var resolved: ResolvedSettings?
  /// The error of MSAL's application initializer. A run fails before its first step, and a scenario can expect the
  /// error.
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

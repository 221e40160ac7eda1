/// An error that MSAL returns. If the public code is `internal`, the error also has an internal code.
package struct MSALFailure: Error, Hashable, Sendable {
  package var code: MSALErrorCode
  package var internalCode: MSALInternalErrorCode?
  /// The diagnostic message.
  package var message: String
  /// The text after `help:` in a diagnostic.
  package var help: String?

  package init(_ internalCode: MSALInternalErrorCode, _ message: String, help: String? = nil) {
    self.code = .internal
    self.internalCode = internalCode
    self.message = message
    self.help = help
  }

  package init(_ code: MSALErrorCode, _ message: String, help: String? = nil) {
    self.code = code
    self.internalCode = nil
    self.message = message
    self.help = help
  }

  /// The name of the outcome in a workflow, for example `redirectSchemeNotRegistered` or `interactionRequired`.
  package var outcome: String { internalCode?.outcome ?? code.outcome }
}

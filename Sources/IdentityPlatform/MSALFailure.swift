/// An error as MSAL would raise it: the public code, and the internal one where the public says no more than "internal".
package struct MSALFailure: Error, Hashable, Sendable {
  package var code: MSALErrorCode
  package var internalCode: MSALInternalErrorCode?
  /// What is wrong, in one sentence.
  package var words: String
  /// What to do about it.
  package var help: String?

  package init(_ internalCode: MSALInternalErrorCode, _ words: String, help: String? = nil) {
    self.code = .internal
    self.internalCode = internalCode
    self.words = words
    self.help = help
  }

  package init(_ code: MSALErrorCode, _ words: String, help: String? = nil) {
    self.code = code
    self.internalCode = nil
    self.words = words
    self.help = help
  }

  /// The outcome's name in a workflow: `redirectSchemeNotRegistered`, `interactionRequired`.
  package var outcome: String { internalCode?.outcome ?? code.outcome }
}

import DeclaredFields
import Diagnostics
import Documents
import IdentityPlatform

/// A configuration of msal.js written as JSON, as far as it says what settings say.
package struct MSALJSConfig: Sendable {
  package var clientID: Located<String>?
  package var authority: Located<String>?
  package var knownAuthorities: Located<[Located<String>]>?
  package var redirectURI: Located<String>?
  package var postLogoutRedirectURI: Located<String>?
  package var clientCapabilities: Located<[Located<String>]>?

  package init() {}

  /// Reads what stands under `auth`.
  package static func read(_ root: Node, _ problems: inout Problems) -> MSALJSConfig { MSALJSConfig() }
}

import DeclaredFields
import Diagnostics
import Documents
import IdentityPlatform

/// One app registration as a manifest writes it down, whatever dialect the file is in.
package struct AppManifest: Sendable {
  /// How a file spells an app registration.
  package enum Dialect: String, Sendable, CaseIterable {
    /// The portal's manifest: `replyUrlsWithType`, `accessTokenAcceptedVersion`.
    case portal
    /// Microsoft Graph's application object: `web`, `spa`, `publicClient`.
    case graph
    /// Teams Toolkit's `aad.manifest.json`: the portal's or Graph's keys, `${{VARIABLES}}`, permissions by name.
    case teamsToolkit
    /// The `apps.json` of Microsoft's samples: `AppRegistrations` with `x-ms-…` keys.
    case appCreationScripts
    /// The retired Azure AD Graph: `replyUrls`, `availableToOtherTenants`, `objectId`.
    case azureADGraph
    /// A `requiredResourceAccess` list by itself.
    case permissionsOnly
  }

  /// The kind of a redirect URI: which flows it may be used with.
  package enum RedirectKind: String, Sendable, CaseIterable {
    case installedClient = "InstalledClient"
    case web = "Web"
    case spa = "Spa"
  }

  package struct Redirect: Sendable {
    package var uri: Located<String>
    /// Nil where the dialect does not say, or says something unknown.
    package var kind: RedirectKind?
    /// The kind as it is written, where the dialect writes it.
    package var writtenKind: Located<String>?
  }

  package struct Permission: Sendable {
    /// The permission's id, or its name in the dialects that write names.
    package var id: Located<String>
    package var isRole: Bool
  }

  package struct RequiredResource: Sendable {
    /// The API's app id, or its name in the dialects that write names.
    package var resource: Located<String>
    package var permissions: [Permission]
    package var place: Place
  }

  package struct Credential: Sendable {
    /// When it ends, as written.
    package var end: Located<String>?
    package var secretText: Located<String>?
    package var place: Place
  }

  package var dialect: Dialect
  /// The registration as a whole.
  package var node: Node
  package var appID: Located<String>?
  package var objectID: Located<String>?
  package var name: Located<String>?
  package var signInAudience: Located<String>?
  /// `accessTokenAcceptedVersion` or `api.requestedAccessTokenVersion`; the value is nil where null is written.
  package var tokenVersion: Located<Int?>?
  /// `allowPublicClient` or `isFallbackPublicClient`; the value is nil where null is written.
  package var isPublicClient: Located<Bool?>?
  package var redirects: [Redirect] = []
  package var identifierURIs: [Located<String>] = []
  package var issuesIDTokensImplicitly: Located<Bool>?
  package var issuesAccessTokensImplicitly: Located<Bool>?
  /// Nil where the key is absent.
  package var requiredResources: Located<[RequiredResource]>?
  package var passwordCredentials: [Credential] = []
  package var keyCredentials: [Credential] = []

  package init(dialect: Dialect, node: Node) {
    self.dialect = dialect
    self.node = node
  }

  /// Reads every registration that a document holds.
  package static func read(_ root: Node, _ problems: inout Problems) -> [AppManifest] { [] }
}

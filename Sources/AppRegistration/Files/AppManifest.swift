import Diagnostics
import Documents
import IdentityPlatform

/// An app registration from a manifest in any format.
package struct AppManifest: Sendable {
  /// The format of a manifest.
  package enum Dialect: String, Sendable, CaseIterable {
    /// The portal's manifest: `replyUrlsWithType`, `accessTokenAcceptedVersion`.
    case portal
    /// Microsoft Graph's application object: `web`, `spa`, `publicClient`.
    case graph
    /// Teams Toolkit's `aad.manifest.json`: the portal's or Graph's keys, `${{VARIABLES}}`, and permissions by name.
    case teamsToolkit
    /// The `apps.json` and `sample.json` of Microsoft's samples: `AppRegistrations` with `x-ms-…` keys, or `AADApps`.
    case appCreationScripts
    /// The retired Azure AD Graph: `replyUrls`, `availableToOtherTenants`, `objectId`.
    case azureADGraph
    /// A list in the format of `requiredResourceAccess`.
    case permissionsOnly

    /// Whether APIs and permissions may be specified by name.
    package var allowsNames: Bool { self == .teamsToolkit || self == .appCreationScripts }
  }

  /// The platform type of a redirect URI, which determines the allowed flows.
  package enum RedirectKind: String, Sendable, CaseIterable {
    case installedClient = "InstalledClient"
    case web = "Web"
    case spa = "Spa"

    /// The portal's name for the platform.
    package var portalName: String {
      switch self {
      case .installedClient: "mobile and desktop applications"
      case .web: "web"
      case .spa: "single-page application"
      }
    }
  }

  package struct Redirect: Sendable {
    package var uri: Positioned<String>
    /// Nil if the format does not specify a kind, or if the kind is unknown.
    package var kind: RedirectKind?
    /// The kind as written, if the format specifies kinds.
    package var writtenKind: Positioned<String>?
  }

  package struct Permission: Sendable {
    /// The permission's ID, or its name in formats that allow names.
    package var id: Positioned<String>
    /// `Scope` or `Role` as written, or nil if the format has separate lists for scopes and roles, or if the key is
    /// missing.
    package var writtenKind: Positioned<String>?
    package var isRole: Bool
    /// The permission's name in addition to its ID (`x-ms-name`), for readers and for the scripts of Microsoft's
    /// samples.
    package var writtenName: Positioned<String>?
  }

  package struct RequiredResource: Sendable {
    /// The API's app ID, or its name in formats that allow names.
    package var resource: Positioned<String>
    package var permissions: [Permission]
    package var place: FileSpan

    /// Whether the API is Microsoft Graph.
    package var isGraph: Bool {
      let name = resource.value.lowercased()
      return name == WellKnown.graphAppID || name == "microsoft graph"
    }
  }

  /// A permission or role that the app exposes.
  package struct ExposedPermission: Sendable {
    package var id: Positioned<String>?
    package var value: Positioned<String>?
    package var place: FileSpan
  }

  package struct Credential: Sendable {
    /// The start date as written.
    package var start: Positioned<String>?
    /// The end date as written.
    package var end: Positioned<String>?
    /// The secret. Manifests from the service do not contain it.
    package var secretText: Positioned<String>?
    package var place: FileSpan
  }

  /// Values that a sample's script writes to one of the sample's files.
  package struct CodeConfiguration: Sendable {
    package var tokens: [(name: String, value: Positioned<String>)] = []

    package subscript(name: String) -> Positioned<String>? { tokens.first { $0.name == name }?.value }
  }

  package var dialect: Dialect
  /// The registration's root node.
  package var node: Node
  package var appID: Positioned<String>?
  package var objectID: Positioned<String>?
  package var name: Positioned<String>?
  package var signInAudience: Positioned<String>?
  /// `accessTokenAcceptedVersion` or `api.requestedAccessTokenVersion`. The value is nil if the manifest contains null.
  package var tokenVersion: Positioned<Int?>?
  /// Whether the version is a string, which the service rejects.
  package var tokenVersionIsText = false
  /// `allowPublicClient` or `isFallbackPublicClient`. The value is nil if the manifest contains null.
  package var isPublicClient: Positioned<Bool?>?
  package var redirects: [Redirect] = []
  /// The location of the first list of redirect URIs, which can be empty, or nil if the file has no list.
  package var redirectList: FileSpan?
  /// The location and length of the longest list of redirect URIs.
  package var longestRedirectList: (place: FileSpan, count: Int)?
  package var identifierURIs: [Positioned<String>] = []
  package var logoutURL: Positioned<String>?
  package var issuesIDTokensImplicitly: Positioned<Bool>?
  package var issuesAccessTokensImplicitly: Positioned<Bool>?
  /// Nil if the key is missing.
  package var requiredResources: Positioned<[RequiredResource]>?
  /// The IDs of apps and permissions that do not require consent.
  package var preAuthorizedIDs: [Positioned<String>] = []
  package var scopes: [ExposedPermission] = []
  package var appRoles: [ExposedPermission] = []
  package var passwordCredentials: [Credential] = []
  package var keyCredentials: [Credential] = []
  package var codeConfigurations: [CodeConfiguration] = []

  /// The maximum number of entries to read in a list. The service allows 1200 in total.
  package static let mostEntries = 2000

  package init(dialect: Dialect, node: Node) {
    self.dialect = dialect
    self.node = node
  }

  /// The accounts that can sign in, or nil if the value is missing or unknown. Ignores case.
  package var audience: Audience? {
    guard let written = signInAudience?.value.lowercased() else { return nil }
    return Audience.allCases.first { $0.rawValue.lowercased() == written }
  }

  package var allowsPersonalAccounts: Bool { audience?.allowsPersonalAccounts ?? false }

  /// Whether a deployment tool replaces the string: `${{VAR}}`, `{{state.x}}`, `$(x)`, `#{x}#`, or `__X__`.
  package static func isReference(_ text: String) -> Bool {
    Definitions.containsReference(text)
  }

  /// Whether the string is a reference or a placeholder.
  package static func isToBeFilledIn(_ text: String) -> Bool {
    isReference(text) || TemplatePlaceholder.find(in: text) != nil
  }
}

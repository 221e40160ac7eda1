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
    /// The `apps.json` and `sample.json` of Microsoft's samples: `AppRegistrations` with `x-ms-…` keys, or `AADApps`.
    case appCreationScripts
    /// The retired Azure AD Graph: `replyUrls`, `availableToOtherTenants`, `objectId`.
    case azureADGraph
    /// A `requiredResourceAccess` list by itself.
    case permissionsOnly

    /// Whether APIs and permissions may be called by their names.
    package var allowsNames: Bool { self == .teamsToolkit || self == .appCreationScripts }
  }

  /// The kind of a redirect URI: which flows it may be used with.
  package enum RedirectKind: String, Sendable, CaseIterable {
    case installedClient = "InstalledClient"
    case web = "Web"
    case spa = "Spa"

    /// What the portal calls the platform.
    package var words: String {
      switch self {
      case .installedClient: "mobile and desktop applications"
      case .web: "web"
      case .spa: "single-page application"
      }
    }
  }

  package struct Redirect: Sendable {
    package var uri: Positioned<String>
    /// Nil where the dialect does not say, or says something unknown.
    package var kind: RedirectKind?
    /// The kind as it is written, where the dialect writes it.
    package var writtenKind: Positioned<String>?
  }

  package struct Permission: Sendable {
    /// The permission's id, or its name in the dialects that write names.
    package var id: Positioned<String>
    /// `Scope` or `Role` as it is written; nil where the dialect has two lists instead, or nothing is written.
    package var writtenKind: Positioned<String>?
    package var isRole: Bool
    /// What the file calls the permission beside its id (`x-ms-name`): for readers, and for the scripts of Microsoft's samples.
    package var writtenName: Positioned<String>?
  }

  package struct RequiredResource: Sendable {
    /// The API's app id, or its name in the dialects that write names.
    package var resource: Positioned<String>
    package var permissions: [Permission]
    package var place: FileSpan

    /// Whether it is Microsoft Graph.
    package var isGraph: Bool {
      let name = resource.value.lowercased()
      return name == WellKnown.graphAppID || name == "microsoft graph"
    }
  }

  /// A permission or role that the app itself offers.
  package struct ExposedPermission: Sendable {
    package var id: Positioned<String>?
    package var value: Positioned<String>?
    package var place: FileSpan
  }

  package struct Credential: Sendable {
    /// When it begins, as written.
    package var start: Positioned<String>?
    /// When it ends, as written.
    package var end: Positioned<String>?
    /// The secret itself, which a manifest never holds when it comes from the service.
    package var secretText: Positioned<String>?
    package var place: FileSpan
  }

  /// What a sample's script fills into one of its files.
  package struct CodeConfiguration: Sendable {
    package var tokens: [(name: String, value: Positioned<String>)] = []

    package subscript(name: String) -> Positioned<String>? { tokens.first { $0.name == name }?.value }
  }

  package var dialect: Dialect
  /// The registration as a whole.
  package var node: Node
  package var appID: Positioned<String>?
  package var objectID: Positioned<String>?
  package var name: Positioned<String>?
  package var signInAudience: Positioned<String>?
  /// `accessTokenAcceptedVersion` or `api.requestedAccessTokenVersion`; the value is nil where null is written.
  package var tokenVersion: Positioned<Int?>?
  /// Whether the version is written as a text, which the service does not take for a number.
  package var tokenVersionIsText = false
  /// `allowPublicClient` or `isFallbackPublicClient`; the value is nil where null is written.
  package var isPublicClient: Positioned<Bool?>?
  package var redirects: [Redirect] = []
  /// The first of the lists that redirect URIs stand in, empty ones too; nil where the file says nothing about them.
  package var redirectList: FileSpan?
  /// The longest of those lists, and how much it holds.
  package var longestRedirectList: (place: FileSpan, count: Int)?
  package var identifierURIs: [Positioned<String>] = []
  package var logoutURL: Positioned<String>?
  package var issuesIDTokensImplicitly: Positioned<Bool>?
  package var issuesAccessTokensImplicitly: Positioned<Bool>?
  /// Nil where the key is absent.
  package var requiredResources: Positioned<[RequiredResource]>?
  /// The ids of apps, and of permissions, that need no consent.
  package var preAuthorizedIDs: [Positioned<String>] = []
  package var scopes: [ExposedPermission] = []
  package var appRoles: [ExposedPermission] = []
  package var passwordCredentials: [Credential] = []
  package var keyCredentials: [Credential] = []
  package var codeConfigurations: [CodeConfiguration] = []

  /// The entries of a list that are read: the service takes 1200 in all, and what is beyond says nothing new.
  package static let mostEntries = 2000

  package init(dialect: Dialect, node: Node) {
    self.dialect = dialect
    self.node = node
  }

  /// Whose accounts it is for, letter case aside; nil where nothing certain is written.
  package var audience: Audience? {
    guard let written = signInAudience?.value.lowercased() else { return nil }
    return Audience.allCases.first { $0.rawValue.lowercased() == written }
  }

  package var allowsPersonalAccounts: Bool { audience?.allowsPersonalAccounts ?? false }

  /// Whether a text is filled in only when a tool deploys the file: `${{VAR}}`, `{{state.x}}`, `$(x)`, `#{x}#`, `__X__`.
  package static func isReference(_ text: String) -> Bool {
    Definitions.holdsReference(text)
  }

  /// Whether a text stands for another, which a tool or a reader is to fill in.
  package static func isToBeFilledIn(_ text: String) -> Bool {
    isReference(text) || TemplatePlaceholder.find(in: text) != nil
  }
}

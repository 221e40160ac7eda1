/// A Microsoft client that exists in every tenant. Azure Resource Manager and Microsoft Graph preauthorize the client,
/// so users do not see a consent page for the preauthorized permissions.
package struct FirstPartyClient: Hashable, Sendable {
  package let name: String
  package let appID: String
  /// The delegated Microsoft Graph permissions that do not require consent.
  private let graphScopes: [String]

  package static func identified(by appID: String) -> FirstPartyClient? { byID[appID.lowercased()] }

  /// Returns the resource's permissions that do not require consent.
  /// - Parameter resource: The application ID of the resource.
  package func preauthorizedScopes(on resource: String) -> [String] {
    switch resource.lowercased() {
    case WellKnown.graphAppID: graphScopes
    case FirstPartyAPI.azureManagementID: ["user_impersonation"]
    default: []
    }
  }

  /// The redirect URIs of all first-party clients: loopback addresses, and URIs for embedded browsers.
  package var redirectURIs: [String] {
    [
      "http://localhost", "http://127.0.0.1", "https://login.microsoftonline.com/common/oauth2/nativeclient",
      WellKnown.outOfBandRedirect, "ms-appx-web://Microsoft.AAD.BrokerPlugin/\(appID)",
    ]
  }

  private static let toolScopes = [
    "AuditLog.Read.All", "Directory.AccessAsUser.All", "Group.ReadWrite.All", "User.ReadWrite.All",
  ]

  package static let all = [
    FirstPartyClient(
      name: "Microsoft Azure CLI", appID: "04b07795-8ddb-461a-bbee-02f9e1bf7b46", graphScopes: toolScopes),
    FirstPartyClient(
      name: "Microsoft Azure PowerShell", appID: "1950a258-227b-4e31-a9cf-717495945fc2", graphScopes: toolScopes),
    FirstPartyClient(
      name: "Visual Studio", appID: "872cd9fa-d31f-45e0-9eab-6e460a02d1f1",
      graphScopes: ["User.Read", "User.ReadBasic.All", "Directory.AccessAsUser.All"]),
    FirstPartyClient(
      name: "Visual Studio Code", appID: "aebc6443-996d-45c2-90f0-388ff96faa56",
      graphScopes: ["User.Read", "User.ReadBasic.All"]),
  ]

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.appID, $0) })
}

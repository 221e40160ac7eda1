/// A deployment of the Microsoft identity platform with its own hosts, tenants, and Microsoft Graph endpoint.
package enum Cloud: String, Sendable, CaseIterable {
  case `public`
  case usGovernment
  /// The Department of Defense tier. It uses the sign-in hosts of `usGovernment`, but has a separate Graph host.
  case usDoD
  case china
  /// The German cloud that closed in 2021.
  case germany
  /// The instance at `login-us.microsoftonline.com`, which MSAL trusts as a separate cloud.
  case us
  case france
  case delos
  case govSG
  /// Microsoft's preproduction environment.
  case preProduction

  /// The host that MSAL's constant for this cloud instance represents.
  package var loginHost: String {
    switch self {
    case .china: "login.chinacloudapi.cn"
    default: preferredNetwork
    }
  }

  /// The host to which MSAL sends requests.
  package var preferredNetwork: String {
    switch self {
    case .public: "login.microsoftonline.com"
    case .usGovernment, .usDoD: "login.microsoftonline.us"
    case .china: "login.partner.microsoftonline.cn"
    case .germany: "login.microsoftonline.de"
    case .us: "login-us.microsoftonline.com"
    case .france: "login.sovcloud-identity.fr"
    case .delos: "login.sovcloud-identity.de"
    case .govSG: "login.sovcloud-identity.sg"
    case .preProduction: "login.windows-ppe.net"
    }
  }

  /// The host that MSAL writes to token cache entries.
  package var preferredCache: String {
    switch self {
    case .public: "login.windows.net"
    default: preferredNetwork
    }
  }

  /// All hosts of the cloud, as listed by instance discovery.
  package var aliases: [String] {
    switch self {
    case .public: ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"]
    case .usGovernment, .usDoD: ["login.microsoftonline.us", "login.usgovcloudapi.net"]
    case .china: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"]
    case .preProduction: ["login.windows-ppe.net", "sts.windows-ppe.net", "login.microsoft-ppe.com"]
    default: [preferredNetwork]
    }
  }

  /// The Microsoft Graph host, or nil if no host is documented.
  package var graphHost: String? {
    switch self {
    case .public, .us: "graph.microsoft.com"
    case .usGovernment: "graph.microsoft.us"
    case .usDoD: "dod-graph.microsoft.us"
    case .china: "microsoftgraph.chinacloudapi.cn"
    case .germany: "graph.microsoft.de"
    case .france, .delos, .govSG, .preProduction: nil
    }
  }

  /// The name of MSAL's constant for this cloud instance, or nil if MSAL does not define a constant.
  package var instanceName: String? {
    switch self {
    case .public: "MSALAzurePublicCloudInstance"
    case .china: "MSALAzureChinaCloudInstance"
    case .germany: "MSALAzureGermanyCloudInstance"
    case .usGovernment: "MSALAzureUsGovernmentCloudInstance"
    case .france: "MSALAzureFranceCloudInstance"
    case .delos: "MSALAzureDelosCloudInstance"
    case .govSG: "MSALAzureGovSGCloudInstance"
    case .us, .usDoD, .preProduction: nil
    }
  }

  /// `cloud_instance_name` in the discovery document: the login host without its first label.
  package var discoveryName: String {
    String(preferredNetwork.drop { $0 != "." }.dropFirst())
  }

  /// Whether the cloud supports personal accounts. Only the public cloud does.
  package var hasPersonalAccounts: Bool { self == .public }

  /// Returns the cloud that a login host or alias belongs to, ignoring case.
  package static func containing(host: some StringProtocol) -> Cloud? {
    let host = host.lowercased()
    return allCases.first { $0.aliases.contains(host) }
  }

  /// Returns the cloud with this Microsoft Graph host.
  package static func withGraph(host: some StringProtocol) -> Cloud? {
    let host = host.lowercased()
    return allCases.first { $0.graphHost == host }
  }

  /// Whether a host serves Microsoft Graph in any cloud or in its canary environment. Microsoft's client libraries add
  /// tokens only to requests to these hosts.
  package static func isGraph(host: some StringProtocol) -> Bool {
    withGraph(host: host) != nil || host.lowercased() == "canary.graph.microsoft.com"
  }

  /// Parses a cloud name from a settings file: a case name of this enum, or a constant name from MSAL or MSAL.NET.
  package init?(named name: some StringProtocol) {
    let name = name.lowercased()
    if let cloud = Cloud.allCases.first(where: {
      $0.rawValue.lowercased() == name || $0.instanceName?.lowercased() == name
    }) {
      self = cloud
      return
    }
    switch name {
    case "global", "azurepublic", "azurecloud", "azurepubliccloud", "worldwide": self = .public
    case "azurechina", "azurechinacloud", "21vianet": self = .china
    case "azuregermany", "azuregermancloud": self = .germany
    case "azureusgovernment", "usgov", "gcchigh", "gcc-high": self = .usGovernment
    case "dod", "usgovdod": self = .usDoD
    case "bleu": self = .france
    default: return nil
    }
  }
}

/// The hosts that are trusted for instance discovery.
package enum TrustedHosts {
  package static let all = [
    "login.windows.net", "login.microsoftonline.us", "login.chinacloudapi.cn", "login.partner.microsoftonline.cn",
    "login.microsoftonline.de", "login.sovcloud-identity.fr", "login.sovcloud-identity.de",
    "login.sovcloud-identity.sg",
    "login.microsoftonline.com", "login-us.microsoftonline.com", "login.usgovcloudapi.net",
  ]

  package static func contains(_ host: some StringProtocol) -> Bool { all.contains(host.lowercased()) }
}

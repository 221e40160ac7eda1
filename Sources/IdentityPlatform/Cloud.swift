/// A deployment of the identity platform: its own hosts, its own tenants, its own Graph.
package enum Cloud: String, Sendable, CaseIterable {
  case `public`
  case usGovernment
  /// The Department of Defense tier: it signs in where `usGovernment` does and has a Graph of its own.
  case usDoD
  case china
  /// The closed German cloud (until 2021).
  case germany
  /// `login-us.microsoftonline.com`, an instance of its own among the hosts that MSAL trusts.
  case us
  case france
  case delos
  case govSG
  /// Microsoft's own pre-production environment.
  case preProduction

  /// The host that MSAL's cloud instance constant stands for.
  package var loginHost: String {
    switch self {
    case .china: "login.chinacloudapi.cn"
    default: preferredNetwork
    }
  }

  /// The host that requests go to.
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

  /// The host under which the token cache files its records.
  package var preferredCache: String {
    switch self {
    case .public: "login.windows.net"
    default: preferredNetwork
    }
  }

  /// Every host that means this cloud, as instance discovery lists them.
  package var aliases: [String] {
    switch self {
    case .public: ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"]
    case .usGovernment, .usDoD: ["login.microsoftonline.us", "login.usgovcloudapi.net"]
    case .china: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"]
    case .preProduction: ["login.windows-ppe.net", "sts.windows-ppe.net", "login.microsoft-ppe.com"]
    default: [preferredNetwork]
    }
  }

  /// The host of Microsoft Graph; nil where none is documented.
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

  /// Where app registrations are managed; nil where the cloud has none any more, or none is documented.
  package var portalHost: String? {
    switch self {
    case .public, .us: "portal.azure.com"
    case .usGovernment, .usDoD: "portal.azure.us"
    case .china: "portal.azure.cn"
    default: nil
    }
  }

  /// The name of MSAL's cloud instance constant; nil where MSAL has none.
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

  /// `cloud_instance_name` of the discovery document: the login host without its first label.
  package var discoveryName: String {
    String(preferredNetwork.drop { $0 != "." }.dropFirst())
  }

  /// Personal accounts, and registrations that serve them, exist in the public cloud only.
  package var hasPersonalAccounts: Bool { self == .public }

  /// The cloud that a login host belongs to, by any alias; letter case does not matter.
  package static func containing(host: some StringProtocol) -> Cloud? {
    let host = host.lowercased()
    return allCases.first { $0.aliases.contains(host) }
  }

  /// The cloud whose Graph has this host.
  package static func withGraph(host: some StringProtocol) -> Cloud? {
    let host = host.lowercased()
    return allCases.first { $0.graphHost == host }
  }

  /// Whether a host serves Microsoft Graph, in any cloud, or its canary environment. Microsoft's client libraries attach tokens
  /// to requests to these hosts only.
  package static func isGraph(host: some StringProtocol) -> Bool {
    withGraph(host: host) != nil || host.lowercased() == "canary.graph.microsoft.com"
  }

  /// The cloud that a word in a settings file means: the names here, MSAL's constants and MSAL.NET's.
  package init?(named name: some StringProtocol) {
    let word = name.lowercased()
    if let cloud = Cloud.allCases.first(where: {
      $0.rawValue.lowercased() == word || $0.instanceName?.lowercased() == word
    }) {
      self = cloud
      return
    }
    switch word {
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

/// Hosts whose word about other hosts is believed: instance discovery is asked only there.
package enum TrustedHosts {
  package static let all = [
    "login.windows.net", "login.microsoftonline.us", "login.chinacloudapi.cn", "login.partner.microsoftonline.cn",
    "login.microsoftonline.de", "login.sovcloud-identity.fr", "login.sovcloud-identity.de",
    "login.sovcloud-identity.sg",
    "login.microsoftonline.com", "login-us.microsoftonline.com", "login.usgovcloudapi.net",
  ]

  package static func contains(_ host: some StringProtocol) -> Bool { all.contains(host.lowercased()) }
}

import Effects

/// A Microsoft API other than Microsoft Graph that exists in every tenant. Its access tokens have version 1.0.
package struct FirstPartyAPI: Hashable, Sendable {
  package let name: String
  package let appID: String
  /// The identifier URIs, without a trailing slash. A leading `*.` in a host matches any subdomain.
  package let uris: [String]
  /// The delegated permissions that apps commonly request. A directory file can declare other permissions.
  package let scopes: [String]

  /// Returns the API with this application ID or identifier URI, with or without a trailing slash.
  package static func named(_ name: String) -> FirstPartyAPI? {
    let lowercased = name.lowercased()
    if let api = byName[lowercased.hasSuffix("/") ? String(lowercased.dropLast()) : lowercased] { return api }
    guard let url = URLReference(valid: name), url.scheme?.lowercased() == "https", ["", "/"].contains(url.path),
      let host = url.host
    else { return nil }
    return bySuffix.first { host.hasSuffix($0.suffix) && host.count > $0.suffix.count }?.api
  }

  private static let byName: [String: FirstPartyAPI] = {
    var byName: [String: FirstPartyAPI] = [:]
    for api in all {
      for name in [api.appID] + api.uris where !name.contains("*") { byName[name.lowercased()] = api }
    }
    return byName
  }()

  private static let bySuffix: [(suffix: String, api: FirstPartyAPI)] = all.flatMap { api in
    api.uris.compactMap { uri in
      uri.hasPrefix("https://*.") ? (String(uri.dropFirst("https://*".count)), api) : nil
    }
  }

  package static let azureManagementID = "797f4846-ba00-4fd7-ba43-dac1f8f63013"

  package static let all: [FirstPartyAPI] = DataRecord.read(EmbeddedData.text("first-party-apis.txt")).map {
    FirstPartyAPI(
      name: $0.text("name"), appID: $0.text("appID"), uris: $0.list("uris"), scopes: $0.list("scopes"))
  }
}

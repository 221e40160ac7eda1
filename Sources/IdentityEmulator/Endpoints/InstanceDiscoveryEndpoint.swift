import Documents
import Effects
import IdentityPlatform
import OAuth

/// `/common/discovery/instance`: lists the platform's hosts, grouped by cloud.
enum InstanceDiscoveryEndpoint {
  static func response(to exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    guard let text = exchange.query["authorization_endpoint"] else {
      return ErrorResponse(900144, "The request must contain the following parameter: 'authorization_endpoint'.")
        .response(to: exchange)
    }
    let url = URLReference(text)
    guard let host = url.host, isKnown(host, exchange, platform) else {
      return ErrorResponse(50049, "The host of the authority '\(text.prefix(200))' is unknown.").response(to: exchange)
    }
    let tenant = url.segments.first.map(String.init) ?? "common"
    // The authority includes an emulator server's port. Live service authorities do not contain a port.
    let authority = url.authority ?? host
    let version = exchange.query["api-version"]
    let bytes = platform.keys.documents.document(["instance", authority, tenant] + [version].compactMap { $0 }) {
      let metadata = InstanceMetadata(
        tenantDiscoveryEndpoint: "https://\(authority)/\(tenant)/v2.0/.well-known/openid-configuration", clouds: clouds)
      var json = metadata.json
      if let version { json["api-version"] = .string(version) }
      return json.utf8(sortedKeys: false)
    }
    return ResponseBuilder.metadata(bytes, to: exchange)
  }

  private static func isKnown(_ host: String, _ exchange: EmulatorRequest, _ platform: Platform) -> Bool {
    if TrustedHosts.contains(host) || Cloud.containing(host: host) != nil { return true }
    return platform.options.servesEveryHost && host == exchange.host
  }

  /// The clouds, in the order in which the live service returns them.
  private static let clouds = [Cloud.public, .china, .germany, .usGovernment, .us].map {
    InstanceMetadata.Cloud(
      preferredNetwork: $0.preferredNetwork, preferredCache: $0.preferredCache, aliases: $0.aliases)
  }
}

import Directory
import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections

/// `/common/userrealm/{upn}`: whether a username's domain is managed here.
enum UserRealmEndpoint {
  static func answer(_ exchange: Exchange, _ platform: Platform) -> ResponseMessage {
    let username = exchange.segments.count > 2 ? exchange.segments[2] : exchange.query["user"] ?? ""
    let domain = username.split(separator: "@").last.map { $0.lowercased() } ?? ""
    let isManaged = platform.withState { state in
      state.graph.tenants.values.contains { tenant in tenant.domains.contains { $0.lowercased() == domain } }
    }
    var json: JSON = ["ver": "1.0", "account_type": isManaged ? "Managed" : "Unknown", "domain_name": .string(domain)]
    json["cloud_instance_name"] = .string(exchange.cloud.discoveryName)
    json["cloud_audience_urn"] = "urn:federation:MicrosoftOnline"
    return Answer.json(json, to: exchange)
  }
}

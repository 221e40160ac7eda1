import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// `/common/userrealm/{upn}`: returns whether the domain of a username is managed or federated.
enum UserRealmEndpoint {
  static func response(to exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    let username = exchange.segments.count > 2 ? exchange.segments[2] : exchange.query["user"] ?? ""
    let domain = username.split(separator: "@").last.map { $0.lowercased() } ?? ""
    let (tenant, isFederated) = platform.withState { state -> (Tenant?, Bool) in
      let tenant = state.graph.tenants.values.first { tenant in
        (tenant.domains + tenant.federatedDomains).contains { $0.lowercased() == domain }
      }
      return (tenant, tenant?.federatedDomains.contains { $0.lowercased() == domain } ?? false)
    }
    let type = isFederated ? "Federated" : tenant == nil ? "Unknown" : "Managed"
    var json: JSON = ["ver": "1.0", "account_type": .string(type), "domain_name": .string(domain)]
    if isFederated {
      let service = "https://fs.\(domain)/adfs/services/trust"
      json["federation_protocol"] = "WSTrust"
      json["federation_metadata_url"] = .string("\(service)/mex")
      json["federation_active_auth_url"] = .string("\(service)/2005/usernamemixed")
      json["federation_brand_name"] = .string(tenant?.name ?? domain)
    }
    json["cloud_instance_name"] = .string(exchange.cloud.discoveryName)
    json["cloud_audience_urn"] = "urn:federation:MicrosoftOnline"
    return ResponseBuilder.json(json, to: exchange)
  }
}

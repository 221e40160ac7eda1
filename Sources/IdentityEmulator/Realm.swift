import Directory
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// The tenant, and optionally the user flow, at the start of a path.
struct Realm: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Work and personal accounts.
    case common
    /// Work accounts only.
    case organizations
    /// Personal accounts only.
    case consumers
    case tenant(String)
  }

  var kind: Kind
  /// The path segment for URLs in responses: the tenant's GUID, or `common` and similar names.
  var segment: String
  /// The B2C user flow, as spelled in the request.
  var policy: String?
  /// The prefix of endpoint paths: `/{tenant}`, `/{tenant}/{policy}`, or `/tfp/{tenant}/{policy}`.
  var prefix: String

  /// The tenant ID, or nil for `common` and `organizations`.
  var tenantID: String? {
    switch kind {
    case .tenant(let id): id
    case .consumers: Tenant.personalID
    default: nil
    }
  }
}

extension Platform {
  /// Parses the tenant and user flow at the start of the path.
  /// - Returns: The realm and the remaining segments.
  func realm(of exchange: EmulatorRequest) throws(ErrorResponse) -> (realm: Realm, rest: ArraySlice<String>) {
    var segments = exchange.segments[...]
    var isTrustFramework = false
    if segments.first?.lowercased() == "tfp" {
      isTrustFramework = true
      segments = segments.dropFirst()
    }
    guard let first = segments.first else { throw ErrorResponse(90002, "The path does not contain a tenant.") }
    let kind = HostKind(exchange.host)
    let realm = try realm(named: first, host: exchange.host, kind: kind)
    segments = segments.dropFirst()
    guard case .tenant(let id) = realm.kind else { return (realm, segments) }
    let tenant = withState { $0.graph.tenants[id] }
    let isCustomers = kind == .b2c || isTrustFramework || tenant?.effectiveKind == .b2c
    guard isCustomers, let policy = segments.first ?? exchange.query["p"] else { return (realm, segments) }
    let isReservedSegment = ["oauth2", "v2.0", "discovery", ".well-known", "login"].contains(policy.lowercased())
    if isReservedSegment && exchange.query["p"] == nil { return (realm, segments) }
    let name = isReservedSegment ? exchange.query["p"] ?? policy : policy
    try checkUserFlow(named: name, in: id)
    var customers = realm
    customers.policy = name
    customers.prefix = (isTrustFramework ? "/tfp/" : "/") + realm.segment + "/" + name
    return (customers, isReservedSegment ? segments : segments.dropFirst())
  }

  /// Returns the realm for a path segment. Registers an unknown tenant on the fly if allowed.
  func realm(named segment: String, host: String, kind: HostKind?) throws(ErrorResponse) -> Realm {
    switch segment.lowercased() {
    case "common": return Realm(kind: .common, segment: "common", prefix: "/common")
    case "organizations": return Realm(kind: .organizations, segment: "organizations", prefix: "/organizations")
    case "consumers", Tenant.personalID:
      return Realm(kind: .consumers, segment: segment.lowercased(), prefix: "/\(segment.lowercased())")
    default: break
    }
    guard
      // A tenant name consists of letters, digits, hyphens, and dots.
      segment.utf8.allSatisfy({
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46
      }),
      GUIDText.isWellFormed(segment) || segment.contains(".")
    else {
      throw ErrorResponse(
        900023, "The tenant identifier '\(segment.prefix(100))' is neither a GUID nor a domain name.")
    }
    let (tenant, isNew) = withState { state -> (Tenant?, Bool) in
      if let tenant = state.tenant(named: segment) { return (tenant, false) }
      guard state.automaticRegistration.tenants else { return (nil, false) }
      return (state.addTenant(named: segment, kind: kind), true)
    }
    if isNew { notice("tenant `\(segment)` is not in the directory and was registered on the fly") }
    guard let tenant else {
      throw ErrorResponse(90002, "Tenant '\(segment)' was not found; check the tenant ID or domain.")
    }
    if case .login(let cloud)? = kind, !cloud.isSameInstance(as: tenant.cloud) {
      throw ErrorResponse(
        90038, "The tenant '\(segment)' belongs to the cloud '\(tenant.cloud ?? "public")', not to this cloud.")
    }
    return Realm(kind: .tenant(tenant.id), segment: tenant.id.lowercased(), prefix: "/\(tenant.id.lowercased())")
  }

  private func checkUserFlow(named policy: String, in tenantID: String) throws(ErrorResponse) {
    let (isRegistered, isNew) = withState { state -> (Bool, Bool) in
      guard var tenant = state.graph.tenants[tenantID] else { return (false, false) }
      if tenant.userFlows.contains(where: { $0.lowercased() == policy.lowercased() }) { return (true, false) }
      guard state.automaticRegistration.tenants else { return (false, false) }
      tenant.userFlows.append(policy)
      state.graph.tenants[tenantID] = tenant
      return (true, true)
    }
    if isNew { notice("user flow `\(policy)` is not in the directory and was registered on the fly") }
    guard isRegistered else {
      var errorResponse = ErrorResponse.b2c(
        90007, "The policy '\(policy.prefix(100))' does not exist in the tenant.", error: "invalid_request")
      errorResponse.staysOnPage = true
      throw errorResponse
    }
  }
}

extension Cloud {
  /// Whether the hosts of this cloud serve tenants of the named cloud. A tenant without a cloud is available in all
  /// clouds.
  func isSameInstance(as name: String?) -> Bool {
    guard let home = name.flatMap({ Cloud(named: $0) }) else { return true }
    return home.preferredNetwork == preferredNetwork
  }
}

extension PlatformState {
  /// Adds a tenant that is not in the directory. Its members are the users of the first tenant of the same kind.
  mutating func addTenant(named segment: String, kind: HostKind?) -> Tenant {
    var tenant = Tenant()
    let isID = GUIDText.isWellFormed(segment)
    tenant.name = isID ? "Tenant \(segment.prefix(8))" : segment.split(separator: ".").first.map(String.init) ?? segment
    tenant.id = isID ? segment.lowercased() : DerivedID.uuid(of: "tenant", segment.lowercased())
    tenant.domains = isID ? [] : [segment.lowercased()]
    if case .login(let cloud)? = kind, cloud != .public { tenant.cloud = cloud.rawValue }
    switch kind {
    case .b2c: tenant.kind = .b2c
    case .external: tenant.kind = .external
    default: tenant.kind = .work
    }
    graph.tenants[tenant.id] = tenant
    graph.tenantsOnTheFly.append(tenant.id)
    return tenant
  }
}

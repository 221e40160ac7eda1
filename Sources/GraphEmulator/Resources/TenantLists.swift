import Directory
import Documents
import HTTPTypes

/// The read-only lists of a tenant: registrations, roles, domains, licenses, grants, and sign-ins.
enum TenantLists {
  /// The first path segments of requests whose responses need data from outside `GraphState`.
  static let segments: Set<String> = [
    "applications", "serviceprincipals", "oauth2permissiongrants", "auditlogs", "domains", "subscribedskus",
  ]

  typealias Items = @Sendable (GraphRequestContext, TenantRecords, GraphState) -> [JSON]

  static func records(_ call: GraphRequestContext) throws(GraphErrorResponse) -> TenantRecords {
    guard let records = call.records else { throw .resourceNotFound(call.caller.tenantID) }
    return records
  }

  static func collection(_ items: [JSON], _ path: String, type: String) -> GraphCollection {
    GraphCollection(
      items: items, context: path, style: .directory, typeName: "microsoft.graph.\(type)",
      searchPaths: [["displayName"]])
  }

  /// Returns the item that the request path identifies by id or `(appId='…')`, or the number of items for `$count`.
  static func one(_ all: GraphCollection, _ call: GraphRequestContext) throws(GraphErrorResponse) -> GraphResponse {
    let id = call.parameters.first ?? ""
    if id.lowercased() == "$count" { return try all.count(call) }
    let parts = id.split(separator: "=", maxSplits: 1).map { $0.lowercased() }
    let (key, requested) =
      parts.count == 2 ? (parts[0] == "appid" ? "appId" : parts[0], parts[1]) : ("id", id.lowercased())
    guard let item = all.items.first(where: { $0[key]?.string?.lowercased() == requested }) else {
      throw .resourceNotFound(id)
    }
    var one = all
    one.items = []
    return try one.entity(item, call)
  }
}

extension GraphRoute {
  private static let applications = GraphAccess("Application.Read.All", "Directory.Read.All")
  private static let roles = GraphAccess(
    "RoleManagement.Read.Directory", "RoleManagement.ReadWrite.Directory", "Directory.Read.All")
  private static let domains = GraphAccess("Domain.Read.All", "Directory.Read.All")
  private static let licenses = GraphAccess(
    "LicenseAssignment.Read.All", "Organization.Read.All", "Directory.Read.All")
  private static let grants = GraphAccess(
    "DelegatedPermissionGrant.Read.All", "Directory.Read.All", "DelegatedPermissionGrant.ReadWrite.All")
  private static let signIns = GraphAccess("AuditLog.Read.All")

  private static func list(
    _ path: String, _ type: String, _ access: GraphAccess, _ items: @escaping TenantLists.Items
  ) -> [GraphRoute] {
    [
      GraphRoute(.get, .root, path, .directory, needs: access, forApps: access, isForPersonal: false) {
        call, state throws(GraphErrorResponse) in
        let all = items(call, try TenantLists.records(call), state)
        return try TenantLists.collection(all, path, type: type).response(call)
      },
      GraphRoute(.get, .root, path + "/{}", .directory, needs: access, forApps: access, isForPersonal: false) {
        call, state throws(GraphErrorResponse) in
        let all = items(call, try TenantLists.records(call), state)
        return try TenantLists.one(TenantLists.collection(all, path, type: type), call)
      },
    ]
  }

  static let tenantListRoutes: [GraphRoute] =
    list("applications", "application", applications) { _, records, _ in
      records.apps.map { TenantJSON.application($0, records) }
    }
    + list("servicePrincipals", "servicePrincipal", applications) { _, records, _ in
      records.principals.map { TenantJSON.principal($0, records) }
    }
    + list("oauth2PermissionGrants", "oAuth2PermissionGrant", grants) { _, records, _ in
      records.grants.map { TenantJSON.grant($0, records) }
    }
    + list("domains", "domain", domains) { _, records, _ in TenantJSON.domains(records.tenant) }
    + list("subscribedSkus", "subscribedSku", licenses) { _, records, state in
      TenantJSON.subscribedSkus(records.tenant, state.members(of: records.tenant.id))
    }
    + list("auditLogs/signIns", "signIn", signIns) { _, records, state in
      records.signIns.map { TenantJSON.signIn($0, records, state) }
    }
    + directoryRoleRoutes

  private static let directoryRoleRoutes: [GraphRoute] = [
    GraphRoute(.get, .root, "directoryRoles", .directory, needs: roles, forApps: roles, isForPersonal: false) {
      call, _ throws(GraphErrorResponse) in
      try TenantLists.collection([MemberOf.administrator], "directoryRoles", type: "directoryRole").response(call)
    },
    GraphRoute(.get, .root, "directoryRoles/{}", .directory, needs: roles, forApps: roles, isForPersonal: false) {
      call, _ throws(GraphErrorResponse) in
      try TenantLists.one(
        TenantLists.collection([MemberOf.administrator], "directoryRoles", type: "directoryRole"), call)
    },
    GraphRoute(
      .get, .root, "directoryRoles/{}/members", .directory, needs: roles, forApps: roles, isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      let id = call.parameters.first ?? ""
      guard MemberOf.administrator["id"]?.string == id.lowercased() else { throw .resourceNotFound(id) }
      let administrators = state.members(of: call.caller.tenantID).filter { $0.account.user.isAdmin && !$0.isGuest }
      return try DirectoryObjects.users(administrators, call).response(call)
    },
  ]
}

import Directory
import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// `POST /users` and `DELETE /users/{id}`: create and delete accounts.
enum UserLifecycle {
  private static let required = [
    "accountEnabled", "displayName", "mailNickname", "passwordProfile", "userPrincipalName",
  ]

  static func create(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let body = try call.object()
    if let missing = required.first(where: { body.member($0)?.isNull != false }) {
      throw .badRequest("A value is required for property '\(missing)' of resource 'User'.")
    }
    guard let tenant = state.tenants[call.caller.tenantID], let name = body.member("userPrincipalName")?.string,
      let password = body.member("passwordProfile")?.member("password")?.string
    else { throw .badRequest("Invalid value specified for property 'passwordProfile' of resource 'User'.") }
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, name.utf8.count <= 113, !name.contains(where: \.isWhitespace) else {
      throw .badRequest("Invalid value specified for property 'userPrincipalName' of resource 'User'.")
    }
    guard tenant.domains.contains(where: { $0.lowercased() == parts[1].lowercased() }) else {
      throw .badRequest(
        "The domain portion of the userPrincipalName property is invalid. You must use one of the verified domain names "
          + "in your organization.")
    }
    guard !state.accounts.values.contains(where: { $0.user.username.lowercased() == name.lowercased() }) else {
      throw .badRequest("Another object with the same value for property userPrincipalName already exists.")
    }
    guard (8...256).contains(password.count) else {
      throw .badRequest("The specified password does not comply with password complexity requirements.")
    }
    var user = User()
    user.username = name
    user.id = call.randomness.uuid()
    user.password = password
    user.passwordExpired =
      body.member("passwordProfile")?.member("forceChangePasswordNextSignIn")?.bool == false ? nil : true
    user.disabled = body.member("accountEnabled")?.bool == false ? true : nil
    user.mail = body.member("mail")?.string
    user.properties["createdDateTime"] = .string(call.now.rfc3339())
    state.accounts[user.id] = GraphState.Account(user: user, homeTenantID: tenant.id)
    let settled: Set<String> = ["accountenabled", "mailnickname", "passwordprofile", "userprincipalname", "mail"]
    let rest = (body.object ?? [:]).filter { !settled.contains($0.key.lowercased()) && !$0.value.isNull }
    guard let member = state.member(user.id, of: tenant.id) else { throw .resourceNotFound(user.id) }
    let subject = GraphSubject(member: member, isCaller: false)
    do {
      try UserUpdate(.object(rest)).apply(to: subject, &state)
    } catch {
      state.accounts[user.id] = nil
      throw error
    }
    guard let made = state.member(user.id, of: tenant.id) else { throw .resourceNotFound(user.id) }
    var headers = HTTPFields()
    headers[.location] = "\(call.root)/users/\(user.id)"
    return try UserResource.collection([], call).entity(UserResource.json(made), call, status: 201, headers: headers)
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    guard let subject = call.subject else { throw .delegatedOnly }
    guard !subject.member.isGuest else {
      let tenant = state.tenants[call.caller.tenantID]
      state.accounts[subject.accountID.lowercased()]?.user.guestIn.removeAll { name in
        tenant?.isNamed(name) == true || tenant?.name.lowercased() == name.lowercased()
      }
      return .noContent
    }
    state.accounts[subject.accountID.lowercased()] = nil
    return .noContent
  }
}

extension GraphRoute {
  private static let write = GraphAccess("User.ReadWrite.All")
  private static let remove = GraphAccess("User.ReadWrite.All", "User.DeleteRestore.All")

  static let userLifecycleRoutes: [GraphRoute] = [
    GraphRoute(.post, .root, "users", .directory, needs: write, forApps: write, isForPersonal: false) {
      call, state throws(GraphErrorResponse) in try UserLifecycle.create(call, &state)
    },
    GraphRoute(
      .delete, .user, "", .directory, needs: remove, forOthers: remove, forApps: remove, isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in try UserLifecycle.delete(call, &state) },
  ]
}

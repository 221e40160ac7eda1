import Directory
import GraphEmulator
import OAuth
import OrderedCollections

extension SignIn {
  /// Checks that the account can sign in to the tenant and the app, and returns the account's membership in the tenant.
  mutating func checkAccount() throws(Interruption) -> GraphState.Member {
    guard let accountID = flow.accountID, let account = account(accountID) else { throw .error(ErrorResponse(50034)) }
    let user = account.user
    if user.isDisabled {
      throw .error(
        ErrorResponse(
          50057, "The user account '\(user.username)' is disabled.", context: isSilent ? .silent : .standard))
    }
    let tenantID = tenantID(for: account)
    guard accepts(account), let member = platform.withState({ $0.graph.member(accountID, of: tenantID) }) else {
      throw .error(
        .accountNotInTenant(account, from: tenantID, client: request.client, context: isSilent ? .silent : .standard))
    }
    // The v1.0 endpoint does not support personal accounts.
    if flow.isVersion1, account.homeTenantID == Tenant.personalID { throw .error(ErrorResponse(500_201)) }
    guard platform.isAssigned(user, to: request.client) else {
      throw .error(.userNotAssigned(user, to: request.client))
    }
    return member
  }
}

extension Platform {
  /// Whether the user is assigned to the app, or the app does not require user assignment.
  func isAssigned(_ user: User, to client: RegisteredApp) -> Bool {
    guard let assigned = client.assignedUsers else { return true }
    return assigned.contains { $0.lowercased() == user.username.lowercased() }
  }
}

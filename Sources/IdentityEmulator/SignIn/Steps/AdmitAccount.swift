import Directory
import GraphEmulator
import OAuth
import OrderedCollections

// May this account sign in here at all?

extension SignIn {
  /// The account as the tenant sees it.
  mutating func admitAccount() throws(Interruption) -> GraphState.Member {
    guard let accountID = flow.accountID, let account = account(accountID) else { throw .refusal(ErrorResponse(50034)) }
    let user = account.user
    if user.isDisabled {
      throw .refusal(
        ErrorResponse(
          50057, "The user account '\(user.username)' is disabled.", on: isSilent ? .silent : .usual))
    }
    let tenantID = tenantID(for: account)
    guard admits(account), let member = platform.withState({ $0.graph.member(accountID, of: tenantID) }) else {
      throw .refusal(
        .absent(account, from: tenantID, client: request.client, on: isSilent ? .silent : .usual))
    }
    // The older endpoint knows organizations only.
    if flow.isVersion1, account.homeTenantID == Tenant.personalID { throw .refusal(ErrorResponse(500_201)) }
    guard platform.isAssigned(user, to: request.client) else {
      throw .refusal(.unassigned(user, to: request.client))
    }
    return member
  }
}

extension Platform {
  /// Whether the app is for everybody, or for this user by name.
  func isAssigned(_ user: User, to client: RegisteredApp) -> Bool {
    guard let assigned = client.assignedUsers else { return true }
    return assigned.contains { $0.lowercased() == user.username.lowercased() }
  }
}

import Directory
import OAuth
import OrderedCollections

// May this account sign in here at all?

extension SignIn {
  /// The account as the tenant sees it.
  mutating func admitAccount() throws(Interruption) -> GraphState.Member {
    guard let accountID = flow.accountID, let account = account(accountID) else { throw .refusal(Refusal(50034)) }
    let user = account.user
    if user.isDisabled {
      throw .refusal(
        Refusal(
          50057, "The user account '\(user.username)' is disabled.", on: isSilent ? .silent : .usual))
    }
    let tenantID = tenantID(for: account)
    guard admits(account), let member = platform.withState({ $0.graph.member(accountID, of: tenantID) }) else {
      let tenant = platform.withState { $0.graph.tenants[tenantID]?.name } ?? tenantID
      throw .refusal(
        Refusal(
          50020,
          "The account '\(user.username)' does not exist in the tenant '\(tenant)' and cannot use the application '\(request.client.appId)' there. It has to be added as a guest first.",
          on: isSilent ? .silent : .usual))
    }
    // The older endpoint knows organisations only.
    if flow.isVersion1, account.homeTenantID == Tenant.personalID { throw .refusal(Refusal(500_201)) }
    guard platform.isAssigned(user, to: request.client) else {
      throw .refusal(
        Refusal(50105, "The application is for assigned users only, and '\(user.username)' is not one of them."))
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

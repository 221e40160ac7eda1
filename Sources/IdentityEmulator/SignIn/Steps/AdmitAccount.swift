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
          50057, "The user account '\(user.username)' is disabled.", error: isSilent ? "interaction_required" : nil))
    }
    let tenantID = tenantID(for: account)
    guard admits(account), let member = platform.withState({ $0.graph.member(accountID, of: tenantID) }) else {
      let tenant = platform.withState { $0.graph.tenants[tenantID]?.name } ?? tenantID
      throw .refusal(
        Refusal(
          50020,
          "The account '\(user.username)' does not exist in the tenant '\(tenant)' and cannot use the application '\(request.client.appId)' there. It has to be added as a guest first.",
          error: isSilent ? "interaction_required" : nil))
    }
    if let assigned = request.client.assignedUsers,
      !assigned.contains(where: { $0.lowercased() == user.username.lowercased() })
    {
      throw .refusal(
        Refusal(50105, "The application is for assigned users only, and '\(user.username)' is not one of them."))
    }
    return member
  }
}

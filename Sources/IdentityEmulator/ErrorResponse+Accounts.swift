import Directory
import GraphEmulator

// Errors that several endpoints return. Their descriptions contain the same IDs as Entra's descriptions.

extension ErrorResponse {
  /// Returns AADSTS50020: the account belongs to another tenant and is not a guest in the requested tenant.
  static func accountNotInTenant(
    _ account: GraphState.Account, from tenantID: String, client: RegisteredApp,
    context: ErrorTable.Context = .standard
  ) -> ErrorResponse {
    let provider =
      account.homeTenantID == Tenant.personalID
      ? "live.com" : TokenIssuer.version1Issuer(tenantID: account.homeTenantID)
    return ErrorResponse(
      50020,
      "The user account '\(account.user.username)' from identity provider '\(provider)' does not exist in the tenant '\(tenantID)' and cannot access the application '\(client.appId)'(\(client.displayName)) in that tenant; an administrator must first invite the account as a guest.",
      context: context)
  }

  /// Returns AADSTS50105: the app requires user assignment, and the user is not assigned.
  static func userNotAssigned(_ user: User, to client: RegisteredApp) -> ErrorResponse {
    ErrorResponse(
      50105,
      "The signed-in user '\(user.username)' is not assigned to the application '\(client.appId)'(\(client.displayName)), which requires user assignment."
    )
  }

  /// Returns AADSTS9002326: a cross-origin request redeems a grant that was not issued to a single-page redirect URI.
  static func crossOriginRedemption(_ exchange: EmulatorRequest) -> ErrorResponse {
    ErrorResponse(
      9_002_326,
      "Only redirect URIs of the type 'Single-Page Application' allow token requests from other origins. Request origin: '\(exchange.origin ?? "")'."
    )
  }
}

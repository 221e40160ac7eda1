import Directory
import GraphEmulator

// Errors that several endpoints raise, with the ids that Entra names in them.

extension ErrorResponse {
  /// AADSTS50020: the account belongs to another tenant and is not a guest of this one.
  static func absent(
    _ account: GraphState.Account, from tenantID: String, client: RegisteredApp,
    on occasion: ErrorTable.Context = .usual
  ) -> ErrorResponse {
    let provider =
      account.homeTenantID == Tenant.personalID ? "live.com" : TokenIssuer.olderIssuer(tenantID: account.homeTenantID)
    return ErrorResponse(
      50020,
      "The user account '\(account.user.username)' from identity provider '\(provider)' does not exist in the tenant '\(tenantID)' and cannot access the application '\(client.appId)'(\(client.shownName)) there: an administrator must add it as a guest first.",
      on: occasion)
  }

  /// AADSTS50105: the app is for assigned users only.
  static func unassigned(_ user: User, to client: RegisteredApp) -> ErrorResponse {
    ErrorResponse(
      50105,
      "The signed-in user '\(user.username)' is not assigned to the application '\(client.appId)'(\(client.shownName)), which is for assigned users only."
    )
  }

  /// AADSTS9002326: a page redeems a grant of an app without a redirect URI for single-page apps.
  static func foreignOrigin(_ exchange: EmulatorRequest) -> ErrorResponse {
    ErrorResponse(
      9_002_326,
      "Only the 'Single-Page Application' client type may redeem a grant from another origin. Request origin: '\(exchange.origin ?? "")'."
    )
  }
}

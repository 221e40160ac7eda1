import WorkflowModel

/// What goes on inside while a step runs, and what the user at the keyboard sees of it.
package struct StepInternals: Hashable, Sendable {
  /// In a sentence or two.
  package var brief: String
  /// The whole of it, point by point, in the order in which it happens.
  package var points: [String]
  /// What the user sees; nil where that is nothing.
  package var sees: String?

  init(_ brief: String, _ points: [String] = [], sees: String? = nil) {
    self.brief = brief
    self.points = points
    self.sees = sees
  }

  init(_ step: Step) {
    self =
      switch step.action {
      case .loadAccount(let parameters): Self.loadAccount(parameters)
      case .listAccounts: Self.listAccounts
      case .silent(let parameters): Self.silent(parameters)
      case .interactive(let parameters): Self.interactive(parameters)
      case .deviceCode: Self.deviceCode
      case .callGraph: Self.call("Microsoft Graph", retry: step.retry)
      case .callAPI: Self.call("the API", retry: step.retry)
      case .signout(let parameters): Self.signout(parameters)
      case .deviceInfo:
        StepInternals("MSAL asks the device's broker for its mode; where there is none, the mode is default.")
      case .assert: StepInternals("What is known is compared, and nothing is done.")
      case .wait: StepInternals("The clock goes on, on the embedded platform at no cost; tokens age meanwhile.")
      case .simulate:
        StepInternals("Something happens at the service, on the device or to the user; the app is not told.")
      case .use:
        StepInternals("The other workflow runs as if its steps stood here, with the same cache and the same user.")
      case .parallel:
        StepInternals(
          "All members run at the same time. MSAL joins no requests: two silent calls may both redeem the refresh token."
        )
      }
  }
}

// MARK: Accounts

extension StepInternals {
  private static func loadAccount(_ parameters: LoadAccount) -> StepInternals {
    var points = [
      "It takes the account records that this app holds a refresh token for, or that signed in to it, and leaves out whoever signed out of it.",
      "One user's records in several tenants become one account with a tenant profile for each.",
    ]
    if parameters.identifier != nil {
      points.append("The identifier (object id, dot, home tenant) is compared; a name that changed does no harm.")
      return StepInternals(
        "MSAL looks in the token cache for the account of this identifier; nothing leaves the device.", points)
    }
    if parameters.username != nil {
      points.append(
        "The name is the one that the last token brought along; whoever was renamed since is not found by the old one.")
      return StepInternals(
        "MSAL looks in the token cache for an account of this name; nothing leaves the device.", points)
    }
    if parameters.tenantProfileIdentifier != nil {
      points.append("The object id in any of the account's tenants is enough.")
      return StepInternals(
        "MSAL looks in the token cache for an account with this object id; nothing leaves the device.", points)
    }
    if parameters.first == true {
      points.append("Of several accounts the first is taken, whoever that is.")
      return StepInternals(
        "MSAL reads the accounts from the token cache and takes the first; nothing leaves the device.", points)
    }
    points.append("Of several accounts MSAL chooses none: that is ambiguousAccount (-42102).")
    points.append("Whether the account's tokens are still good is not looked at.")
    return StepInternals(
      "MSAL looks in the token cache for the one account of this app; nothing leaves the device.", points)
  }

  private static let listAccounts = StepInternals(
    "MSAL reads all accounts of this app from the token cache; nothing leaves the device.",
    [
      "Accounts that signed out of this app are left out, unless returnOnlySignedInAccounts says otherwise.",
      "One user's records in several tenants become one account with a tenant profile for each.",
    ])

  private static func signout(_ parameters: SignOut) -> StepInternals {
    var points = [
      "The tokens that this app holds for the account are removed, in all tenants; the account's record stays, marked as signed out.",
      "Nothing is revoked: an access token that somebody copied stays good until it ends.",
    ]
    var brief = "MSAL removes the account's tokens from this app's cache. The service and other apps are not told."
    var sees: String?
    if parameters.wipeAccount != nil {
      points.append("wipeAccount: the account is removed for every app of the keychain group.")
      brief = "MSAL removes the account's tokens, of every app in the keychain group."
    }
    if parameters.wipeCacheForAllAccounts != nil {
      points.append("wipeCacheForAllAccounts: the whole cache is emptied, everybody's tokens with it.")
      brief = "MSAL empties the cache, of all accounts."
    }
    if parameters.signoutFromBrowser != nil {
      points.append(
        "signoutFromBrowser: the service's sign-out page is opened, after the tokens are gone; closing it is no failure."
      )
      brief += " Then the browser's session is ended at the service's page."
      sees = "the service's sign-out page."
    }
    return StepInternals(brief, points, sees: sees)
  }
}

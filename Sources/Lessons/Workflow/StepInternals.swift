import WorkflowModel

/// A description of the actions in a step and the pages that the user sees.
package struct StepInternals: Hashable, Sendable {
  /// A summary in one or two sentences.
  package var summary: String
  /// The actions in order.
  package var details: [String]
  /// A description of the pages that the user sees, or nil.
  package var pages: String?

  init(_ summary: String, _ details: [String] = [], pages: String? = nil) {
    self.summary = summary
    self.details = details
    self.pages = pages
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
        StepInternals("MSAL gets the mode from the device's broker. Without a broker, the mode is default.")
      case .assert: StepInternals("The step compares values and has no effect.")
      case .wait:
        StepInternals(
          "The clock advances, so tokens get closer to their expiry. On the emulator, the step does not wait.")
      case .simulate:
        StepInternals("An event changes the service, the device, or the user. The app is not notified.")
      case .use:
        StepInternals("The steps of the other workflow run here, with the same cache and the same user.")
      case .parallel:
        StepInternals(
          "All members run at the same time. MSAL does not combine requests: two silent requests can both redeem the refresh token."
        )
      }
  }
}

// MARK: Accounts

extension StepInternals {
  private static func loadAccount(_ parameters: LoadAccount) -> StepInternals {
    var details = [
      "The list includes accounts that have a refresh token for this app or signed in to it, but not accounts that signed out.",
      "A user's records in several tenants become one account with several tenant profiles.",
    ]
    if parameters.identifier != nil {
      details.append(
        "MSAL compares the identifier (object ID, dot, home tenant), which does not change with the username.")
      return StepInternals(
        "MSAL looks in the token cache for the account with this identifier. It does not send requests.", details)
    }
    if parameters.username != nil {
      details.append(
        "MSAL caches the username from the last token, so it finds a renamed account only by the new name.")
      return StepInternals(
        "MSAL looks in the token cache for an account with this username. It does not send requests.", details)
    }
    if parameters.tenantProfileIdentifier != nil {
      details.append("The object ID can come from any of the account's tenants.")
      return StepInternals(
        "MSAL looks in the token cache for an account with this object ID. It does not send requests.", details)
    }
    if parameters.first == true {
      details.append("If there are several accounts, MSAL returns the first one.")
      return StepInternals(
        "MSAL reads the accounts from the token cache and returns the first. It does not send requests.", details)
    }
    details.append("If there are several accounts, MSAL fails with ambiguousAccount (-42102).")
    details.append("MSAL does not check whether the account's tokens are valid.")
    return StepInternals(
      "MSAL looks in the token cache for this app's only account. It does not send requests.", details)
  }

  private static let listAccounts = StepInternals(
    "MSAL reads all accounts of this app from the token cache. It does not send requests.",
    [
      "Accounts that signed out of this app are excluded, unless returnOnlySignedInAccounts is false.",
      "A user's records in several tenants become one account with several tenant profiles.",
    ])

  private static func signout(_ parameters: SignOut) -> StepInternals {
    var details = [
      "MSAL removes this app's tokens for the account in all tenants. The account record remains but is marked as signed out.",
      "MSAL does not revoke tokens. A copied access token remains valid until it expires.",
    ]
    var summary =
      "MSAL removes the account's tokens from this app's cache. The service and other apps are not notified."
    var pages: String?
    if parameters.wipeAccount != nil {
      details.append("wipeAccount: removes the account for all apps in the keychain group.")
      summary = "MSAL removes the account's tokens for all apps in the keychain group."
    }
    if parameters.wipeCacheForAllAccounts != nil {
      details.append("wipeCacheForAllAccounts: removes the tokens of all accounts.")
      summary = "MSAL removes the tokens of all accounts from the cache."
    }
    if parameters.signoutFromBrowser != nil {
      details.append(
        "signoutFromBrowser: opens the sign-out page after the tokens are removed. Closing the page is not a failure."
      )
      summary += " Then the sign-out page ends the browser session."
      pages = "the service's sign-out page."
    }
    return StepInternals(summary, details, pages: pages)
  }
}

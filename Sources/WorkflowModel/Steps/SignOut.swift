import Documents
import OrderedCollections

/// A step that signs out an account.
package struct SignOut: Sendable {
  package enum Accounts: String, Sendable, CaseIterable {
    case current, all
  }

  package var signoutFromBrowser: Resolvable<Bool>?
  package var wipeAccount: Resolvable<Bool>?
  package var wipeCacheForAllAccounts: Resolvable<Bool>?
  package var accounts: Accounts?
  package var account: Resolvable<String>?
  package var authority: Resolvable<String>?
  package var correlationId: Resolvable<String>?
  package var webview: Resolvable<WebviewType>?
  package var prefersEphemeralWebBrowserSession: Resolvable<Bool>?
  package var extraQueryParameters: Resolvable<OrderedDictionary<String, String>>?
}

extension StepKind {
  static let signout = StepKind(
    "signout", "sign-out of an account in this app", .usesNetwork,
    outcomes: [
      .success("the account is signed out"),
      Outcome(.notFound, .neutral, "no account was signed in"),
      .interactionRequired, .serverProtectionPoliciesRequired, .userCanceled, .resetPasswordRequired,
    ] + Outcome.internalErrors + [
      .invalidState, .interactiveSessionAlreadyRunning, .noViewController,
    ],
    syntax: .parameters(SignOut(), SignOut.fields) { .signout($0) })
}

extension SignOut {
  package static let fields = Fields<SignOut>(
    "`signout`",
    [
      Field(
        "signoutFromBrowser", Codec<Bool>.bool.resolvable, into: { $0.signoutFromBrowser = $1 }, default: false,
        "whether to also end the browser session"),
      Field(
        "wipeAccount", Codec<Bool>.bool.resolvable, into: { $0.wipeAccount = $1 }, default: false,
        "whether to also remove the account from all apps in the keychain group"),
      Field(
        "wipeCacheForAllAccounts", Codec<Bool>.bool.resolvable, into: { $0.wipeCacheForAllAccounts = $1 },
        default: false,
        "whether to remove the data of all accounts"),
      Field(
        "accounts", .enumeration(Accounts.self), into: { $0.accounts = $1 }, default: "current",
        "accounts to sign out"),
      .account { $0.account = $1 },
      Field(
        "authority", Codec<String>.nonEmptyString.resolvable, into: { $0.authority = $1 },
        "authority whose end-session page is opened (default: the authority in the settings)"),
      .correlationID { $0.correlationId = $1 },
      .webview(into: { $0.webview = $1 }),
      .prefersEphemeralSession(into: { $0.prefersEphemeralWebBrowserSession = $1 }),
      Field(
        "extraQueryParameters", Codec<OrderedDictionary<String, String>>.stringMap.resolvable,
        into: { $0.extraQueryParameters = $1 }, "additional query parameters for the end-session URL"),
    ])
}

import Documents
import OrderedCollections

/// Signs an account out of this app.
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
    "signout", "forgets the account in this app", usesNetwork: true,
    outcomes: [
      .success("nobody is signed in any more"),
      Outcome("notFound", .neutral, "nobody was signed in"),
      Outcome("interactionRequired", "the server asks for more than this request may show (-50002)"),
      .serverProtectionPoliciesRequired, .userCanceled, .resetPasswordRequired,
    ] + Outcome.silentInternals + Outcome.grantInternals + [
      .invalidState, .interactiveSessionAlreadyRunning, .noViewController,
    ],
    empty: SignOut(), fields: SignOut.fields
  ) { .signout($0) }
}

extension SignOut {
  package static let fields = Fields<SignOut>(
    "signout",
    [
      Field(
        "signoutFromBrowser", Codec<Bool>.bool.resolvable, into: \.signoutFromBrowser, default: false,
        "also ends the browser's session"),
      Field(
        "wipeAccount", Codec<Bool>.bool.resolvable, into: \.wipeAccount, default: false,
        "also removes the account of all apps in the keychain group"),
      Field(
        "wipeCacheForAllAccounts", Codec<Bool>.bool.resolvable, into: \.wipeCacheForAllAccounts, default: false,
        "removes everything of all accounts"),
      Field(
        "accounts", .enumeration(Accounts.self), into: \.accounts, default: "current", "which accounts: current or all"),
      Field(
        "account", Codec<String>.nonEmptyString.resolvable, into: \.account,
        "the account, by identifier or username; the current one by default"),
      Field(
        "authority", Codec<String>.nonEmptyString.resolvable, into: \.authority,
        "whose end-session page is opened; the settings' authority by default"),
      Field(
        "correlationId", Codec<String>.uuid.resolvable, into: \.correlationId,
        "the request's correlation id; a fresh one by default"),
      .webview(into: \.webview),
      .prefersEphemeralSession(into: \.prefersEphemeralWebBrowserSession),
      Field(
        "extraQueryParameters", Codec<OrderedDictionary<String, String>>.stringMap.resolvable,
        into: \.extraQueryParameters, "sent along on the end-session URL"),
    ])
}

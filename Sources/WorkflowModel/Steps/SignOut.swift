import DeclaredFields
import Documents

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
  package var extraQueryParameters: Resolvable<JSON>?
}

extension StepKind {
  static let signout = StepKind(
    "signout", "forgets the account in this app", usesNetwork: true,
    outcomes: [
      .success("nobody is signed in any more"),
      Outcome("notFound", .neutral, "nobody was signed in"),
      Outcome("invalidParameter", .internalFailure, "the parameters contradict each other (-42000)"),
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
        "extraQueryParameters", Codec<JSON>.any.resolvable, into: \.extraQueryParameters,
        "sent along on the end-session URL"),
    ])
}

import Documents

/// A step that lists all accounts in the app's token cache, including their tenant profiles.
package struct ListAccounts: Sendable {
  package var identifier: Resolvable<String>?
  package var tenantProfileIdentifier: Resolvable<String>?
  package var username: Resolvable<String>?
  package var returnOnlySignedInAccounts: Resolvable<Bool>?
}

extension StepKind {
  static let listAccounts = StepKind(
    "listAccounts", "list of the accounts in the token cache, including their tenant profiles",
    outcomes: [
      Outcome(.found, .success, "there is at least one account"),
      Outcome(.notFound, .neutral, "there are no accounts"),
      .invalidParameter, .unexpected,
    ],
    syntax: .parameters(ListAccounts(), ListAccounts.fields) { .listAccounts($0) })
}

extension ListAccounts {
  package static let fields = Fields<ListAccounts>(
    "`listAccounts`",
    [
      Field(
        "identifier", Codec<String>.nonEmptyString.resolvable, into: { $0.identifier = $1 },
        "home account ID to filter by"),
      Field(
        "tenantProfileIdentifier", Codec<String>.nonEmptyString.resolvable, into: { $0.tenantProfileIdentifier = $1 },
        "the user's object ID in any tenant, to filter by"),
      Field(
        "username", Codec<String>.nonEmptyString.resolvable, into: { $0.username = $1 },
        "username to filter by"),
      .returnOnlySignedInAccounts { $0.returnOnlySignedInAccounts = $1 },
    ])
}

import Documents

/// All accounts that this app sees, with their tenant profiles.
package struct ListAccounts: Sendable {
  package var identifier: Resolvable<String>?
  package var tenantProfileIdentifier: Resolvable<String>?
  package var username: Resolvable<String>?
  package var returnOnlySignedInAccounts: Resolvable<Bool>?
}

extension StepKind {
  static let listAccounts = StepKind(
    "listAccounts", "the accounts that this app sees, with their tenant profiles",
    outcomes: [
      Outcome("found", .success, "there is at least one"),
      Outcome("notFound", .neutral, "there is none"),
      .invalidParameter, .unexpected,
    ],
    empty: ListAccounts(), fields: ListAccounts.fields
  ) { .listAccounts($0) }
}

extension ListAccounts {
  package static let fields = Fields<ListAccounts>(
    "listAccounts",
    [
      Field(
        "identifier", Codec<String>.nonEmptyString.resolvable, into: \.identifier,
        "only the account with this home account id"),
      Field(
        "tenantProfileIdentifier", Codec<String>.nonEmptyString.resolvable, into: \.tenantProfileIdentifier,
        "only accounts with this object id in some tenant"),
      Field("username", Codec<String>.nonEmptyString.resolvable, into: \.username, "only accounts with this username"),
      Field(
        "returnOnlySignedInAccounts", Codec<Bool>.bool.resolvable, into: \.returnOnlySignedInAccounts, default: true,
        "whether accounts that signed out are left out"),
    ])
}

import Documents

/// A step that loads the current account or a specific account.
package struct LoadAccount: Sendable {
  package var identifier: Resolvable<String>?
  package var username: Resolvable<String>?
  package var tenantProfileIdentifier: Resolvable<String>?
  package var returnOnlySignedInAccounts: Resolvable<Bool>?
  package var first: Bool?
}

extension StepKind {
  static let loadAccount = StepKind(
    "loadAccount", "selection of a cached account for the following steps",
    outcomes: [
      Outcome(.found, .success, "the account was found"),
      Outcome(.notFound, .failure, .fallback, "the account was not found"),
      Outcome(.ambiguousAccount, "several accounts match, and the step does not select one (-42102)"),
      Outcome(.invalidParameter, "the identifier or username is empty (-42000)"),
      .unexpected,
    ],
    syntax: .parameters(
      LoadAccount(), LoadAccount.fields,
      check: { parameters, node, _, problems in
        let selectors = [
          parameters.identifier != nil, parameters.username != nil, parameters.tenantProfileIdentifier != nil,
          parameters.first == true,
        ].count { $0 }
        guard selectors > 1 else { return true }
        problems.error(
          "contradiction",
          "only one of `identifier`, `username`, `tenantProfileIdentifier`, and `first` can be used",
          help: "remove all but one", at: node)
        return false
      }
    ) { .loadAccount($0) })
}

extension LoadAccount {
  package static let fields = Fields<LoadAccount>(
    "`loadAccount`",
    [
      Field(
        "identifier", Codec<String>.string.resolvable, into: { $0.identifier = $1 },
        "home account ID, as in `$.identifier`"),
      Field("username", Codec<String>.string.resolvable, into: { $0.username = $1 }, "user principal name"),
      Field(
        "tenantProfileIdentifier", Codec<String>.string.resolvable, into: { $0.tenantProfileIdentifier = $1 },
        "the user's object ID in any tenant, as in `$.tenantProfiles[0].identifier`"),
      .returnOnlySignedInAccounts { $0.returnOnlySignedInAccounts = $1 },
      Field(
        "first", .bool, into: { $0.first = $1 }, default: false, "whether to use the first account if several match"
      ),
    ])
}

import Documents

/// The current account, or the one that is named.
package struct LoadAccount: Sendable {
  package var identifier: Resolvable<String>?
  package var username: Resolvable<String>?
  package var tenantProfileIdentifier: Resolvable<String>?
  package var returnOnlySignedInAccounts: Resolvable<Bool>?
  package var first: Bool?
}

extension StepKind {
  static let loadAccount = StepKind(
    "loadAccount", "the account that the next steps are for",
    outcomes: [
      Outcome("found", .success, "there is such an account"),
      Outcome("notFound", .failure, .fallback, "nobody is known here"),
      Outcome("ambiguousAccount", .internalFailure, "there are several, and none was named (-42102)"),
      Outcome("invalidParameter", .internalFailure, "an empty identifier or username (-42000)"),
      .unexpected,
    ],
    empty: LoadAccount(), fields: LoadAccount.fields,
    check: { account, node, _, problems in
      let said = [
        account.identifier != nil, account.username != nil, account.tenantProfileIdentifier != nil,
        account.first == true,
      ].count { $0 }
      guard said > 1 else { return true }
      problems.error(
        "contradiction", "identifier, username, tenantProfileIdentifier and first exclude each other",
        help: "say one of them", at: node)
      return false
    }
  ) { .loadAccount($0) }
}

extension LoadAccount {
  package static let fields = Fields<LoadAccount>(
    "loadAccount",
    [
      Field(
        "identifier", Codec<String>.string.resolvable, into: \.identifier, "the home account id, as in $.identifier"),
      Field("username", Codec<String>.string.resolvable, into: \.username, "the user principal name"),
      Field(
        "tenantProfileIdentifier", Codec<String>.string.resolvable, into: \.tenantProfileIdentifier,
        "the object id in some tenant, as in $.tenantProfiles[0].identifier"),
      Field(
        "returnOnlySignedInAccounts", Codec<Bool>.bool.resolvable, into: \.returnOnlySignedInAccounts, default: true,
        "whether accounts that signed out are left out"),
      Field("first", .bool, into: \.first, default: false, "of several, the first"),
    ])
}

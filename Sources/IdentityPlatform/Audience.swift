/// Whose accounts an app is for: MSAL's audience types, and `signInAudience` of a registration.
package enum Audience: String, Sendable, CaseIterable {
  case myOrg = "AzureADMyOrg"
  case multipleOrgs = "AzureADMultipleOrgs"
  case orgsAndPersonal = "AzureADandPersonalMicrosoftAccount"
  case personal = "PersonalMicrosoftAccount"

  /// The audience that a word means, whichever library's spelling it is.
  package init?(named name: some StringProtocol) {
    switch name.lowercased() {
    case "azureadmyorg", "azureadmyorgonly": self = .myOrg
    case "azureadmultipleorgs": self = .multipleOrgs
    case "azureadandpersonalmicrosoftaccount": self = .orgsAndPersonal
    case "personalmicrosoftaccount": self = .personal
    default: return nil
    }
  }

  /// The tenant segment of the authority; nil where the audience is one organization, which must be named.
  package var tenantSegment: String? {
    switch self {
    case .myOrg: nil
    case .multipleOrgs: "organizations"
    case .orgsAndPersonal: "common"
    case .personal: "consumers"
    }
  }

  package var allowsPersonalAccounts: Bool { self == .orgsAndPersonal || self == .personal }
  package var allowsWorkAccounts: Bool { self != .personal }
}

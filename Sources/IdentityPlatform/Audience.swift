/// The types of accounts that an app supports, as in MSAL's audience types and `signInAudience` in the app manifest.
package enum Audience: String, Sendable, CaseIterable {
  case myOrg = "AzureADMyOrg"
  case multipleOrgs = "AzureADMultipleOrgs"
  case orgsAndPersonal = "AzureADandPersonalMicrosoftAccount"
  case personal = "PersonalMicrosoftAccount"

  /// Parses an audience as any MSAL library spells it, ignoring case.
  package init?(named name: some StringProtocol) {
    switch name.lowercased() {
    case "azureadmyorg", "azureadmyorgonly": self = .myOrg
    case "azureadmultipleorgs": self = .multipleOrgs
    case "azureadandpersonalmicrosoftaccount": self = .orgsAndPersonal
    case "personalmicrosoftaccount": self = .personal
    default: return nil
    }
  }

  /// The tenant segment in the authority's path, or nil for a single organization, which requires a tenant ID.
  package var tenantSegment: String? {
    switch self {
    case .myOrg: nil
    case .multipleOrgs: "organizations"
    case .orgsAndPersonal: "common"
    case .personal: "consumers"
    }
  }

  package var allowsPersonalAccounts: Bool { self == .orgsAndPersonal || self == .personal }
}

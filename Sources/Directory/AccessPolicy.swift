/// Conditional access in miniature: what a sign-in of some users to some apps must satisfy.
package struct AccessPolicy: Hashable, Sendable {
  package enum Requirement: String, Hashable, Sendable, CaseIterable {
    /// A second factor (AADSTS50076, AADSTS50079 where none is registered).
    case mfa
    /// A device that is managed and compliant (AADSTS53000); no emulated device is.
    case compliantDevice
    /// A device that is joined to the domain (AADSTS53001); no emulated device is.
    case domainJoinedDevice
    /// A device that is managed (AADSTS530003); no emulated device is.
    case managedDevice
    /// A check by somebody else's service (AADSTS50158); the sign-in pages stand in for it.
    case externalControl
    /// An app under Intune's protection (AADSTS53005); no emulated app is.
    case approvedApp
    /// A new password (AADSTS50125).
    case passwordChange
    /// Nobody comes in (AADSTS53003).
    case block
  }

  /// Where the requirement is asked for.
  package enum Challenge: String, Hashable, Sendable, CaseIterable {
    /// At sign-in and at every refresh: the usual place.
    case signIn
    /// By the API, which answers 401 with a claims challenge until a token says that the requirement is met.
    case claims
  }

  /// Everybody, or those listed.
  package enum Selection: Hashable, Sendable {
    case all
    case listed([String])

    /// Whether one of the given spellings is chosen, regardless of case.
    package func contains(anyOf names: [String]) -> Bool {
      switch self {
      case .all: true
      case .listed(let list):
        list.contains { entry in names.contains { $0.lowercased() == entry.lowercased() } }
      }
    }
  }

  package var name = ""
  /// The policy's GUID, which `capolids` claims carry; derived from tenant and name where it is left out.
  package var id = ""
  package var users = Selection.all
  /// Client ids, or ids and URIs of APIs.
  package var apps = Selection.all
  package var require: Requirement?
  /// The longest time since the user last proved who they are.
  package var signInFrequency: Duration?
  package var challengeWith: Challenge?

  package init() {}
}

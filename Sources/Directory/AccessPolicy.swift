/// A simplified conditional access policy: a requirement for sign-ins of some users to some apps.
package struct AccessPolicy: Hashable, Sendable {
  package enum Requirement: String, Hashable, Sendable, CaseIterable {
    /// Multi-factor authentication (AADSTS50076, or AADSTS50079 if the user has no second factor).
    case mfa
    /// A managed and compliant device (AADSTS53000). No emulated device meets this.
    case compliantDevice
    /// A domain-joined device (AADSTS53001). No emulated device meets this.
    case domainJoinedDevice
    /// A managed device (AADSTS530003). No emulated device meets this.
    case managedDevice
    /// An external control (AADSTS50158). The sign-in pages of the emulator simulate it.
    case externalControl
    /// An app with Intune protection (AADSTS53005). No emulated app meets this.
    case approvedApp
    /// A password change (AADSTS50125).
    case passwordChange
    /// Blocks every sign-in (AADSTS53003).
    case block
  }

  /// When the policy is evaluated.
  package enum Challenge: String, Hashable, Sendable, CaseIterable {
    /// At each sign-in and refresh.
    case signIn
    /// At the API, which returns 401 with a claims challenge until the token meets the requirement.
    case claims
  }

  /// All entries, or the listed ones.
  package enum Selection: Hashable, Sendable {
    case all
    case listed([String])

    /// Whether the selection contains one of the names, regardless of case.
    package func contains(anyOf names: [String]) -> Bool {
      switch self {
      case .all: true
      case .listed(let list):
        list.contains { entry in names.contains { $0.lowercased() == entry.lowercased() } }
      }
    }
  }

  package var name = ""
  /// The policy's GUID, for `capolids` claims. By default derived from the tenant and the name.
  package var id = ""
  package var users = Selection.all
  /// Client IDs, or the IDs and URIs of APIs.
  package var apps = Selection.all
  package var require: Requirement?
  /// The maximum time since the user's last authentication.
  package var signInFrequency: Duration?
  package var challengeWith: Challenge?

  package init() {}
}

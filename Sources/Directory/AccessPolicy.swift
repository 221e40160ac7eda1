/// A simplified Conditional Access policy: a requirement that applies when specific users sign in to specific apps.
package struct AccessPolicy: Hashable, Sendable {
  package enum Requirement: String, Hashable, Sendable, CaseIterable {
    /// Multifactor authentication (AADSTS50076, or AADSTS50079 if the user has no second factor).
    case mfa
    /// A managed and compliant device (AADSTS53000). Emulated devices never meet this requirement.
    case compliantDevice
    /// A domain-joined device (AADSTS53001). Emulated devices never meet this requirement.
    case domainJoinedDevice
    /// A managed device (AADSTS530003). Emulated devices never meet this requirement.
    case managedDevice
    /// An external control (AADSTS50158). The emulator's sign-in pages simulate it.
    case externalControl
    /// An app with Intune protection (AADSTS53005). Emulated apps never meet this requirement.
    case approvedApp
    /// A password change (AADSTS50125).
    case passwordChange
    /// Blocks every sign-in (AADSTS53003).
    case block
  }

  /// The time at which the emulator evaluates the policy.
  package enum Challenge: String, Hashable, Sendable, CaseIterable {
    /// At each sign-in and token refresh.
    case signIn
    /// At each API call. The API returns 401 with a claims challenge until the token meets the requirement.
    case claims
  }

  /// A selection of users or apps: either all of them or a list.
  package enum Selection: Hashable, Sendable {
    case all
    case listed([String])

    /// Whether the selection contains at least one of the names, ignoring case.
    package func contains(anyOf names: [String]) -> Bool {
      switch self {
      case .all: true
      case .listed(let list):
        list.contains { entry in names.contains { $0.lowercased() == entry.lowercased() } }
      }
    }
  }

  package var name = ""
  /// The policy's GUID, for `capolids` claims. By default, the emulator derives it from the tenant and the policy name.
  package var id = ""
  package var users = Selection.all
  /// The apps, as client IDs, API IDs, or API identifier URIs.
  package var apps = Selection.all
  package var require: Requirement?
  /// The maximum time since the user's last authentication.
  package var signInFrequency: Duration?
  package var challengeWith: Challenge?

  package init() {}
}

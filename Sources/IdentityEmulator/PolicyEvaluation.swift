import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

/// What a policy asks for that a sign-in has not done.
enum UnmetPolicyRequirement: Hashable, Sendable {
  case factor(policy: AccessPolicy?)
  case freshSignIn(policy: AccessPolicy)
  /// A state of the device that no emulated one has; the code says which.
  case device(code: Int, policy: AccessPolicy)
  /// A check by somebody else's service.
  case externalCheck(policy: AccessPolicy)
  /// The sign-in is risky and there is no second factor to prove who it is.
  case tooRisky
  case approvedApp(policy: AccessPolicy)
  case newPassword(policy: AccessPolicy)
  case blocked(policy: AccessPolicy)
}

/// What was proven, as far as policies care.
struct AuthenticationEvidence: Sendable {
  var authenticatedAt: Instant
  var factorAt: Instant?
  var isPasswordChanged = false
}

extension Platform {
  /// The policies of the tenant that concern this user, app and these APIs.
  func policies(
    for user: User, clientID: String, resources: [Resource], tenantID: String
  ) -> [AccessPolicy] {
    withState { state in
      (state.graph.tenants[tenantID]?.policies ?? []).filter { policy in
        policy.users.contains(anyOf: [user.username, user.id])
          && policy.apps.contains(anyOf: [clientID] + resources.flatMap { [$0.appID, $0.uri, $0.name] })
      }
    }
  }

  /// The first thing that is missing, the gravest first.
  /// - Parameter contexts: authentication contexts that a resource demands; they bring in the policies that are asked
  ///   for by claims.
  func unmetCondition(
    _ proven: AuthenticationEvidence, user: User, clientID: String, resources: [Resource], tenantID: String,
    contexts: [String],
    isNewSignIn: Bool
  ) -> UnmetPolicyRequirement? {
    let policies = policies(for: user, clientID: clientID, resources: resources, tenantID: tenantID)
      .filter { $0.challengeWith != .claims || !contexts.isEmpty }
    func first(_ requirement: AccessPolicy.Requirement) -> AccessPolicy? {
      policies.first { $0.require == requirement }
    }
    if let policy = first(.block) { return .blocked(policy: policy) }
    for (requirement, code) in [
      (AccessPolicy.Requirement.compliantDevice, 53000), (.domainJoinedDevice, 53001), (.managedDevice, 530_003),
    ] {
      if let policy = first(requirement) { return .device(code: code, policy: policy) }
    }
    if let policy = first(.approvedApp) { return .approvedApp(policy: policy) }
    let now = now
    if let policy = policies.first(where: { policy in
      guard let frequency = policy.signInFrequency else { return false }
      return now - proven.authenticatedAt > frequency
    }) {
      return .freshSignIn(policy: policy)
    }
    if let policy = first(.passwordChange), !proven.isPasswordChanged {
      let changed = withState { $0.history(of: user.id).passwordChangedFor.contains(policy.id) }
      if !changed { return .newPassword(policy: policy) }
    }
    if proven.factorAt == nil {
      if user.risk == .high { return user.mfa == nil ? .tooRisky : .factor(policy: nil) }
      if let policy = first(.externalControl) { return .externalCheck(policy: policy) }
      if let policy = first(.mfa) { return .factor(policy: policy) }
      // A factor of the user's own is asked for when somebody signs in, and not at every refresh.
      if user.mfa != nil, isNewSignIn { return .factor(policy: nil) }
    }
    return nil
  }
}

extension UnmetPolicyRequirement {
  /// The error that says it.
  func refusal(for user: User, resources: [Resource]) -> ErrorResponse {
    func claims(_ policy: AccessPolicy?) -> JSON? {
      policy.map { ["access_token": ["capolids": ["essential": true, "values": [.string($0.id)]]]] }
    }
    switch self {
    case .factor(let policy):
      let resource = (resources.first ?? .graph()).appID
      return user.mfa == nil
        ? ErrorResponse(
          50079, "A policy of the administrator requires the user to enroll a second factor to access '\(resource)'.",
          claims: claims(policy))
        : ErrorResponse(
          50076, "A policy of the administrator requires a second factor to access '\(resource)'.",
          claims: claims(policy))
    case .freshSignIn(let policy):
      return ErrorResponse(
        70043,
        "The refresh token has expired or is invalid due to sign-in frequency checks by conditional access. The maximum lifetime allowed is \(policy.signInFrequency?.components.seconds ?? 0) seconds."
      )
    case .device(let code, let policy): return ErrorResponse(code, claims: claims(policy))
    case .externalCheck(let policy): return ErrorResponse(50158, claims: claims(policy))
    case .tooRisky: return ErrorResponse(53004)
    case .approvedApp: return ErrorResponse(53005)
    case .newPassword(let policy): return ErrorResponse(50125, claims: claims(policy))
    case .blocked(let policy): return ErrorResponse(53003, claims: claims(policy))
    }
  }
}

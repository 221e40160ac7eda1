import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

/// A requirement that a sign-in does not meet.
enum UnmetPolicyRequirement: Hashable, Sendable {
  case factor(policy: AccessPolicy?)
  case freshSignIn(policy: AccessPolicy)
  /// A required device state that emulated devices never have. The error code identifies the state.
  case device(code: Int, policy: AccessPolicy)
  /// A required check by an external service.
  case externalCheck(policy: AccessPolicy)
  /// The sign-in is risky, and the user has no second factor.
  case tooRisky
  case approvedApp(policy: AccessPolicy)
  case newPassword(policy: AccessPolicy)
  case blocked(policy: AccessPolicy)
}

/// The authentication data that policies evaluate.
struct AuthenticationEvidence: Sendable {
  var authenticatedAt: Instant
  var factorAt: Instant?
  var isPasswordChanged = false
}

/// The user, app, and APIs for which access policies are evaluated.
struct AccessAttempt: Sendable {
  var user: User
  var clientID: String
  var resources: [Resource]
  var tenantID: String
  /// The authentication contexts that a resource requires. If the list is not empty, policies with `challengeWith:
  /// claims` also apply.
  var contexts: [String] = []
  var isNewSignIn = false
}

extension Platform {
  /// Returns the tenant's policies that apply to an access attempt.
  func policies(for attempt: AccessAttempt) -> [AccessPolicy] {
    let names = [attempt.clientID] + attempt.resources.flatMap { [$0.appID, $0.uri, $0.name] }
    return withState { state in
      (state.graph.tenants[attempt.tenantID]?.policies ?? []).filter { policy in
        policy.users.contains(anyOf: [attempt.user.username, attempt.user.id]) && policy.apps.contains(anyOf: names)
      }
    }
  }

  /// Returns the most severe unmet requirement, or nil if the sign-in meets all requirements.
  func unmetRequirement(_ evidence: AuthenticationEvidence, for attempt: AccessAttempt) -> UnmetPolicyRequirement? {
    let user = attempt.user
    let policies = policies(for: attempt).filter { $0.challengeWith != .claims || !attempt.contexts.isEmpty }
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
      return now - evidence.authenticatedAt > frequency
    }) {
      return .freshSignIn(policy: policy)
    }
    if let policy = first(.passwordChange), !evidence.isPasswordChanged {
      let changed = withState { $0.history(of: user.id).passwordChangedFor.contains(policy.id) }
      if !changed { return .newPassword(policy: policy) }
    }
    if evidence.factorAt == nil {
      if user.risk == .high { return user.mfa == nil ? .tooRisky : .factor(policy: nil) }
      if let policy = first(.externalControl) { return .externalCheck(policy: policy) }
      if let policy = first(.mfa) { return .factor(policy: policy) }
      // The user's own second factor is required only for a new sign-in, not for every token refresh.
      if user.mfa != nil, attempt.isNewSignIn { return .factor(policy: nil) }
    }
    return nil
  }
}

extension UnmetPolicyRequirement {
  /// Returns the error for this requirement.
  func errorResponse(for user: User, resources: [Resource]) -> ErrorResponse {
    func claims(_ policy: AccessPolicy?) -> JSON? {
      policy.map { ["access_token": ["capolids": ["essential": true, "values": [.string($0.id)]]]] }
    }
    switch self {
    case .factor(let policy):
      let resource = (resources.first ?? .graph()).appID
      return user.mfa == nil
        ? ErrorResponse(
          50079, "A policy requires the user to set up multi-factor authentication to access '\(resource)'.",
          claims: claims(policy))
        : ErrorResponse(
          50076, "A policy requires multi-factor authentication to access '\(resource)'.",
          claims: claims(policy))
    case .freshSignIn(let policy):
      return ErrorResponse(
        70043,
        "The refresh token exceeds the sign-in frequency of a Conditional Access policy. Maximum lifetime: \(policy.signInFrequency?.components.seconds ?? 0) seconds."
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

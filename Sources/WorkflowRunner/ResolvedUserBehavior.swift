import Documents
import OrderedCollections
import RunTrace
import WorkflowModel

/// The user behavior during an interaction, with all values resolved.
package struct ResolvedUserBehavior: Sendable {
  package var username: String?
  package var password: Secret?
  package var newPassword: Secret?
  package var mfa: UserBehavior.MFA = .approve
  package var consent: UserBehavior.Consent = .accept
  package var picks: String?
  package var cancels: UserBehavior.Cancellation = .never
  package var delay: Duration = .zero
  package var forgetsPassword = false
  /// The attributes for a sign-up page, or nil if the user does not sign up.
  package var signsUp: [String: String]?

  package init() {}

  init(_ user: UserBehavior, in scope: ValueScope) throws(UnresolvedValue) {
    username = try user.username?.resolved(in: scope)
    password = try user.password?.resolved(in: scope).map { Secret($0, kind: .password) }
    newPassword = try user.newPassword?.resolved(in: scope).map { Secret($0, kind: .password) }
    mfa = try user.mfa?.resolved(in: scope) ?? .approve
    consent = try user.consent?.resolved(in: scope) ?? .accept
    picks = try user.picks?.resolved(in: scope)
    cancels = try user.cancels?.resolved(in: scope) ?? .never
    delay = try user.delay?.resolved(in: scope) ?? .zero
    forgetsPassword = try user.forgetsPassword?.resolved(in: scope) ?? false
    guard let attributes = try user.signsUp?.resolved(in: scope), attributes.bool != false else { return }
    signsUp = (attributes.object ?? [:]).reduce(into: [:]) { typed, entry in
      typed[entry.key] = entry.value.string ?? entry.value.text()
    }
  }
}

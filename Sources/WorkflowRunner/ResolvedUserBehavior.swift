import Documents
import OrderedCollections
import RunTrace
import WorkflowModel

/// The person of one sitting with every value filled in.
package struct ResolvedUserBehavior: Sendable {
  package var username: String?
  package var password: Secret?
  package var newPassword: Secret?
  package var mfa: UserBehavior.MFA = .approve
  package var consent: UserBehavior.Consent = .accept
  package var picks: String?
  package var cancels: UserBehavior.Cancellation = .never
  package var takes: Duration = .zero
  package var forgetsPassword = false
  /// The attributes to type on a sign-up page; nil where the person does not sign up.
  package var signsUp: [String: String]?

  package init() {}

  init(_ person: UserBehavior, in scope: ValueScope) throws(UnresolvedValue) {
    username = try person.username?.resolved(in: scope)
    password = try person.password?.resolved(in: scope).map { Secret($0, kind: .password) }
    newPassword = try person.newPassword?.resolved(in: scope).map { Secret($0, kind: .password) }
    mfa = try person.mfa?.resolved(in: scope) ?? .approve
    consent = try person.consent?.resolved(in: scope) ?? .accept
    picks = try person.picks?.resolved(in: scope)
    cancels = try person.cancels?.resolved(in: scope) ?? .never
    takes = try person.takes?.resolved(in: scope) ?? .zero
    forgetsPassword = try person.forgetsPassword?.resolved(in: scope) ?? false
    guard let attributes = try person.signsUp?.resolved(in: scope), attributes.bool != false else { return }
    signsUp = (attributes.object ?? [:]).reduce(into: [:]) { typed, entry in
      typed[entry.key] = entry.value.string ?? entry.value.text()
    }
  }
}

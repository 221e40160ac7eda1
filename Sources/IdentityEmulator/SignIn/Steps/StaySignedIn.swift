import Directory
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

// The "Stay signed in?" page, which makes the browser's session persistent. If the tenant's setting is `ask`, the page
// appears after authentication and before consent.

extension SignIn {
  private func setting(of accountID: String?) -> Tenant.StaySignedIn {
    let home = accountID.flatMap { account($0)?.homeTenantID }
    return platform.withState { state in home.flatMap { state.graph.tenants[$0]?.staySignedIn } } ?? .always
  }

  /// Whether the session cookie is persistent.
  var isPersistent: Bool {
    switch setting(of: flow.accountID) {
    case .always: return true
    case .never: return false
    case .ask:
      if let staySignedIn = flow.staySignedIn { return staySignedIn }
      // If the page was not shown in this flow, the choice for the existing session applies.
      guard let id = SessionCookies.sessionID(exchange, realm: request.realm) else { return false }
      return platform.withState { $0.sessions[id]?.isPersistent } ?? false
    }
  }

  mutating func promptToStaySignedIn(_ member: GraphState.Member) throws(Interruption) {
    guard flow.isFresh, flow.staySignedIn == nil, !isB2C, !isSilent, setting(of: flow.accountID) == .ask else { return }
    throw .page(
      PageFrame(
        screen: .staySignedIn, title: "Stay signed in?",
        content: """
          <p class="who">\(member.account.user.username)</p>
          <p>You’ll be asked to sign in less often.</p>
          <div class="row"><button class="main" type="submit" name="stay" value="yes" autofocus>Yes</button><button type="submit" name="stay" value="no">No</button></div>
          """))
  }

  mutating func handleStaySignedIn(_ form: Parameters) { flow.staySignedIn = form["stay"] == "yes" }
}

import Directory
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

// "Stay signed in?": whether the browser's session outlives the browser. It is asked after whoever signs in has proven
// who they are, and before consent; only where the tenant's setting says so.

extension SignIn {
  private func setting(of accountID: String?) -> Tenant.StaySignedIn {
    let home = accountID.flatMap { account($0)?.homeTenantID }
    return platform.withState { state in home.flatMap { state.graph.tenants[$0]?.staySignedIn } } ?? .always
  }

  /// Whether the session's cookie lasts, or ends with the browser.
  var isKept: Bool {
    switch setting(of: flow.accountID) {
    case .always: return true
    case .never: return false
    case .ask:
      if let stays = flow.stays { return stays }
      // Nobody was asked this time: what was said for the session holds.
      guard let id = SessionCookies.sessionID(exchange, realm: request.realm) else { return false }
      return platform.withState { $0.sessions[id]?.isKept } ?? false
    }
  }

  mutating func askToStay(_ member: GraphState.Member) throws(Interruption) {
    guard flow.isFresh, flow.stays == nil, !isB2C, !isSilent, setting(of: flow.accountID) == .ask else { return }
    throw .page(
      PageFrame(
        screen: .staySignedIn, title: "Stay signed in?",
        content: """
          <p class="who">\(member.account.user.username)</p>
          <p>Do this to reduce the number of times you are asked to sign in.</p>
          <div class="row"><button class="main" type="submit" name="stay" value="yes" autofocus>Yes</button><button type="submit" name="stay" value="no">No</button></div>
          """))
  }

  mutating func takeStay(_ form: Parameters) { flow.stays = form["stay"] == "yes" }
}

import Directory
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

// Has somebody agreed that the app may do what it asks for?

extension SignIn {
  /// What still has to be agreed to.
  struct OpenConsent {
    /// New permissions, in the order asked for.
    var items: [ScopeRequest.Item] = []
    /// Whether the app is new to the user, so that the basic profile is to be agreed to as well.
    var asksForProfile = false

    var isEmpty: Bool { items.isEmpty && !asksForProfile }

    /// Whether any of them can be granted by an administrator only.
    var needsAdmin: Bool { items.contains { $0.resource.scope(named: $0.name)?.adminOnly == true } }
  }

  mutating func askConsent(_ member: GraphState.Member) throws(Interruption) {
    guard !isB2C, !flow.isConsented, let accountID = flow.accountID else { return }
    let user = member.account.user
    let tenantID = tenantID(for: member.account)
    if tenantID == Tenant.personalID { try refuseWorkScopes() }
    let open = openConsent(accountID: accountID, tenantID: tenantID)
    let isForced = request.prompt == "consent" || request.prompt == "admin_consent"
    guard !open.isEmpty || isForced else { return }
    let userMayNot = platform.withState { $0.graph.tenants[tenantID]?.userConsent } == Tenant.UserConsent.none
    var shown = open
    if isForced, shown.items.isEmpty { shown.items = namedItems() }
    let isForAdmins = open.needsAdmin || userMayNot && !open.isEmpty || request.prompt == "admin_consent"
    if isForAdmins, !user.isAdmin || member.isGuest {
      try show(approvalPage(shown, user: user), orSilently: ErrorResponse(65001, on: .silent))
    }
    try show(
      consentPage(shown, user: user, isAdmin: user.isAdmin), orSilently: ErrorResponse(65001, on: .silent))
  }

  /// Permissions that exist for organizations only cannot be granted by a personal account.
  private func refuseWorkScopes() throws(Interruption) {
    let unfit = request.scopes.items.first { item in
      item.resource.isGraph && GraphPermission.named(item.name)?.allowsPersonalAccounts == false
    }
    guard let unfit else { return }
    throw .refusal(
      ErrorResponse(70011, "The scope '\(unfit.typed)' cannot be used with a personal Microsoft account."))
  }

  /// The permissions behind the request: `.default` stands for the app's static ones of that resource.
  func namedItems() -> [ScopeRequest.Item] {
    request.scopes.items.flatMap { item -> [ScopeRequest.Item] in
      guard item.isDefault else { return [item] }
      return platform.staticPermissions(of: request.client, for: item.resource).map { name in
        ScopeRequest.Item(resource: item.resource, name: name, typed: "\(item.resource.uri)/\(name)")
      }
    }
  }

  func openConsent(accountID: String, tenantID: String) -> OpenConsent {
    platform.withState { state in
      var open = OpenConsent()
      open.asksForProfile = !state.consents.knows(request.client.appId, user: accountID, tenant: tenantID)
      for item in request.scopes.items {
        let granted = state.consents.granted(
          to: request.client.appId, user: accountID, tenant: tenantID, resource: item.resource.appID)
        // `.default` asks only where nothing was granted for the resource yet.
        if item.isDefault, !granted.isEmpty || item.resource.appID == request.client.appId { continue }
        let names = item.isDefault ? state.staticPermissions(of: request.client, for: item.resource) : [item.name]
        for name in names where !granted.contains(where: { $0.lowercased() == name.lowercased() }) {
          open.items.append(
            ScopeRequest.Item(
              resource: item.resource, name: name, typed: item.isDefault ? "\(item.resource.uri)/\(name)" : item.typed))
        }
      }
      return open
    }
  }

  // MARK: Pages

  func consentPage(_ open: OpenConsent, user: User, isAdmin: Bool) -> PageFrame {
    let permissions: [HTML] = open.items.map { item in
      """
      <label class="check"><input type="checkbox" name="scope" value="\(item.typed)" checked><span>\(PermissionWords.title(item))<small>\(item.resource.name): \(item.name)</small></span></label>

      """
    }
    let profile: HTML? =
      open.asksForProfile
      ? "<ul><li>View your basic profile</li><li>Maintain access to data you have given it access to</li></ul>\n" : nil
    // The admin consent endpoint is for everybody in any case; elsewhere an administrator may choose that.
    let organization: HTML? =
      request.prompt == "admin_consent"
      ? "<p>If you accept, this app gets access for all users of your organization. Nobody else will be asked.</p>\n"
      : isAdmin
        ? """
        <label class="check"><input type="checkbox" name="fororganization" value="true"><span>Consent on behalf of your organization<small>Nobody else there will be asked.</small></span></label>

        """ : nil
    return PageFrame(
      screen: .consent,
      title: request.prompt == "admin_consent"
        ? "Permissions requested: review for your organization" : "Permissions requested",
      content: """
        <p class="who">\(user.username)</p>
        <p class="app"><strong dir="auto">\(appName)</strong><br>\(publisher)</p>
        <fieldset>
        <legend>This app would like to:</legend>
        \(permissions)\(profile)\(organization)</fieldset>
        <details>
        <summary>About this app</summary>
        <dl><dt>Client id</dt><dd>\(request.client.appId)</dd>\(returnAddress)</dl>
        </details>
        <p>Accept only if you trust the app. You can take this back later.</p>
        <div class="row"><button class="main" type="submit" name="consent" value="accept">Accept</button><button type="submit" name="consent" value="decline">Cancel</button></div>
        """)
  }

  /// Who stands behind the app. The emulator verifies no publisher, and says so.
  private var publisher: HTML {
    let home = request.client.tenant.flatMap { name in
      platform.withState { $0.tenant(named: name) ?? $0.tenant(called: name) }
    }
    let domain: HTML? = home?.domains.first.map { "\($0) " }
    return "\(domain)<span class=\"mark\">unverified</span>"
  }

  private var returnAddress: HTML? {
    flow.userCode == nil ? "<dt>You will be sent back to</dt><dd>\(request.address.uri)</dd>" : nil
  }

  func approvalPage(_ open: OpenConsent, user: User) -> PageFrame {
    let permissions: [HTML] = open.items.map { item in "<li>\(PermissionWords.title(item))</li>\n" }
    return PageFrame(
      screen: .adminApproval, title: "Need admin approval", code: ErrorResponse(90094).label,
      content: """
        <p class="who">\(user.username)</p>
        <p>\(appName) needs permissions that only an administrator can grant:</p>
        <ul>
        \(permissions)</ul>
        <p>Ask an administrator to approve the app before you use it. <button class="link" type="submit" name="account" value="another">Have an admin account? Sign in with that account</button></p>
        <div class="row"><button class="main" type="submit" name="cancel" value="true">Return to the application without granting consent</button></div>
        """)
  }

  // MARK: What comes back

  mutating func takeConsent(_ form: Parameters) throws(Interruption) {
    guard let account = flow.accountID.flatMap({ account($0) }) else { throw .refusal(ErrorResponse(50089)) }
    guard form["consent"] == "accept" else { throw declined }
    let tenantID = tenantID(for: account)
    // Nobody but an administrator was shown that page.
    if request.prompt == "admin_consent", !account.user.isAdmin { throw .refusal(ErrorResponse(90094)) }
    let accepted = Set(form.values(of: "scope").map { $0.lowercased() })
    var items = openConsent(accountID: account.user.id, tenantID: tenantID).items
    if request.prompt == "consent" || request.prompt == "admin_consent" { items += namedItems() }
    let chosen = items.filter { accepted.contains($0.typed.lowercased()) }
    let isAsked = form["fororganization"] == "true" || request.prompt == "admin_consent"
    let forEverybody = isAsked && account.user.isAdmin
    let client = request.client.appId
    platform.withState { state in
      var grantors = [Consents.Grantor.user(account.user.id)]
      if forEverybody { grantors = [.tenant(tenantID)] }
      for grantor in grantors {
        // The basic profile is part of Graph; with it the app is known to the user.
        state.consents.add(["openid", "profile", "offline_access"], of: WellKnown.graphAppID, to: client, by: grantor)
        for item in chosen { state.consents.add([item.name], of: item.resource.appID, to: client, by: grantor) }
      }
    }
    flow.isConsented = true
  }

  mutating func takeApproval(_ form: Parameters) throws(Interruption) {
    guard form["account"] == "another" else { throw declined }
    flow.accountID = nil
    flow.username = nil
    throw .page(usernamePage(prefilled: nil))
  }

  private var declined: Interruption {
    flow.userCode != nil
      ? .cancelled : .refusal(ErrorResponse(65004, "User declined to consent to access the app."))
  }
}

extension Platform {
  func staticPermissions(of client: RegisteredApp, for resource: Resource) -> [String] {
    withState { $0.staticPermissions(of: client, for: resource) }
  }
}

extension PlatformState {
  /// The permissions that the app's registration lists for a resource. Without any, what a new registration has
  /// (User.Read on Graph), or everything that users may grant on another API.
  func staticPermissions(of client: RegisteredApp, for resource: Resource) -> [String] {
    let listed = client.permissions.compactMap { scope -> String? in
      guard !WellKnown.openIDScopes.contains(scope.lowercased()), let found = locate(scope),
        found.resource.appID == resource.appID, found.name != ".default"
      else { return nil }
      return found.name
    }
    if !listed.isEmpty { return listed }
    return resource.isGraph ? ["User.Read"] : resource.scopes.filter { $0.adminOnly != true }.map(\.name)
  }
}

/// What a permission means, as the consent page says it.
enum PermissionWords {
  static func title(_ item: ScopeRequest.Item) -> String {
    guard item.resource.isGraph else { return "Use \(item.resource.name) as you: \(item.name)" }
    if let known = titles[item.name] { return known }
    let words = item.name.split(separator: ".").map(String.init)
    let subject = words.first.map(spaced) ?? item.name
    let verb =
      switch words.dropFirst().first {
      case "Read": "Read"
      case "ReadBasic": "Read the basics of"
      case "ReadWrite": "Read and change"
      case "Send": "Send"
      case "Create": "Create"
      case let other?: spaced(other)
      case nil: "Use"
      }
    let whose = words.contains("All") ? "all" : "your"
    return "\(verb) \(whose) \(subject.lowercased())"
  }

  private static let titles = [
    "User.Read": "Sign you in and read your profile",
    "User.ReadWrite": "Read and update your profile",
    "User.ReadBasic.All": "Read all users’ basic profiles",
    "User.Read.All": "Read all users’ full profiles",
    "Calendars.Read": "Read your calendars",
    "Calendars.ReadWrite": "Have full access to your calendars",
    "Mail.Read": "Read your mail",
    "Mail.ReadWrite": "Read and write access to your mail",
    "Mail.Send": "Send mail as you",
    "Contacts.Read": "Read your contacts",
    "Files.Read": "Read your files",
    "Files.ReadWrite": "Have full access to your files",
  ]

  private static func spaced(_ word: String) -> String {
    var text = ""
    for character in word {
      if character.isUppercase, !text.isEmpty { text += " " }
      text.append(character)
    }
    return text
  }
}

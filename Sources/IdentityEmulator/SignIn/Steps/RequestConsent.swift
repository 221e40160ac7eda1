import Directory
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

extension SignIn {
  /// The permissions that require consent before the sign-in can complete.
  struct PendingConsent {
    /// The permissions that lack consent, in request order.
    var items: [ScopeRequest.Item] = []
    /// Whether the basic profile also requires consent, because the user has never consented to this app.
    var includesProfile = false

    var isEmpty: Bool { items.isEmpty && !includesProfile }

    /// Whether any of the permissions requires an administrator.
    var needsAdmin: Bool { items.contains { $0.resource.scope(named: $0.name)?.adminOnly == true } }
  }

  mutating func requestConsent(_ member: GraphState.Member) throws(Interruption) {
    guard !isB2C, !flow.isConsented, let accountID = flow.accountID else { return }
    let user = member.account.user
    let tenantID = tenantID(for: member.account)
    if tenantID == Tenant.personalID { try checkPersonalAccountScopes() }
    let pending = pendingConsent(accountID: accountID, tenantID: tenantID)
    let isForced = request.prompt == "consent" || request.prompt == "admin_consent"
    guard !pending.isEmpty || isForced else { return }
    let isUserConsentDisabled =
      platform.withState { $0.graph.tenants[tenantID]?.userConsent } == Tenant.UserConsent.none
    var displayed = pending
    if isForced, displayed.items.isEmpty { displayed.items = namedItems() }
    let isForAdmins =
      pending.needsAdmin || isUserConsentDisabled && !pending.isEmpty || request.prompt == "admin_consent"
    if isForAdmins, !user.isAdmin || member.isGuest {
      try show(approvalPage(displayed, user: user), orSilentError: ErrorResponse(65001, context: .silent))
    }
    if isApprovedByControl {
      var form: Parameters = ["consent": "accept"]
      for item in displayed.items { form.append("scope", item.requestedName) }
      return try handleConsent(form)
    }
    try show(
      consentPage(displayed, user: user, isAdmin: user.isAdmin), orSilentError: ErrorResponse(65001, context: .silent))
  }

  /// Throws if a permission is not available for personal accounts.
  private func checkPersonalAccountScopes() throws(Interruption) {
    let unfit = request.scopes.items.first { item in
      item.resource.isGraph && GraphPermission.named(item.name)?.allowsPersonalAccounts == false
    }
    guard let unfit else { return }
    throw .error(
      ErrorResponse(70011, "The scope '\(unfit.requestedName)' cannot be used with a personal Microsoft account."))
  }

  /// Returns the requested permissions. Replaces `.default` with the permissions of the app registration.
  func namedItems() -> [ScopeRequest.Item] {
    request.scopes.items.flatMap { item -> [ScopeRequest.Item] in
      guard item.isDefault else { return [item] }
      return platform.staticPermissions(of: request.client, for: item.resource).map { name in
        ScopeRequest.Item(resource: item.resource, name: name, requestedName: "\(item.resource.uri)/\(name)")
      }
    }
  }

  func pendingConsent(accountID: String, tenantID: String) -> PendingConsent {
    platform.withState { state in
      var pending = PendingConsent()
      pending.includesProfile = !state.consents.knows(request.client.appId, user: accountID, tenant: tenantID)
      for item in request.scopes.items {
        let granted = state.consents.granted(
          to: request.client.appId, user: accountID, tenant: tenantID, resource: item.resource.appID)
        // `.default` requires consent only if none of the resource's permissions has been granted.
        if item.isDefault, !granted.isEmpty || item.resource.appID == request.client.appId { continue }
        let names = item.isDefault ? state.staticPermissions(of: request.client, for: item.resource) : [item.name]
        for name in names where !granted.contains(where: { $0.lowercased() == name.lowercased() }) {
          pending.items.append(
            ScopeRequest.Item(
              resource: item.resource, name: name,
              requestedName: item.isDefault ? "\(item.resource.uri)/\(name)" : item.requestedName))
        }
      }
      return pending
    }
  }

  // MARK: Pages

  func consentPage(_ pending: PendingConsent, user: User, isAdmin: Bool) -> PageFrame {
    let permissions: [HTML] = pending.items.map { item in
      """
      <label class="check"><input type="checkbox" name="scope" value="\(item.requestedName)" checked><span>\(PermissionDescription.title(item))<small>\(item.resource.name): \(item.name)</small></span></label>

      """
    }
    let profile: HTML? =
      pending.includesProfile
      ? "<ul><li>View your basic profile</li><li>Maintain access to data you have given it access to</li></ul>\n" : nil
    // At the admin consent endpoint, consent is always for the whole organization. At other endpoints, the
    // administrator can choose.
    let organization: HTML? =
      request.prompt == "admin_consent"
      ? "<p>If you accept, this app gets access for all users in your organization. They won’t be prompted.</p>\n"
      : isAdmin
        ? """
        <label class="check"><input type="checkbox" name="fororganization" value="true"><span>Consent on behalf of your organization<small>Other users won’t be prompted.</small></span></label>

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
        <dl><dt>Client ID</dt><dd>\(request.client.appId)</dd>\(returnAddress)</dl>
        </details>
        <p>Accept only if you trust this app. You can revoke access later.</p>
        <div class="row"><button class="main" type="submit" name="consent" value="accept">Accept</button><button type="submit" name="consent" value="decline">Cancel</button></div>
        """)
  }

  /// Text that shows the publisher domain as unverified, because the emulator does not verify publishers.
  private var publisher: HTML {
    let home = request.client.tenant.flatMap { name in
      platform.withState { $0.tenant(named: name) ?? $0.tenant(withName: name) }
    }
    let domain: HTML? = home?.domains.first.map { "\($0) " }
    return "\(domain)<span class=\"mark\">unverified</span>"
  }

  private var returnAddress: HTML? {
    flow.userCode == nil ? "<dt>Redirect URI</dt><dd>\(request.address.uri)</dd>" : nil
  }

  func approvalPage(_ pending: PendingConsent, user: User) -> PageFrame {
    let permissions: [HTML] = pending.items.map { item in "<li>\(PermissionDescription.title(item))</li>\n" }
    return PageFrame(
      screen: .adminApproval, title: "Need admin approval", code: ErrorResponse(90094).label,
      content: """
        <p class="who">\(user.username)</p>
        <p>\(appName) needs permissions that only an administrator can grant:</p>
        <ul>
        \(permissions)</ul>
        <p>Ask an administrator to approve this app. <button class="link" type="submit" name="account" value="another">Sign in with an admin account</button></p>
        <div class="row"><button class="main" type="submit" name="cancel" value="true">Return to the app without consent</button></div>
        """)
  }

  // MARK: Submitted forms

  mutating func handleConsent(_ form: Parameters) throws(Interruption) {
    guard let account = flow.accountID.flatMap({ account($0) }) else { throw .error(ErrorResponse(50089)) }
    guard form["consent"] == "accept" else { throw declined }
    let tenantID = tenantID(for: account)
    // Only administrators see this page.
    if request.prompt == "admin_consent", !account.user.isAdmin { throw .error(ErrorResponse(90094)) }
    let accepted = Set(form.values(of: "scope").map { $0.lowercased() })
    var items = pendingConsent(accountID: account.user.id, tenantID: tenantID).items
    if request.prompt == "consent" || request.prompt == "admin_consent" { items += namedItems() }
    let chosen = items.filter { accepted.contains($0.requestedName.lowercased()) }
    let isRequested = form["fororganization"] == "true" || request.prompt == "admin_consent"
    let isForOrganization = isRequested && account.user.isAdmin
    let client = request.client.appId
    platform.withState { state in
      var grantors = [Consents.Grantor.user(account.user.id)]
      if isForOrganization { grantors = [.tenant(tenantID)] }
      for grantor in grantors {
        // The basic profile scopes belong to Graph. Granting them also records that the user has consented to the app.
        state.consents.add(["openid", "profile", "offline_access"], of: WellKnown.graphAppID, to: client, by: grantor)
        for item in chosen { state.consents.add([item.name], of: item.resource.appID, to: client, by: grantor) }
      }
    }
    flow.isConsented = true
  }

  mutating func handleApproval(_ form: Parameters) throws(Interruption) {
    guard form["account"] == "another" else { throw declined }
    flow.accountID = nil
    flow.username = nil
    throw .page(usernamePage(prefilled: nil))
  }

  private var declined: Interruption {
    flow.userCode != nil
      ? .canceled : .error(ErrorResponse(65004, "The user declined to consent to the app."))
  }
}

extension Platform {
  func staticPermissions(of client: RegisteredApp, for resource: Resource) -> [String] {
    withState { $0.staticPermissions(of: client, for: resource) }
  }
}

extension PlatformState {
  /// Returns the app registration's permissions for a resource. If the registration does not list any, returns
  /// `User.Read` for Graph, as in a new app registration. For other APIs, returns all permissions that users can grant.
  func staticPermissions(of client: RegisteredApp, for resource: Resource) -> [String] {
    let listed = client.permissions.compactMap { scope -> String? in
      guard !WellKnown.openIDScopes.contains(scope.lowercased()), let match = locate(scope),
        match.resource.appID == resource.appID, match.name != ".default"
      else { return nil }
      return match.name
    }
    if !listed.isEmpty { return listed }
    return resource.isGraph ? ["User.Read"] : resource.scopes.filter { $0.adminOnly != true }.map(\.name)
  }
}

/// The permission descriptions for the consent page.
enum PermissionDescription {
  static func title(_ item: ScopeRequest.Item) -> String {
    guard item.resource.isGraph else { return "Use \(item.resource.name) as you: \(item.name)" }
    if let title = titles[item.name] { return title }
    let parts = item.name.split(separator: ".").map(String.init)
    let subject = parts.first.map(spacedWords) ?? item.name
    let verb =
      switch parts.dropFirst().first {
      case "Read": "Read"
      case "ReadBasic": "Read basic information of"
      case "ReadWrite": "Read and write"
      case "Send": "Send"
      case "Create": "Create"
      case let other?: spacedWords(other)
      case nil: "Use"
      }
    let whose = parts.contains("All") ? "all" : "your"
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

  private static func spacedWords(_ word: String) -> String {
    var text = ""
    for character in word {
      if character.isUppercase, !text.isEmpty { text += " " }
      text.append(character)
    }
    return text
  }
}

import Effects
import OAuth
import RunTrace

/// The user's action on a page.
enum PageAction: Sendable {
  /// - Parameter hasSecret: Whether the user typed a secret (see ``SecretRule``).
  case submit(HTMLForm, Parameters, button: HTMLControl?, hasSecret: Bool = false)
  case follow(URLReference)
  /// The page or the user ends the visit.
  case close(String)
  /// The user cannot complete the page.
  case giveUp(String)
}

/// Selects the user's input on each page of a visit.
struct PageResponder {
  let user: SimulatedUser
  let purpose: BrowserVisit.Purpose
  /// The first URL of the visit. In a device code flow, this URL can contain the user code.
  let start: URLReference
  /// The username, or nil until the user has typed or picked it.
  private(set) var identity: String?
  private var hasForgotten = false
  private var hasSignedUp = false
  /// The links that the user followed because a page did not have a form. The user follows each link only once.
  private var followed: Set<String> = []

  init(_ user: SimulatedUser, visit: BrowserVisit) {
    self.user = user
    purpose = visit.purpose
    start = URLReference(visit.url)
    identity = user.username
  }

  mutating func answer(_ page: HTMLPage, _ screen: ScreenKind?, at now: Instant) -> PageAction {
    let name = screen?.rawValue
    if user.cancels == .atOnce { return .close("the user closed the window") }
    if case .at(let chosen) = user.cancels, chosen == name {
      return .close("the user closed the window at \(chosen)")
    }
    if let detour = detour(on: page, screen) { return detour }
    let form = FormChoice.best(of: page)
    switch screen {
    case .error: return .close(page.firstAlert ?? page.title)
    case .signedOut: return .close("the page confirms the sign-out")
    case .adminApproval: return .close(page.firstAlert ?? "the page requires an administrator's approval")
    case nil: return continueAction(page, form)
    default: break
    }
    guard let screen, let form else { return continueAction(page, form) }
    switch screen {
    case .pickAccount: return pick(page, form)
    case .username, .password: return typeCredentials(form)
    case .mfa: return proveSecondFactor(form, at: now)
    case .staySignedIn: return staySignedIn(form)
    case .consent: return consent(page, form)
    case .changePassword: return changePassword(form)
    case .signUp: return signUp(form)
    case .deviceCode: return typeDeviceCode(form)
    case .error, .signedOut, .adminApproval: return .close(page.title)
    }
  }

  // MARK: Password reset and sign-up

  /// Follows a link such as "Forgot your password?" or "Create an account". These links appear on pages that have a
  /// different purpose.
  private mutating func detour(on page: HTMLPage, _ screen: ScreenKind?) -> PageAction? {
    guard screen == .username || screen == .password || screen == .pickAccount else { return nil }
    if user.forgetsPassword, !hasForgotten, let action = press(.forgot, on: page) {
      hasForgotten = true
      return action
    }
    if user.signsUp != nil, !hasSignedUp, let action = press(.signUp, on: page) {
      hasSignedUp = true
      return action
    }
    return nil
  }

  private func press(_ meaning: ControlPurpose, on page: HTMLPage) -> PageAction? {
    for form in page.forms {
      if let button = form.buttons.first(where: { $0.means(meaning) }) {
        return .submit(form, form.entries(typed: [:], ticked: [:], button: button), button: button)
      }
    }
    let wanted = page.links.first { link in
      let control = HTMLControl.word(link.text)
      return control.means(meaning)
    }
    return wanted.map { .follow($0.url) }
  }

  /// Selects the action for a page that is not a known screen.
  private mutating func continueAction(_ page: HTMLPage, _ form: HTMLForm?) -> PageAction {
    if case .decline = user.consent, let form, form.buttons.contains(where: { $0.means(.accept) }) {
      return .close("the user declined consent")
    }
    if let form, form.fields.allSatisfy({ !$0.isRequired || !$0.value.isEmpty }), let button = mainButton(of: form) {
      return .submit(form, form.entries(typed: [:], ticked: [:], button: button), button: button)
    }
    let words = ["continue", "next", "sign in", "log in", "login", "proceed"]
    for link in page.links where words.contains(where: { link.text.lowercased().contains($0) }) {
      if followed.insert(link.url.text).inserted { return .follow(link.url) }
    }
    if page.hasScripts {
      return .giveUp(
        "the page at \(page.url.host ?? "?") requires JavaScript, which the simulated user does not support")
    }
    let said = page.firstAlert ?? (page.title.isEmpty ? Self.excerpt(of: page.text) : page.title)
    return .giveUp("the page “\(said)” cannot be completed")
  }

  /// Returns the start of a string. Marks truncation with an ellipsis, so that a truncated secret is also masked.
  private static func excerpt(of text: String) -> String {
    text.count > 120 ? text.prefix(119) + "…" : text
  }

  // MARK: Screens

  private mutating func pick(_ page: HTMLPage, _ form: HTMLForm) -> PageAction {
    let wanted = user.picks ?? user.username
    let buttons = page.forms.flatMap { form in form.buttons.map { (form: form, button: $0) } }
    let accounts = buttons.filter { $0.button.isAccount && $0.button.value.lowercased() != "another" }
    let others = buttons.filter { pair in
      pair.button.isAccount ? pair.button.value.lowercased() == "another" : pair.button.means(.another)
    }
    func isWanted(_ text: String, _ name: String) -> Bool { text.lowercased().contains(name.lowercased()) }
    if let wanted, wanted != "another" {
      let exact = accounts.first { $0.button.value.lowercased() == wanted.lowercased() }
      if let choice = exact ?? accounts.first(where: { isWanted($0.button.label, wanted) }) {
        identity = wanted
        return .submit(
          choice.form, choice.form.entries(typed: [:], ticked: [:], button: choice.button), button: choice.button)
      }
      if let link = page.links.first(where: { isWanted($0.text, wanted) }) {
        identity = wanted
        return .follow(link.url)
      }
      identity = wanted
    } else if wanted == nil, let first = accounts.first {
      identity = first.button.value
      return .submit(
        first.form, first.form.entries(typed: [:], ticked: [:], button: first.button), button: first.button)
    }
    if let other = others.first {
      return .submit(
        other.form, other.form.entries(typed: [:], ticked: [:], button: other.button), button: other.button)
    }
    if let link = page.links.first(where: { HTMLControl.word($0.text).means(.another) }) { return .follow(link.url) }
    return .close("the account \(wanted ?? "") is not on the page")
  }

  private mutating func typeCredentials(_ form: HTMLForm) -> PageAction {
    var typed: [Int: String] = [:]
    if let field = form.field(where: { $0.kind == .text && $0.means(.username) })
      ?? form.field(where: { $0.kind == .text && $0.isRequired })
    {
      // If the user has no username, keep the login hint.
      if identity == nil, !field.value.isEmpty { identity = field.value }
      guard let identity else { return .close("the page requires a username, but the user has none") }
      typed[field.position] = identity
    }
    if let field = form.field(where: { $0.kind == .password }) {
      guard let password = user.password ?? identity.flatMap({ user.credentials.password($0) }) else {
        return .close("the page requires a password, but the user has none for \(identity ?? "this account")")
      }
      typed[field.position] = password.reveal()
    }
    return submit(form, typed)
  }

  private func proveSecondFactor(_ form: HTMLForm, at now: Instant) -> PageAction {
    let field = form.field { $0.kind == .text || $0.kind == .password }
    switch user.secondFactor {
    case .ignore: return .close("the user ignored the second-factor request")
    case .deny:
      if let button = form.buttons.first(where: { $0.means(.decline) && !$0.means(.cancel) })
        ?? form.buttons.first(where: { $0.means(.decline) })
      {
        return .submit(form, form.entries(typed: [:], ticked: [:], button: button), button: button)
      }
      return .close("the user denied the second-factor request")
    case .approve:
      if field == nil, let button = form.buttons.first(where: { $0.means(.accept) }) ?? mainButton(of: form) {
        return .submit(form, form.entries(typed: [:], ticked: [:], button: button), button: button)
      }
      guard let seed = identity.flatMap({ user.credentials.seed($0) }) else {
        return .close("the page requires a one-time code, but the user has no seed (mfa: {totp: …})")
      }
      return typeCode(seed.reveal(), into: field, of: form, at: now)
    case .oneTimeCode(let seed): return typeCode(seed.reveal(), into: field, of: form, at: now)
    }
  }

  private func typeCode(_ seed: String, into field: HTMLControl?, of form: HTMLForm, at now: Instant) -> PageAction {
    guard let field else { return .close("the page requires approval, but the user has only one-time codes") }
    guard let code = OneTimeCode.code(seed: seed, at: now) else {
      return .close("the seed for the user's one-time codes is not base32")
    }
    return submit(form, [field.position: code], hasSecret: true)
  }

  private func staySignedIn(_ form: HTMLForm) -> PageAction {
    let button = form.buttons.first { $0.means(user.staysSignedIn ? .accept : .decline) }
    guard let button = button ?? mainButton(of: form) else { return .close("the page has no submit button") }
    return .submit(form, form.entries(typed: [:], ticked: [:], button: button), button: button)
  }

  private func consent(_ page: HTMLPage, _ form: HTMLForm) -> PageAction {
    if case .decline = user.consent {
      // Some providers use a separate form for each choice.
      return press(.decline, on: page) ?? .close("the user declined consent")
    }
    guard let button = form.buttons.first(where: { $0.means(.accept) }) ?? mainButton(of: form) else {
      return .close("the consent page has no button to accept")
    }
    // By default, the user accepts all scopes. On some pages, the checkboxes are initially cleared.
    var ticked: [Int: Bool] = [:]
    for box in form.fields where box.kind == .checkbox && HTMLControl.plain(box.name).containsUTF8("scope") {
      guard case .only(let scopes) = user.consent else {
        ticked[box.position] = true
        continue
      }
      let wanted = Set(scopes.map { $0.lowercased() })
      let scope = box.value.lowercased()
      let short = scope.split(separator: "/").last.map(String.init) ?? scope
      ticked[box.position] = wanted.contains(scope) || wanted.contains(short)
    }
    return .submit(form, form.entries(typed: [:], ticked: ticked, button: button), button: button)
  }

  private func changePassword(_ form: HTMLForm) -> PageAction {
    guard let new = user.newPassword?.reveal() else {
      return .close("the page requires a new password, but the user has none (newPassword)")
    }
    var typed: [Int: String] = [:]
    for field in form.fields where field.kind == .password {
      let isOld =
        field.autocomplete == "current-password"
        || field.hints.contains { $0.contains("old") || $0.contains("current") }
      if isOld {
        guard let old = user.password ?? identity.flatMap({ user.credentials.password($0) }) else {
          return .close("the page requires the old password, but the user has none")
        }
        typed[field.position] = old.reveal()
      } else {
        typed[field.position] = new
      }
    }
    return submit(form, typed)
  }

  private mutating func signUp(_ form: HTMLForm) -> PageAction {
    let attributes = user.signsUp ?? [:]
    let said = Dictionary(
      attributes.map { (HTMLControl.plain($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    let name = said["username"] ?? said["email"] ?? identity
    identity = name
    let password = said["password"] ?? user.newPassword?.reveal() ?? user.password?.reveal()
    var typed: [Int: String] = [:]
    for field in form.fields where field.kind == .text || field.kind == .password {
      if let value = field.hints.lazy.compactMap({ said[$0] }).first {
        typed[field.position] = value
      } else if field.kind == .password {
        guard let password else {
          return .close("the page requires a new password, but the user has none (newPassword)")
        }
        typed[field.position] = password
      } else if field.means(.username) {
        guard let name else { return .close("the page requires a username, but the user has none") }
        typed[field.position] = name
      }
    }
    // On some pages, the password field has a different type.
    return submit(form, typed, creating: true, hasSecret: typed.values.contains { $0 == password })
  }

  private func typeDeviceCode(_ form: HTMLForm) -> PageAction {
    guard let field = form.field(where: { $0.kind == .text }) else { return submit(form, [:]) }
    let parameters = start.parameters
    let code = field.value.isEmpty ? parameters["user_code"] ?? parameters["otc"] ?? "" : field.value
    guard !code.isEmpty else { return .close("the page requires a device code, but the user does not have one") }
    return submit(form, [field.position: code])
  }

  // MARK: Submitting

  /// - Parameters:
  ///   - creating: Whether to press the button that creates an account.
  ///   - hasSecret: Whether the user typed a secret into a field whose type is not `password`.
  private func submit(
    _ form: HTMLForm, _ typed: [Int: String], creating: Bool = false, hasSecret: Bool = false
  ) -> PageAction {
    for field in form.fields where field.isRequired && field.kind == .text && typed[field.position] == nil {
      if field.value.isEmpty { return .close("the page requires “\(field.label)”, which the user does not have") }
    }
    // Select required checkboxes, such as the checkbox that accepts the terms.
    var ticked: [Int: Bool] = [:]
    for box in form.fields where box.kind == .checkbox && box.isRequired { ticked[box.position] = true }
    let button = mainButton(of: form, creating: creating)
    let entries = form.entries(typed: typed, ticked: ticked, button: button)
    let hasPassword = form.fields.contains { $0.kind == .password && typed[$0.position] != nil }
    return .submit(form, entries, button: button, hasSecret: hasSecret || hasPassword)
  }

  /// Returns the button that continues, which is the first button without another purpose.
  private func mainButton(of form: HTMLForm, creating: Bool = false) -> HTMLControl? {
    if purpose == .signOut, let button = form.buttons.first(where: { $0.means(.signOut) && !$0.means(.decline) }) {
      return button
    }
    return form.buttons.first { button in
      !button.means(.decline) && !button.means(.cancel) && !button.means(.forgot) && !button.means(.another)
        && (creating || !button.means(.signUp))
    }
  }
}

extension HTMLControl {
  /// Creates a control that has only a label, for classifying the label's words.
  fileprivate static func word(_ text: String) -> HTMLControl {
    HTMLControl(kind: .other, label: text)
  }
}

import Directory
import Documents
import OAuth
import OrderedCollections
import RunTrace
import WorkflowModel

/// Describes the user behavior, inputs, preconditions, and simulated events of a scenario.
enum ScenarioSetupText {
  /// Returns the description, with one line for each item.
  static func lines(_ scenario: Scenario) -> [String] {
    let body = scenario.body
    var lines = (body.user?.entries ?? []).map { "user: \(text($0))" }
    lines += body.inputs.map { "input \($0.key): \(flow($0.value, name: $0.key))" }
    lines += (body.given ?? []).map { "given: \(text($0))" }
    for before in body.before.values {
      lines += before.events.map { "before \(before.text): \(text($0))" }
    }
    return lines
  }

  /// Returns the name and the parameters of an event, in the format of the workflow.
  static func text(_ event: ScriptedEvent) -> String {
    guard case .object(let members) = event.sourceJSON, let member = members.elements.first else {
      return event.kind.rawValue
    }
    return "\(member.key): \(flow(member.value, name: member.key, isNested: false))"
  }

  /// Returns JSON as one line of YAML. Values whose names indicate secrets are masked.
  /// - Parameter isNested: Whether the value is inside a list or mapping, where more characters require quotes.
  private static func flow(_ json: JSON, name: String, isNested: Bool = true) -> String {
    switch json {
    case .object(let members):
      let entries = members.map { member in
        // `passwordChanged: {to: …}` contains a password.
        let isPassword = name == EventKind.passwordChanged.rawValue && member.key == "to"
        return "\(member.key): \(flow(member.value, name: isPassword ? "newPassword" : member.key))"
      }
      return "{\(entries.joined(separator: ", "))}"
    case .array(let values): return "[\(values.map { flow($0, name: name) }.joined(separator: ", "))]"
    case .string(let text):
      if isSecret(name), !text.hasPrefix("${") { return "‹\(name)›" }
      let needsQuotes = text.isEmpty || text.contains("\n") || isNested && text.contains { ",[]{}\"".contains($0) }
      return needsQuotes ? json.text() : text
    default: return json.text()
    }
  }

  private static func isSecret(_ name: String) -> Bool {
    switch SecretParameters.kind(of: name) {
    case .password, .oneTimeCode, .clientSecret: true
    default: false
    }
  }

  /// Returns the username and all behavior that differs from the default.
  private static func text(_ user: UserBehavior) -> String {
    var parts: [String] = []
    func add(_ value: Resolvable<String>?, _ text: (String) -> String) {
      if let value { parts.append(text(value.literal ?? "${…}")) }
    }
    add(user.username) { $0 }
    if user.password != nil { parts.append("enters another password") }
    if user.newPassword != nil { parts.append("enters a new password if required") }
    switch user.mfa?.literal {
    case .approve: parts.append("approves the second factor")
    case .deny: parts.append("denies the second factor")
    case .ignore: parts.append("ignores the second factor")
    case .totp: parts.append("enters a one-time code")
    case nil: break
    }
    switch user.consent?.literal {
    case .accept: parts.append("accepts the permissions")
    case .decline: parts.append("declines the permissions")
    case .only(let scopes): parts.append("consents to \(scopes.joined(separator: " ")) only")
    case nil: break
    }
    add(user.picks) { "picks \($0)" }
    switch user.cancels?.literal {
    case .atOnce: parts.append("closes the window immediately")
    case .at(let screen): parts.append("closes the window on the \(screen.rawValue) page")
    case .never, nil: break
    }
    if let delay = user.delay?.literal { parts.append("delay \(DurationText.write(delay))") }
    if user.forgetsPassword?.literal == true { parts.append("forgot the password") }
    if user.signsUp != nil { parts.append("signs up") }
    return parts.joined(separator: ", ")
  }
}

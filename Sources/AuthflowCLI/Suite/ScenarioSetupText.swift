import Directory
import Documents
import OAuth
import OrderedCollections
import RunTrace
import WorkflowModel

/// What a scenario starts from, a line each: who sits there, what has happened, and what happens on the way.
enum ScenarioSetupText {
  static func lines(_ scenario: Scenario) -> [String] {
    let body = scenario.body
    var lines = (body.user?.entries ?? []).map { "user: \(text($0))" }
    lines += body.inputs.map { "input \($0.key): \(flow($0.value, name: $0.key))" }
    lines += (body.given ?? []).map { "given: \(text($0))" }
    for before in body.before.values {
      lines += before.events.map { "before \(before.words): \(text($0))" }
    }
    return lines
  }

  /// An event as it is written: its word, and what is said about it.
  static func text(_ event: WorkflowModel.ScriptedEvent) -> String {
    guard case .object(let members) = event.said, let member = members.elements.first else {
      return event.kind.rawValue
    }
    return "\(member.key): \(flow(member.value, name: member.key, isInside: false))"
  }

  /// JSON as a line of YAML says it. What a name says to be a secret is not shown.
  private static func flow(_ json: JSON, name: String, isInside: Bool = true) -> String {
    switch json {
    case .object(let members):
      let entries = members.map { member in
        // `passwordChanged: {to: …}`
        let means = name == EventKind.passwordChanged.rawValue && member.key == "to" ? "newPassword" : member.key
        return "\(member.key): \(flow(member.value, name: means))"
      }
      return "{\(entries.joined(separator: ", "))}"
    case .array(let values): return "[\(values.map { flow($0, name: name) }.joined(separator: ", "))]"
    case .string(let text):
      if isHidden(name), !text.hasPrefix("${") { return "‹\(name)›" }
      let isMarked = text.isEmpty || text.contains("\n") || isInside && text.contains { ",[]{}\"".contains($0) }
      return isMarked ? json.text() : text
    default: return json.text()
    }
  }

  private static func isHidden(_ name: String) -> Bool {
    switch SecretParameters.kind(of: name) {
    case .password, .oneTimeCode, .clientSecret: true
    default: false
    }
  }

  /// Somebody, and what is out of the ordinary about them.
  private static func text(_ user: WorkflowModel.UserBehavior) -> String {
    var words: [String] = []
    func add(_ value: Resolvable<String>?, _ text: (String) -> String) {
      if let value { words.append(text(value.literal ?? "${…}")) }
    }
    add(user.username) { $0 }
    if user.password != nil { words.append("types another password") }
    if user.newPassword != nil { words.append("has a new password ready") }
    switch user.mfa?.literal {
    case .approve: words.append("approves the second factor")
    case .deny: words.append("denies the second factor")
    case .ignore: words.append("ignores the second factor")
    case .totp: words.append("types a one-time code")
    case nil: break
    }
    switch user.consent?.literal {
    case .accept: words.append("accepts the consent")
    case .decline: words.append("declines the consent")
    case .only(let scopes): words.append("consents to \(scopes.joined(separator: " ")) only")
    case nil: break
    }
    add(user.picks) { "picks \($0)" }
    switch user.cancels?.literal {
    case .atOnce: words.append("closes the window")
    case .at(let screen): words.append("closes the window at \(screen.rawValue)")
    case .never, nil: break
    }
    if let delay = user.delay?.literal { words.append("delay \(DurationText.write(delay))") }
    if user.forgetsPassword?.literal == true { words.append("has forgotten the password") }
    if user.signsUp != nil { words.append("signs up") }
    return words.joined(separator: ", ")
  }
}

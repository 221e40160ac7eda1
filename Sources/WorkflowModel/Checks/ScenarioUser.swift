import Diagnostics
import Directory
import Documents

extension WorkflowCheck {
  /// A user that is not in the directory. Events for the user fail, and the user cannot sign in.
  ///
  /// The simulated user may be unknown if the scenario expects a failure.
  static let scenarioUser = WorkflowCheck(
    "scenario-user", .error, appliesToUsedWorkflows: false, "user that is not in the directory"
  ) { checked in
    // The users in a live tenant or a recording, and users that steps create, are not known before the run.
    guard let context = checked.context, checked.isEmulated, !checked.createsUsers else { return [] }
    let workflow = checked.workflow
    guard let workflowUsers = context.directory.map(DirectoryUsers.init) else { return [] }
    let stepEvents = checked.everyStep.flatMap(\.events)
    var findings: [Diagnostic] = []
    var allUsers = workflowUsers
    for scenario in checked.cases {
      var users = workflowUsers
      if !scenario.body.directory.isEmpty {
        guard let directory = context.directory(of: scenario, in: workflow) else { continue }
        users = DirectoryUsers(directory)
      }
      let scope = ValueScope(names: workflow.inputValues(scenario.body.inputs))
      let behaviors = scenario.body.user.map { $0.over(workflow.user) } ?? workflow.user
      users.addLaterNames(scenario.body.events + stepEvents, behaviors, scope)
      allUsers.merge(users)
      for event in scenario.body.events {
        guard let name = event.subject(in: scope)?.user, !users.contains(name) else { continue }
        findings.append(.unknownUser(name, users, at: event.place(of: name)))
      }
      let outcome = scenario.body.expect?.outcome?.value ?? .success
      guard outcome == .success, let entries = behaviors?.entries else { continue }
      for (number, user) in entries.enumerated() {
        for value in [user.username, user.picks] {
          guard let name = (try? value?.resolved(in: scope)).flatMap({ $0 }), name != "another", !users.contains(name),
            let place = value?.place
          else { continue }
          // Earlier interactions may fail on purpose. The last entry applies to all later interactions, so its user
          // must exist.
          findings.append(.unknownUser(name, users, number + 1 < entries.count ? .warning : .error, at: place))
        }
      }
    }
    allUsers.addLaterNames(stepEvents, workflow.user, ValueScope())
    for event in stepEvents {
      guard let name = event.source.literal?.event.subject.user, !allUsers.contains(name) else { continue }
      findings.append(.unknownUser(name, allUsers, at: event.place(of: name)))
    }
    let reported = Set(findings.map(\.place.identity))
    for behaviors in [workflow.user] + checked.everyStep.map(\.user) {
      for user in behaviors?.entries ?? [] {
        guard let name = user.username?.literal, user.signsUp == nil, !allUsers.contains(name),
          let place = user.username?.place, !reported.contains(place.identity)
        else { continue }
        findings.append(.unknownUser(name, allUsers, .warning, at: place))
      }
    }
    return findings.withoutDuplicates
  }
}

/// The usernames and email addresses that the emulator accepts for the users of a directory.
struct DirectoryUsers: Sendable {
  private var names: Set<String> = []
  /// The usernames as written in the directory, for suggestions.
  private(set) var usernames: [String] = []

  init(_ directory: EmulatedDirectory) {
    for user in directory.tenants.lazy.flatMap(\.users) {
      names.insert(user.username.lowercased())
      if let mail = user.mail { names.insert(mail.lowercased()) }
      usernames.append(user.username)
    }
  }

  func contains(_ name: String) -> Bool { names.contains(name.lowercased()) }

  mutating func merge(_ other: DirectoryUsers) {
    names.formUnion(other.names)
    if usernames.isEmpty { usernames = other.usernames }
  }

  /// Adds the usernames that result from renames and sign-ups.
  mutating func addLaterNames(_ events: [ScriptedEvent], _ behaviors: UserBehaviors?, _ scope: ValueScope) {
    for event in events {
      guard let event = try? event.source.resolved(in: scope)?.event,
        case .usernameChanged(let name) = event.event
      else { continue }
      if let name { names.insert(name.lowercased()) }
      for old in event.subject.user.map({ [$0] }) ?? usernames { names.insert("renamed.\(old.lowercased())") }
    }
    for user in behaviors?.entries ?? [] where user.signsUp != nil {
      if let name = (try? user.username?.resolved(in: scope)).flatMap({ $0 }) { names.insert(name.lowercased()) }
    }
  }
}

extension CheckedWorkflow {
  /// Whether the scenarios run against the emulator.
  var isEmulated: Bool {
    switch workflow.platform {
    case .emulated, nil: true
    case .live, .replay: false
    }
  }

  /// Whether a step creates or invites users, whose names are known only at run time.
  fileprivate var createsUsers: Bool {
    everyStep.contains { step in
      guard case .callGraph = step.action else { return false }
      let text = step.node.json.text().lowercased()
      return text.contains("\"post\"") && (text.contains("users") || text.contains("invitations"))
    }
  }
}

extension ScriptedEvent {
  /// Returns the subject of the event, or nil if it cannot be determined before the run.
  func subject(in scope: ValueScope) -> Directory.SimulatedEvent.Subject? {
    (try? source.resolved(in: scope))?.event.subject
  }

  /// Returns the location of a value in the event, or of the complete event if the value is not found.
  func place(of value: String) -> FileSpan {
    guard let place = source.place, let span = place.span else { return self.place }
    let text = Array(place.source.text(in: span).utf8)
    guard let match = text.ranges(of: Array(value.utf8)).first(where: { Self.isValue($0, in: text) }) else {
      return self.place
    }
    return FileSpan(
      place.source, SourceSpan(start: span.start + match.lowerBound, end: span.start + match.upperBound))
  }

  /// Returns whether a match is a complete value, and not part of a longer word or a key before a colon.
  private static func isValue(_ match: Range<Int>, in text: [UInt8]) -> Bool {
    func isWord(_ byte: UInt8) -> Bool {
      byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
    }
    if match.lowerBound > 0, isWord(text[match.lowerBound - 1]) { return false }
    guard match.upperBound < text.count else { return true }
    if isWord(text[match.upperBound]) { return false }
    let rest = text[match.upperBound...].drop { "\"' ".utf8.contains($0) }
    return rest.first != UInt8(ascii: ":")
  }
}

extension Diagnostic {
  fileprivate static func unknownUser(
    _ name: String, _ users: DirectoryUsers, _ severity: Severity = .error, at place: FileSpan
  ) -> Diagnostic {
    let similar = Suggestion.nearest(to: name, among: users.usernames)
    let list = users.usernames.prefix(8).quotedList + (users.usernames.count > 8 ? ", …" : "")
    return Diagnostic(
      severity, rule: WorkflowCheck.scenarioUser.id, "user `\(name)` is not in the directory",
      help: similar.map { "did you mean `\($0)`?" }
        ?? (users.usernames.isEmpty ? "add the user to the directory" : "use one of \(list)"), at: place)
  }
}

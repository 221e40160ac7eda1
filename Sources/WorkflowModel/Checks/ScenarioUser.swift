import Diagnostics
import Directory
import Documents

extension WorkflowCheck {
  /// Somebody whom the directory does not know: what is to happen to them cannot, and they cannot sign in.
  ///
  /// A user at the keyboard may be unknown on purpose, where the scenario expects that nobody gets in.
  static let scenarioUser = WorkflowCheck(
    "scenario-user", .error, speaksOfUsed: false, "whoever a scenario is about is somebody in the directory"
  ) { checked in
    // Whom a live tenant or a recording knows is not known here; nor is who is made on the way.
    guard let surroundings = checked.surroundings, checked.isEmulated, !checked.makesUsers else { return [] }
    let workflow = checked.workflow
    guard let own = surroundings.directory.map(DirectoryUsers.init) else { return [] }
    let onTheWay = checked.everyStep.flatMap(\.events)
    var found: [Diagnostic] = []
    var everybody = own
    for scenario in checked.cases {
      var cast = own
      if !scenario.body.directory.isEmpty {
        guard let directory = surroundings.directory(of: scenario, in: workflow) else { continue }
        cast = DirectoryUsers(directory)
      }
      let scope = ValueScope(names: workflow.inputValues(scenario.body.inputs))
      let sittings = scenario.body.user.map { $0.over(workflow.user) } ?? workflow.user
      cast.learn(scenario.body.events + onTheWay, sittings, scope)
      everybody.merge(cast)
      for event in scenario.body.events {
        guard let name = event.subject(in: scope)?.user, !cast.knows(name) else { continue }
        found.append(.unknownUser(name, cast, at: event.place(of: name)))
      }
      let outcome = scenario.body.expect?.outcome?.value ?? "success"
      guard outcome == "success", let entries = sittings?.entries else { continue }
      for (number, user) in entries.enumerated() {
        for name in [user.username, user.picks] {
          guard let text = (try? name?.resolved(in: scope)).flatMap({ $0 }), text != "another", !cast.knows(text),
            let place = name?.place
          else { continue }
          // Who sits down first may fail on purpose; the last repeats.
          found.append(.unknownUser(text, cast, number + 1 < entries.count ? .warning : .error, at: place))
        }
      }
    }
    everybody.learn(onTheWay, workflow.user, ValueScope())
    for event in onTheWay {
      guard let name = event.written.literal?.event.subject.user, !everybody.knows(name) else { continue }
      found.append(.unknownUser(name, everybody, at: event.place(of: name)))
    }
    let told = Set(found.map(\.place.identity))
    for sittings in [workflow.user] + checked.everyStep.map(\.user) {
      for user in sittings?.entries ?? [] {
        guard let name = user.username?.literal, user.signsUp == nil, !everybody.knows(name),
          let place = user.username?.place, !told.contains(place.identity)
        else { continue }
        found.append(.unknownUser(name, everybody, .warning, at: place))
      }
    }
    return found.withoutRepetitions
  }
}

/// The people of a directory, by the names under which the platform finds them.
struct DirectoryUsers: Sendable {
  private var names: Set<String> = []
  /// As they are written, for a suggestion.
  private(set) var usernames: [String] = []

  init(_ directory: EmulatedDirectory) {
    for user in directory.tenants.lazy.flatMap(\.users) {
      names.insert(user.username.lowercased())
      if let mail = user.mail { names.insert(mail.lowercased()) }
      usernames.append(user.username)
    }
  }

  func knows(_ name: String) -> Bool { names.contains(name.lowercased()) }

  mutating func merge(_ other: DirectoryUsers) {
    names.formUnion(other.names)
    if usernames.isEmpty { usernames = other.usernames }
  }

  /// Names that somebody has later on: after a change of name, or a sign-up.
  mutating func learn(_ events: [ScriptedEvent], _ sittings: UserBehaviors?, _ scope: ValueScope) {
    for event in events {
      guard let written = try? event.written.resolved(in: scope)?.event,
        case .usernameChanged(let name) = written.event
      else { continue }
      if let name { names.insert(name.lowercased()) }
      for old in written.subject.user.map({ [$0] }) ?? usernames { names.insert("renamed.\(old.lowercased())") }
    }
    for user in sittings?.entries ?? [] where user.signsUp != nil {
      if let name = (try? user.username?.resolved(in: scope)).flatMap({ $0 }) { names.insert(name.lowercased()) }
    }
  }
}

extension CheckedWorkflow {
  /// Whether its scenarios meet the emulated platform.
  var isEmulated: Bool {
    switch workflow.platform {
    case .emulated, nil: true
    case .live, .replay: false
    }
  }

  /// Whether a step makes accounts or invites people, whose names only a run knows.
  fileprivate var makesUsers: Bool {
    everyStep.contains { step in
      guard case .callGraph = step.action else { return false }
      let text = step.node.json.text().lowercased()
      return text.contains("\"post\"") && (text.contains("users") || text.contains("invitations"))
    }
  }
}

extension ScriptedEvent {
  /// Whom it is about, where that can be told before the run.
  func subject(in scope: ValueScope) -> Directory.SimulatedEvent.Subject? {
    (try? written.resolved(in: scope))?.event.subject
  }

  /// Where a value stands in it, not a key that contains the same text; the whole when the runner fills the value in.
  func place(of value: String) -> FileSpan {
    guard let place = written.place, let span = place.span else { return self.place }
    let text = Array(place.source.text(in: span).utf8)
    let wanted = Array(value.utf8)
    guard let found = text.ranges(of: wanted).first(where: { Self.isValue($0, in: text) }) else { return self.place }
    return FileSpan(
      place.source, SourceSpan(start: span.start + found.lowerBound, end: span.start + found.upperBound))
  }

  /// Whether a match is a whole value: no letter or digit touches it, and no colon makes it a key.
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
    _ name: String, _ cast: DirectoryUsers, _ severity: Severity = .error, at place: FileSpan
  ) -> Diagnostic {
    let near = Suggestion.nearest(to: name, among: cast.usernames)
    let shown = cast.usernames.prefix(8).joined(separator: ", ") + (cast.usernames.count > 8 ? ", …" : "")
    return Diagnostic(
      severity, rule: WorkflowCheck.scenarioUser.id, "nobody is called \"\(name)\" in the directory",
      help: near.map { "did you mean \"\($0)\"?" }
        ?? (cast.usernames.isEmpty ? "the directory has no users" : "its users are \(shown)"), at: place)
  }
}

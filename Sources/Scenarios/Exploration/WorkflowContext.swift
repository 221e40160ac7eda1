import Documents
import OrderedCollections
import WorkflowModel

/// The users and apps that occur in a workflow, and the events in its `simulate` steps.
struct WorkflowContext: Sendable {
  /// The usernames in the workflow, except usernames that are known only during a run.
  let usernames: [String]
  /// The names of the workflow's apps if there are several. Otherwise, the list is empty.
  let clients: [String]
  /// The new usernames that the workflow's events assign.
  private let newNames: [String]
  /// The events that undo each step's events, keyed by step ID.
  let undoing: [String: [JSON]]
  private let workflow: Workflow

  init(of workflow: Workflow) {
    self.workflow = workflow
    clients = workflow.clients.count > 1 ? Array(workflow.clients.keys) : []
    var usernames: [String] = []
    let root = workflow.document.root.json
    for key in ["user", "steps", "finally"] { Self.collect(root[key], into: &usernames, isUser: key == "user") }
    var seen: Set<String> = []
    self.usernames = usernames.filter { !$0.contains("${") && seen.insert($0).inserted }
    var undoing: [String: [JSON]] = [:]
    var newNames: [String] = []
    for (id, own) in workflow.ownSteps {
      guard case .simulate(let events) = own.step.action else { continue }
      let undone = events.reversed().compactMap { Self.undo($0.sourceJSON) }
      if !undone.isEmpty { undoing[id] = undone }
      for event in events {
        if let name = event.sourceJSON["usernameChanged"]?["to"]?.string, !name.contains("${") { newNames.append(name) }
      }
    }
    self.undoing = undoing
    self.newNames = newNames.sorted()
  }

  /// Collects the usernames in the values of `user` and `signedIn`.
  private static func collect(_ json: JSON?, into usernames: inout [String], isUser: Bool = false) {
    switch json {
    case .string(let name) where isUser: usernames.append(name)
    case .array(let elements): for element in elements { collect(element, into: &usernames, isUser: isUser) }
    case .object(let members):
      for (key, value) in members {
        let isName = key == "signedIn" || key == "user" || key == "username" && isUser
        guard isName || value.object != nil || value.array != nil else { continue }
        collect(value, into: &usernames, isUser: isName)
      }
    default: break
    }
  }

  /// Returns the event that undoes an event, or nil if the event cannot be undone.
  private static func undo(_ event: JSON) -> JSON? {
    let (word, value): (String, JSON?) =
      if let word = event.string { (word, nil) } else if let first = event.object?.elements.first {
        (first.key, first.value)
      } else { ("", nil) }
    guard value?.text().contains("${") != true else { return nil }
    func about(_ other: String) -> JSON {
      guard let value, value != .null else { return .string(other) }
      return [other: value]
    }
    switch word {
    case "misbehaves": return "stopsMisbehaving"
    case "policyAdded": return value?["name"].map { ["policyRemoved": $0] }
    case "consentRevoked": return about("consentGranted")
    case "consentGranted": return about("consentRevoked")
    case "offline": return "online"
    case "signedOut": return about("signedIn")
    case "sessionsRevoked", "refreshTokenExpired", "accessTokenExpired":
      return about("signedIn")
    default: return nil
    }
  }

  // MARK: Strategies

  /// Returns more strategies for an outcome that depends on which users signed in earlier.
  func recipes(for step: Step, outcome: OutcomeName) -> [OutcomeStrategy] {
    switch (step.kind.key, outcome) {
    case ("loadAccount", .found):
      guard let name = soughtName(step) else { return step.looksUp ? [] : fewer(step) }
      let renamed: [OutcomeStrategy] = newNames.map { other in
        OutcomeStrategy(before: [
          ["usernameChanged": ["user": .string(other), "to": .string(name)]], signedIn(name, step),
        ])
      }
      return [OutcomeStrategy(before: [signedIn(name, step)])] + renamed
    case ("loadAccount", .notFound), ("listAccounts", .notFound), ("signout", .notFound):
      return signedOutStrategies(step)
    case ("silent", .serverDeclinedScopes):
      // A partial grant is possible only if all scopes can be granted.
      guard let scopes = step.namedScopes, !scopes.isEmpty else { return [] }
      let consent: JSON = ["consentGranted": ["scopes": .array(scopes.map { .string($0) })]]
      return [
        OutcomeStrategy(before: [consent, ["wait": "2h"], ["misbehaves": "fewer-scopes"]], undo: ["stopsMisbehaving"])
      ]
    default: return []
    }
  }

  /// Returns the username that a step looks for, or nil if it is known only during a run.
  private func soughtName(_ step: Step) -> String? {
    guard case .loadAccount(let account) = step.action, account.username != nil else { return nil }
    if let name = account.username?.literal { return name }
    let value = step.node.json["loadAccount"]?["username"]?.string ?? ""
    guard value.hasPrefix("${"), value.hasSuffix("}") else { return nil }
    return workflow.inputs[String(value.dropFirst(2).dropLast())]?.defaultNode?.string
  }

  private func signedIn(_ name: String, _ step: Step) -> JSON {
    var subject: JSON = ["user": .string(name)]
    if let client = step.clientName { subject["client"] = .string(client) }
    return ["signedIn": subject]
  }

  /// Returns strategies that sign out one of several users, so that an account lookup is no longer ambiguous.
  private func fewer(_ step: Step) -> [OutcomeStrategy] {
    guard usernames.count > 1 else { return [] }
    return usernames.prefix(Self.most).map { OutcomeStrategy(before: [signedOut($0, step.clientName)]) }
  }

  /// Returns strategies that sign out all of an app's accounts, a single account, or the accounts that occur in the
  /// workflow.
  private func signedOutStrategies(_ step: Step) -> [OutcomeStrategy] {
    let apps: [String?] = clients.isEmpty ? [step.clientName] : clients
    var recipes = clients.isEmpty ? [] : clients.map { OutcomeStrategy(before: [signedOut(nil, $0)]) }
    for user in usernames.prefix(Self.most) {
      for app in apps.prefix(Self.most) { recipes.append(OutcomeStrategy(before: [signedOut(user, app)])) }
    }
    if usernames.count > 1 {
      for app in apps.prefix(Self.most) {
        recipes.append(OutcomeStrategy(before: usernames.prefix(Self.most).map { signedOut($0, app) }))
      }
    }
    return recipes
  }

  private func signedOut(_ user: String?, _ client: String?) -> JSON {
    var subject: JSON = [:]
    if let user { subject["user"] = .string(user) }
    if let client { subject["client"] = .string(client) }
    return subject == [:] ? "signedOut" : ["signedOut": subject]
  }

  /// The maximum number of users and apps to try.
  private static let most = 4
}

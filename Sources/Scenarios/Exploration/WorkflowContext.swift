import Documents
import OrderedCollections
import WorkflowModel

/// What stands around the steps of a workflow: the people and apps that it names, and what it lets happen by itself.
struct WorkflowContext: Sendable {
  /// Who is named as somebody who sits there or has signed in, each once; nobody who is found only in a run.
  let people: [String]
  /// The names of its apps, where there are several.
  let clients: [String]
  /// What people are called from some step on.
  private let newNames: [String]
  /// The events that undo what a step lets happen, by the step's id.
  let undoing: [String: [JSON]]
  private let workflow: Workflow

  init(of workflow: Workflow) {
    self.workflow = workflow
    clients = workflow.clients.count > 1 ? Array(workflow.clients.keys) : []
    var people: [String] = []
    let root = workflow.document.root.json
    for key in ["user", "steps", "finally"] { Self.collect(root[key], into: &people, isUser: key == "user") }
    var seen: Set<String> = []
    self.people = people.filter { !$0.contains("${") && seen.insert($0).inserted }
    var undoing: [String: [JSON]] = [:]
    var newNames: [String] = []
    for (id, own) in workflow.ownSteps {
      guard case .simulate(let events) = own.step.action else { continue }
      let undone = events.reversed().compactMap { Self.undo($0.said) }
      if !undone.isEmpty { undoing[id] = undone }
      for event in events {
        if let name = event.said["usernameChanged"]?["to"]?.string, !name.contains("${") { newNames.append(name) }
      }
    }
    self.undoing = undoing
    self.newNames = newNames.sorted()
  }

  /// Usernames behind `user` and `signedIn`, wherever they stand.
  private static func collect(_ json: JSON?, into people: inout [String], isUser: Bool = false) {
    switch json {
    case .string(let name) where isUser: people.append(name)
    case .array(let elements): for element in elements { collect(element, into: &people, isUser: isUser) }
    case .object(let members):
      for (key, value) in members {
        let isName = key == "signedIn" || key == "user" || key == "username" && isUser
        guard isName || value.object != nil || value.array != nil else { continue }
        collect(value, into: &people, isUser: isName)
      }
    default: break
    }
  }

  /// What makes it as if something had not happened; nil where nothing does.
  private static func undo(_ said: JSON) -> JSON? {
    let (word, value): (String, JSON?) =
      if let word = said.string { (word, nil) } else if let first = said.object?.elements.first {
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

  // MARK: Recipes

  /// What else makes a step end so where people have come and gone before it.
  func recipes(for step: Step, outcome: String) -> [OutcomeStrategy] {
    switch (step.kind.key, outcome) {
    case ("loadAccount", "found"):
      guard let name = soughtName(step) else { return step.looksUp ? [] : fewer(step) }
      let renamed: [OutcomeStrategy] = newNames.map { other in
        OutcomeStrategy(before: [
          ["usernameChanged": ["user": .string(other), "to": .string(name)]], signedIn(name, step),
        ])
      }
      return [OutcomeStrategy(before: [signedIn(name, step)])] + renamed
    case ("loadAccount", "notFound"), ("listAccounts", "notFound"), ("signout", "notFound"): return nobody(step)
    case ("silent", "serverDeclinedScopes"):
      // Fewer than were asked for are granted only where all of them could be.
      guard let scopes = step.namedScopes, !scopes.isEmpty else { return [] }
      let consent: JSON = ["consentGranted": ["scopes": .array(scopes.map { .string($0) })]]
      return [
        OutcomeStrategy(before: [consent, ["wait": "2h"], ["misbehaves": "fewer-scopes"]], undo: ["stopsMisbehaving"])
      ]
    default: return []
    }
  }

  /// The name that a step looks for, as far as it is known before a run.
  private func soughtName(_ step: Step) -> String? {
    guard case .loadAccount(let account) = step.action, account.username != nil else { return nil }
    if let name = account.username?.literal { return name }
    let said = step.node.json["loadAccount"]?["username"]?.string ?? ""
    guard said.hasPrefix("${"), said.hasSuffix("}") else { return nil }
    return workflow.inputs[String(said.dropFirst(2).dropLast())]?.defaultNode?.string
  }

  private func signedIn(_ name: String, _ step: Step) -> JSON {
    var subject: JSON = ["user": .string(name)]
    if let client = step.clientName { subject["client"] = .string(client) }
    return ["signedIn": subject]
  }

  /// One of several people leaves, so that it is clear who is meant.
  private func fewer(_ step: Step) -> [OutcomeStrategy] {
    guard people.count > 1 else { return [] }
    return people.prefix(Self.most).map { OutcomeStrategy(before: [signedOut($0, step.clientName)]) }
  }

  /// Everybody leaves: an app's own account, or one that another app has signed in.
  private func nobody(_ step: Step) -> [OutcomeStrategy] {
    let apps: [String?] = clients.isEmpty ? [step.clientName] : clients
    var recipes = clients.isEmpty ? [] : clients.map { OutcomeStrategy(before: [signedOut(nil, $0)]) }
    for user in people.prefix(Self.most) {
      for app in apps.prefix(Self.most) { recipes.append(OutcomeStrategy(before: [signedOut(user, app)])) }
    }
    if people.count > 1 {
      for app in apps.prefix(Self.most) {
        recipes.append(OutcomeStrategy(before: people.prefix(Self.most).map { signedOut($0, app) }))
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

  /// So many people and apps are tried.
  private static let most = 4
}

import Diagnostics
import Documents

extension WorkflowCheck {
  /// A workflow with both `settings` (for one app) and `clients` (for several apps), or with neither.
  static let settingsAndClients = WorkflowCheck(
    "settings-and-clients", .error, appliesToUsedWorkflows: false,
    "workflow with both `settings` and `clients`, or neither"
  ) { checked in
    let root = checked.workflow.document.root
    switch (root.entry("settings"), root.entry("clients")) {
    case (let settings?, let clients?):
      return [.settingsAndClients(clients.key, settings.key)]
    case (nil, let clients?) where clients.value.count == 0:
      return [.noClients(clients.value)]
    case (nil, nil):
      // A workflow that runs only as part of other workflows uses their settings.
      return [.noSettings(root.entry("authflow")?.key ?? root)]
    default:
      return []
    }
  }
}

extension Diagnostic {
  fileprivate static func settingsAndClients(_ clients: Node, _ settings: Node) -> Diagnostic {
    clients.problem(
      rule: WorkflowCheck.settingsAndClients.id, "`settings` and `clients` cannot be used together",
      help: "move the settings into `clients`", related: [.init("settings are here", at: settings.place)])
  }

  fileprivate static func noClients(_ clients: Node) -> Diagnostic {
    clients.problem(
      rule: WorkflowCheck.settingsAndClients.id, "empty `clients`", help: "add a client: `clients: {mail: Mail.plist}`")
  }

  fileprivate static func noSettings(_ place: Node) -> Diagnostic {
    place.problem(
      .warning, rule: WorkflowCheck.settingsAndClients.id,
      "no settings: this workflow can run only as part of another workflow",
      help: "add `settings: AuthSettings.plist`")
  }
}

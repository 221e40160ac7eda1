import Diagnostics
import Documents

extension WorkflowCheck {
  /// One app has `settings`, several have `clients`.
  static let settingsAndClients = WorkflowCheck(
    "settings-and-clients", .error, speaksOfUsed: false, "a workflow has either settings or clients"
  ) { checked in
    let root = checked.workflow.document.root
    switch (root.entry("settings"), root.entry("clients")) {
    case (let settings?, let clients?):
      return [.bothGiven(clients.key, settings.key)]
    case (nil, let clients?) where clients.value.count == 0:
      return [.noClients(clients.value)]
    case (nil, nil):
      // A workflow that only others use takes theirs.
      return [.noSettings(root.entry("authflow")?.key ?? root)]
    default:
      return []
    }
  }
}

extension Diagnostic {
  fileprivate static func bothGiven(_ clients: Node, _ settings: Node) -> Diagnostic {
    clients.problem(
      rule: WorkflowCheck.settingsAndClients.id, "settings are for one app, clients for several: both are given",
      help: "make the settings one of the clients", related: [.init("the settings are here", at: settings.place)])
  }

  fileprivate static func noClients(_ clients: Node) -> Diagnostic {
    clients.problem(
      rule: WorkflowCheck.settingsAndClients.id, "there is no client", help: "write clients: {mail: Mail.plist}")
  }

  fileprivate static func noSettings(_ place: Node) -> Diagnostic {
    place.problem(
      .warning, rule: WorkflowCheck.settingsAndClients.id, "without settings this workflow can only be used by another",
      help: "write settings: AuthSettings.plist")
  }
}

import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform
import OrderedCollections
import Trust
import WorkflowModel
import WorkflowRunner

/// The hosts, variables, secrets, and files that a live run can access. `run` prints them before the first request.
struct LiveAccess {
  private let hosts: OrderedSet<String>
  private let variables: [String]
  private let secrets: [String]
  private let files: OrderedSet<String>

  init(_ input: LoadedWorkflow, named path: String, grants: Grants) {
    let workflow = input.workflow
    var hosts: OrderedSet<String> = []
    for settings in input.clients.values {
      if let origin = Origin(of: settings.authority.url) { hosts.append(Self.name(of: origin)) }
    }
    var files: OrderedSet<String> = [path]
    for source in workflow.settingsSources.values {
      if case .file(let file) = source {
        files.append(SettingsLoader.path(file.value, relativeTo: file.place.source.name))
      }
    }
    var callsGraph = false
    for workflow in workflow.withUsed {
      files.append(workflow.document.source.name)
      for step in workflow.everyStep {
        let body: APIRequest.Body?
        switch step.action {
        case .callGraph(let call): (callsGraph, body) = (true, call.request.body)
        case .callAPI(let call): body = call.request.body
        default: body = nil
        }
        guard case .file(let file) = body else { continue }
        let path = file.literal.map { SettingsLoader.path($0, relativeTo: workflow.document.source.name) }
        files.append(path ?? "the body file of step \(step.id)")
      }
    }
    if callsGraph {
      for settings in input.clients.values {
        if let origin = Origin(of: settings.graphEndpoint) { hosts.append(Self.name(of: origin)) }
      }
    }
    for host in grants.hosts { hosts.append(host.port.map { "\(host.host):\($0)" } ?? host.host) }
    self.hosts = hosts
    self.files = files
    variables = grants.variables.keys.sorted()
    secrets = grants.secrets.keys.sorted()
  }

  /// The access as text, with one line for each kind.
  var text: String {
    var lines = ["note: this live run can access", "  hosts: \(Self.list(hosts))"]
    if !variables.isEmpty { lines.append("  variables: \(Self.list(variables))") }
    if !secrets.isEmpty { lines.append("  secrets: \(Self.list(secrets))") }
    lines.append("  files: \(Self.list(files))")
    return lines.joined(separator: "\n")
  }

  private static func list(_ names: some Sequence<String>) -> String {
    names.map { CaretFrame.visible($0) }.joined(separator: ", ")
  }

  private static func name(of origin: Origin) -> String {
    origin.scheme == "https" && origin.port == 443 ? origin.host : origin.description
  }
}

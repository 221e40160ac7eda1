import AppRegistration
import Diagnostics
import Documents

struct DeviceCodeNotAllowed: Rule {
  let id = "device-code-not-allowed"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.workflow != nil, let node = file.node else { return [] }
    let all = project.settings(of: file)
    guard all.count == 1, let loaded = all.first, let (_, manifest) = project.registration(of: loaded, in: file),
      let flag = manifest.isPublicClient, flag.value != true
    else { return [] }
    let steps = ["steps", "finally"].compactMap { node[$0] }.flatMap(Self.deviceCodes)
    return steps.map { step in
      finding(
        "the app registration does not allow the device code flow (AADSTS7000218)",
        help: "set the flag in the app manifest to `true` to allow public client flows", at: step.place,
        related: [.init("public client flows are disabled here", at: flag.place)])
    }
  }

  private static func deviceCodes(_ node: Node) -> [Node] {
    if node.string == "deviceCode" { return [node] }
    return node.elements.flatMap(deviceCodes)
      + node.entries.flatMap { key, value -> [Node] in
        if key.string == "deviceCode" { return [key] }
        return ["expect", "capture", "when"].contains(key.string ?? "") ? [] : deviceCodes(value)
      }
  }
}

import AppRegistration
import DeclaredFields
import Diagnostics
import Documents

struct DeviceCodeNotAllowed: Rule {
  let id = "device-code-not-allowed"
  let severity = Diagnostic.Severity.error
  let words = "a workflow signs in with a device code, and the registration does not allow public client flows"
  let help = """
    A device code comes with no redirect URI by which the service could tell that the app is a public one. Unless allowPublicClient \
    (isFallbackPublicClient) is true, it asks for a secret that such an app has not got: AADSTS7000218.
    """
  let bad = RuleExample([
    (
      "tv.yaml",
      #"""
      authflow: 1
      settings: AuthSettings.yaml
      steps:
        - 1️⃣deviceCode
        - callGraph: /me
      """#
    ),
    ("AuthSettings.yaml", "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\n"),
    (
      "manifest.json",
      #"""
      {
        "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "displayName": "Contoso",
        "isFallbackPublicClient": false,
        "publicClient": {"redirectUris": ["msauth.com.contoso.app://auth"]}
      }
      """#
    ),
  ])
  let good = RuleExample([
    (
      "tv.yaml",
      #"""
      authflow: 1
      settings: AuthSettings.yaml
      steps:
        - deviceCode
        - callGraph: /me
      """#
    ),
    ("AuthSettings.yaml", "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\n"),
    (
      "manifest.json",
      #"""
      {
        "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "displayName": "Contoso",
        "isFallbackPublicClient": true,
        "publicClient": {"redirectUris": ["msauth.com.contoso.app://auth"]}
      }
      """#
    ),
  ])

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.workflow != nil, let node = file.node else { return [] }
    let all = project.settings(of: file)
    guard all.count == 1, let loaded = all.first, let (_, manifest) = project.registration(of: loaded, in: file),
      let flag = manifest.isPublicClient, flag.value != true
    else { return [] }
    let steps = ["steps", "finally"].compactMap { node[$0] }.flatMap(Self.deviceCodes)
    return steps.map { step in
      finding(
        "the service refuses a device code to this app: AADSTS7000218",
        help: "allow public client flows in the registration: write true there", at: step.place,
        related: [.init("the registration says so here", at: flag.place)])
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

import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct SandboxNetworkClient: Rule {
  let id = "sandbox-network-client"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.isComplete, let root = file.node, let entitlements = file.entitlements,
      entitlements.isSandboxed?.value == true, entitlements.mayReachNetwork?.value != true,
      let sandbox = root.entry("com.apple.security.app-sandbox"),
      // A helper tool that inherits the sandbox does not need other entitlements.
      root["com.apple.security.inherit"] == nil
    else { return [] }
    let targets = project.app(of: file).targets
    // iOS ignores the macOS sandbox entitlement. The entitlement is relevant only if the target is also built for Mac
    // Catalyst.
    guard !targets.isWithoutMac(file) else { return [] }
    let variant = targets.networkedVariant(of: file)
    let uses = [file, variant].compactMap { $0 }.map(targets.msalUse)
    let isCertain = uses.contains(.certain)
    guard variant != nil && uses.contains(.unknown) || isCertain else { return [] }
    let isForMac = targets.platforms(of: file) != nil || targets.onlyPlatform(pairedWith: file) != .iOS
    let denied = root["com.apple.security.network.client"]
    return [
      finding(
        "app sandbox without `com.apple.security.network.client`: "
          + (isForMac ? "no network access" : "no network access with Mac Catalyst"),
        severity: !isForMac ? .note : isCertain ? .error : .warning,
        help: denied == nil ? "add `com.apple.security.network.client` with the value `true`" : "set it to `true`",
        at: (denied ?? sandbox.key).place,
        related: variant.flatMap { variant in
          variant.node?.entry("com.apple.security.network.client").map {
            [.init("`\(FilePath.name(of: variant.name))` contains the key", at: $0.key.place)]
          }
        } ?? [],
        fix: isCertain && isForMac ? fix(root, denied) : nil)
    ]
  }

  private func fix(_ root: Node, _ denied: Node?) -> Diagnostic.Fix? {
    let key = "com.apple.security.network.client"
    let edits =
      denied.map { TextEdits.replaceValue($0, with: .bool(true)) }
      ?? TextEdits.insertEntry(key, .bool(true), into: root, after: "com.apple.security.app-sandbox")
    return edits.map { .init(description: "allow outgoing connections", edits: $0) }
  }
}

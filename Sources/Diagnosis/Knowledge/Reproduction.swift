import IdentityPlatform

/// A workflow that reproduces a cause on the emulator.
///
/// The file `Data/scenarios/<cause>.yaml` contains a cause's default workflow. The files
/// `Data/scenarios/<cause>.<code>.yaml` reproduce the cause with other codes.
package struct Reproduction: Sendable {
  /// The code or text that the trace of the workflow contains.
  package var code: String
  /// The workflow with its scenario.
  package var workflow: String
}

extension Cause {
  /// The workflows that reproduce the cause. The first is the default workflow.
  package var reproductions: [Reproduction] {
    guard let reproduces, let workflow = EmbeddedData.text("scenarios/\(id).yaml") else { return [] }
    let prefix = "scenarios/\(id)."
    let variants = EmbeddedData.paths(in: "scenarios/").compactMap { path -> Reproduction? in
      guard path.hasPrefix(prefix), path.hasSuffix(".yaml"), path != prefix + "yaml" else { return nil }
      return EmbeddedData.text(path).map {
        Reproduction(code: String(path.dropFirst(prefix.count).dropLast(".yaml".count)), workflow: $0)
      }
    }
    return [Reproduction(code: reproduces, workflow: workflow)] + variants
  }

  /// Returns the workflow for the first of these codes that has a workflow. Otherwise, returns the default workflow, or
  /// nil if no workflow reproduces the cause.
  package func reproduction(of codes: [String]) -> Reproduction? {
    let all = reproductions
    return codes.lazy.compactMap { code in all.first { $0.code == code } }.first ?? all.first
  }
}

/// The parameters of a failed request that a reproducing workflow can reuse. They do not identify a user or a tenant.
package struct FailedRequest: Hashable, Sendable {
  /// The Microsoft Graph permissions that users can consent to.
  package var scopes: [String] = []
  /// The tenant in the authority: `common`, `organizations`, `consumers`, `guid`, or `domain`. Nil if it is unknown or
  /// if the requests differ.
  package var tenant: String?
  /// The value of `prompt`, or nil.
  package var prompt: String?

  package init(scopes: [String] = [], tenant: String? = nil, prompt: String? = nil) {
    (self.scopes, self.tenant, self.prompt) = (scopes, tenant, prompt)
  }

  /// - Parameter scope: The value of the `scope` parameter.
  init(_ facts: Facts, scope: String?) {
    let names = (scope ?? "").split(whereSeparator: { " ,[]\"'+".contains($0) }).map {
      ScopeRules.shortName(of: String($0))
    }
    scopes = names.reduce(into: []) { found, name in
      // The client adds the OpenID Connect scopes to each request.
      guard !WellKnown.openIDScopes.contains(name.lowercased()), let permission = GraphPermission.published(name),
        !permission.needsAdmin
      else { return }
      if !found.contains(permission.name) { found.append(permission.name) }
    }
    func only(_ namespace: String) -> String? {
      let values = facts.values(of: namespace)
      return values.count == 1 ? values[0] : nil
    }
    tenant = only("tenant")
    prompt = only("prompt")
  }

  /// The workflow's `prompt` value for each `prompt` parameter in a request. Both values show the same pages.
  private static let prompts = ["login": "login", "select_account": "selectAccount", "consent": "consent"]

  /// Returns a workflow that uses the parameters of this request. Replaces only default scopes, authorities, and
  /// prompts, because other values are part of the cause.
  package func applied(to workflow: String) -> String {
    var workflow = workflow
    func replace(_ old: String, _ new: String) {
      if let range = workflow.firstRange(of: old) { workflow.replaceSubrange(range, with: new) }
    }
    if !scopes.isEmpty {
      replace("GraphScopes: [User.Read]", "GraphScopes: [\(scopes.prefix(5).joined(separator: ", "))]")
    }
    if let authority, !workflow.contains("Authority:"), !workflow.contains("directory:") {
      replace("BundleId:", "Authority: https://login.microsoftonline.com/\(authority), BundleId:")
    }
    if let prompt = prompt.flatMap({ Self.prompts[$0] }) {
      replace("interactive: {}", "interactive: { prompt: \(prompt) }")
    }
    return workflow
  }

  /// The tenant for the workflow's authority, or nil for the default. Contoso replaces the tenant in the log.
  private var authority: String? {
    switch tenant {
    case "organizations": "organizations"
    case "guid", "domain": "contoso.com"
    default: nil
    }
  }
}

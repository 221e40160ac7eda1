import Diagnostics

// Compares an app's requests with the steps of the project's workflows, which describe the intended requests.

extension DriftCheck {
  /// Reports scopes and prompts that occur only in the workflows or only in the requests.
  mutating func compareWorkflows() {
    let signIns = requests.filter { $0.isAuthorize || $0.isToken }
    guard !signIns.isEmpty else { return }
    compareScopes(signIns)
    let pages = requests.filter(\.isAuthorize)
    if !pages.isEmpty { comparePrompts(pages) }
  }

  private mutating func compareScopes(_ signIns: [TrafficRequest]) {
    let sent = Set(signIns.flatMap(\.scopes).map(Self.scopeName))
    guard !sent.isEmpty, !declared.workflowScopes.isEmpty else { return }
    let settings = Set(declared.scopes.map { Self.scopeName($0.value) })
    for scope in declared.workflowScopes {
      let name = Self.scopeName(scope.value)
      // `traffic-scope-unused` reports scopes from the settings.
      guard !sent.contains(name), !settings.contains(name), !name.hasSuffix("/.default") else { continue }
      report(
        .note, "traffic-workflow-scope", "the workflow requests the scope `\(scope.value)`, but the app did not",
        help: "request the scope in the app, or remove it from the workflow", at: scope.place)
    }
    let names = Set(declared.workflowScopes.map { Self.scopeName($0.value) })
    for request in signIns {
      for scope in request.scopes where !names.contains(Self.scopeName(scope)) && !scope.hasSuffix("/.default") {
        // `traffic-scope-undeclared` reports scopes that appear in neither the settings nor a workflow.
        guard settings.isEmpty || settings.contains(Self.scopeName(scope)) else { continue }
        report(
          .note, "traffic-scope-without-workflow",
          "the app requested the scope `\(scope)`, but no workflow requests it",
          help: "add the scope to the step that acquires the token, or remove it from the app", at: request.place,
          related: declared.workflowScopes.prefix(1).map {
            Diagnostic.Related("a workflow requests different scopes here", at: $0.place)
          })
      }
    }
  }

  private mutating func comparePrompts(_ pages: [TrafficRequest]) {
    guard let signIn = declared.workflowSignIns.first else { return }
    let sent = Set(pages.compactMap { $0.parameters["prompt"] })
    for prompt in declared.workflowPrompts where !sent.contains(prompt.value) {
      report(
        .note, "traffic-workflow-prompt",
        "the workflow sends `prompt=\(prompt.value)`, but the app did not", help: "use the same prompt in both",
        at: prompt.place)
    }
    let declaredPrompts = Set(declared.workflowPrompts.map(\.value))
    for page in pages {
      guard let prompt = page.parameters["prompt"], !declaredPrompts.contains(prompt), prompt != "none" else {
        continue
      }
      report(
        .note, "traffic-prompt-without-workflow",
        "the app sent `prompt=\(prompt)`, but no workflow sends it", help: "use the same prompt in both",
        at: page.place, related: [Diagnostic.Related("a workflow signs in here", at: signIn)])
    }
  }
}

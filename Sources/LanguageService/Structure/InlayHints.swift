import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform
import Validation
import WorkflowModel

/// Text that an editor shows in a line even though it is not part of the document.
package struct InlayHint: Sendable {
  /// The offset at which the text appears.
  package var offset: Int
  package var label: String
  /// The explanation in Markdown.
  package var tooltip: String
}

extension WorkspaceSnapshot {
  /// Returns the hints in a part of a document.
  package func inlayHints(in document: SnapshotDocument, _ span: SourceSpan) -> [InlayHint] {
    guard let file = document.validated, let tree = file.document, tree.source.bytes == document.source.bytes else {
      return []
    }
    var hints: [InlayHint] = []
    if let workflow = file.workflow, workflow.document.source.name == document.name {
      hints += workflow.transitionHints + workflow.scopeHints
    }
    for loaded in file.loadedSettings { hints += loaded.hints(in: document.name) }
    return hints.filter { span.start <= $0.offset && $0.offset <= span.end }.sorted { $0.offset < $1.offset }
  }
}

extension Workflow {
  /// Hints for the targets of outcomes that have no entry in `on` and do not lead to the next step in the file.
  fileprivate var transitionHints: [InlayHint] {
    let lists = [Transitions(steps), Transitions(finally)]
    return lists.flatMap { transitions in
      transitions.steps.indices.compactMap { hint(for: $0, transitions) }
    }
  }

  private func hint(for position: Int, _ transitions: Transitions) -> InlayHint? {
    let step = transitions.steps[position]
    guard step.node.document.source.name == document.source.name else { return nil }
    var targets: [(outcome: OutcomeName, target: String)] = []
    var rows: [String] = []
    for outcome in step.outcomes {
      if outcome.name == .exhausted, step.maxRuns == nil { continue }
      if outcome.name == .skipped, case .always = step.when { continue }
      let (destination, rule) = transitions.leave(position, outcome: outcome.name)
      let target = name(of: destination, transitions)
      rows.append("- `\(outcome.name)` → \(target)")
      guard rule.source == .standard else { continue }
      switch destination {
      case .fallback, .detour: targets.append((outcome.name, target))
      case .step(let next) where outcome.sort == .success && transitions.beyondFallbacks[next] != next:
        // The list order skips fallback steps.
        let beyond = transitions.beyondFallbacks[next]
        let name = beyond < transitions.steps.count ? transitions.steps[beyond].id : "end"
        targets.append((outcome.name, name))
      default: break
      }
    }
    guard !targets.isEmpty else { return nil }
    let label = targets.map { "\($0.outcome) → \($0.target)" }.joined(separator: ", ")
    return InlayHint(
      offset: lineEnd(of: step.node), label: label,
      tooltip: "Targets of the outcomes of `\(step.id)`:\n\n" + rows.joined(separator: "\n"))
  }

  private func name(of destination: Transitions.Destination, _ transitions: Transitions) -> String {
    switch destination {
    case .step(let position), .fallback(let position), .detour(let position): transitions.steps[position].id
    case .success: "end"
    case .failure: "fail"
    }
  }

  /// Returns the end of the line on which a node starts, or the end of the node if more text follows it on the line.
  private func lineEnd(of node: Node) -> Int {
    var end = document.source.lineRange(at: node.span.start).upperBound
    let bytes = document.source.bytes
    while end > node.span.start, ByteClass.isBlank(bytes[end - 1]) { end -= 1 }
    let isAlone = node.span.end >= end || bytes[node.span.end..<end].allSatisfy { $0 == UInt8(ascii: ",") }
    return isAlone ? end : node.span.end
  }

  /// Hints for the scopes that MSAL adds to a step's scopes.
  fileprivate var scopeHints: [InlayHint] {
    (steps + finally).compactMap { step in
      guard let scopes = step.node[step.spelling]?["scopes"], scopes.document.source.name == document.source.name
      else { return nil }
      return InlayHint(addedTo: scopes)
    }
  }
}

extension InlayHint {
  /// Creates the hint for the scopes that MSAL adds to a list, or returns nil if MSAL does not add any.
  fileprivate init?(addedTo scopes: Node) {
    let listed = scopes.kind == .array ? scopes.elements.compactMap(\.string) : scopes.string.map { [$0] } ?? []
    guard !listed.isEmpty, !listed.contains(where: Template.isTemplate), !scopes.document.source.isBinary else {
      return nil
    }
    let requested = ScopeRules.tokenScopes(listed)
    let added = requested.dropFirst(Set(listed).count)
    guard !added.isEmpty else { return nil }
    let bytes = scopes.document.source.bytes
    var end = min(scopes.span.end, bytes.count)
    while end > scopes.span.start, ByteClass.isWhite(bytes[end - 1]) { end -= 1 }
    self.init(
      offset: end, label: "+ \(added.joined(separator: " "))",
      tooltip: "MSAL requests these scopes: `\(requested.joined(separator: " "))`")
  }
}

extension LoadedSettings {
  /// Returns hints for the requested scopes and the redirect URI.
  fileprivate func hints(in file: String) -> [InlayHint] {
    guard let resolved else { return [] }
    var hints: [InlayHint] = []
    if let scopes = settings.scopes, scopes.place.source.name == file, let span = scopes.place.span {
      let added = resolved.tokenScopes.filter { !resolved.scopes.contains($0) }
      if !added.isEmpty {
        hints.append(
          InlayHint(
            offset: Self.contentEnd(span, scopes.place.source), label: "+ \(added.joined(separator: " "))",
            tooltip: "MSAL requests these scopes: `\(resolved.tokenScopes.joined(separator: " "))`"))
      }
    }
    if resolved.customRedirectURI == nil, let uri = resolved.redirectURI,
      let place = resolved.origin(of: "AppId")?.place, place.source.name == file, let span = place.span
    {
      let origin = resolved.origin(of: "BundleId")?.description ?? "default"
      hints.append(
        InlayHint(
          offset: span.end, label: "redirect URI: \(uri)",
          tooltip: "MSAL's default redirect URI. It contains the bundle ID `\(resolved.bundleID)` (\(origin))."))
    }
    return hints
  }

  private static func contentEnd(_ span: SourceSpan, _ source: SourceText) -> Int {
    var end = min(span.end, source.bytes.count)
    while end > span.start, ByteClass.isWhite(source.bytes[end - 1]) { end -= 1 }
    return end
  }
}

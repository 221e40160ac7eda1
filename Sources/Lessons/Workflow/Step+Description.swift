import Documents
import WorkflowModel

extension Step {
  /// What is said about this very step, key by key.
  var inWords: [String] {
    var lines: [String] = []
    if let parameters = node[spelling] {
      if parameters.kind == .mapping {
        for (key, value) in parameters.entries { lines.append("\(key.string ?? ""): \(value.shown)") }
      } else if parameters.kind != .null {
        lines.append(parameters.shown)
      }
    }
    if case .holds = when, let condition = node["when"] {
      lines.append("only where \(condition.conditions)")
    } else if isFallback, spelling != kind.fallbackKey {
      lines.append("only where an earlier step falls back on it, or `on` leads to it")
    }
    if let client { lines.append("as the app \(client.value)") }
    if let names = user?.entries.compactMap({ $0.username?.literal }), let first = names.first {
      lines.append("\(first) sits at the keyboard")
    }
    if let expected = node["expect"] { lines.append("expects \(expected.conditions)") }
    if !capture.isEmpty { lines.append("remembers \(capture.map(\.name).joined(separator: ", "))") }
    if let retry {
      lines.append(retry.isOff ? "never tries again" : "tries up to \(retry.attempts) times")
    }
    if let maxRuns { lines.append("runs at most \(maxRuns) times") }
    if let timeout { lines.append("may take \(DurationText.write(timeout))") }
    return lines
  }
}

extension Node {
  /// A value as it stands in a sentence; what is a secret by its name is left out.
  fileprivate var shown: String {
    switch kind {
    case .array:
      let parts = elements.map { $0.kind == .mapping ? $0.json.text() : $0.shown }
      return parts.joined(separator: " ")
    case .mapping:
      return entries.map { key, value in
        let name = key.string ?? key.scalarText ?? ""
        return "\(name): \(Self.secretNames.contains(name.lowercased()) ? "…" : value.shown)"
      }.joined(separator: ", ")
    default: return string ?? scalarText ?? json.text()
    }
  }

  private static let secretNames: Set<String> = ["authorization", "password", "cookie", "client_secret", "newpassword"]

  /// A mapping of expectations: `status is 200 and $.mail is there`.
  fileprivate var conditions: String {
    guard kind == .mapping else { return shown }
    return entries.map { key, value in
      "\(key.string ?? "") \(value.kind == .mapping ? "(\(value.shown))" : "is \(value.shown)")"
    }.joined(separator: " and ")
  }
}

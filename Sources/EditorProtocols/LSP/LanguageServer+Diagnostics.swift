import Diagnostics
import Documents
import LanguageService
import Synchronization
import Validation

extension LanguageServer {
  /// Publishes the current diagnostics. After several changes in quick succession, the diagnostics are published once,
  /// for the latest text.
  /// - Returns: A task that ends when the diagnostics have been published.
  @discardableResult func publishDiagnostics() -> Task<Void, Never> {
    state.withLock { state in
      state.mustPublishAgain = true
      if let publishing = state.publishing { return publishing }
      let publishing = startInBackground(&state) { [self] in
        while self.state.withLock({ state in
          if !state.mustPublishAgain { state.publishing = nil }
          defer { state.mustPublishAgain = false }
          return state.mustPublishAgain
        }), !Task.isCancelled { await publish() }
      }
      state.publishing = publishing
      return publishing
    }
  }

  private func publish() async {
    let client = state.withLock { $0.client }
    guard !client.pullsDiagnostics else {
      if client.supports("workspace.diagnostics.refreshSupport") {
        await request("workspace/diagnostic/refresh", .null)
      }
      return
    }
    var current: [String: JSON] = [:]
    for workspace in state.withLock({ $0.workspaces }) {
      let snapshot = workspace.snapshot()
      let results = state.withLock { $0.results }
      let diagnostics = LSPDiagnostics(snapshot: snapshot, results: results, client: client)
      for (name, findings) in diagnostics.all() {
        guard !Task.isCancelled else { return }
        let path = snapshot.path(of: name)
        let uri = client.uri(ofPath: path)
        var params: JSON = ["uri": .string(uri), "diagnostics": .array(findings)]
        if let open = snapshot.openDocument(at: path) {
          // The next iteration publishes the diagnostics of a newer version.
          guard workspace.document(path)?.version == open.version else { continue }
          params["version"] = .integer(Int64(open.version))
        }
        current[uri] = params
      }
    }
    let changed = state.withLock { state -> [JSON] in
      var changed: [JSON] = []
      for (uri, params) in current.sorted(by: { $0.key < $1.key })
      where state.published[uri] != params || state.changed.contains(uri) {
        state.published[uri] = params
        state.changed.remove(uri)
        changed.append(params)
      }
      // Clear the diagnostics of files that have no findings and are no longer open.
      for (uri, params) in state.published.sorted(by: { $0.key < $1.key }) where current[uri] == nil {
        let isOpen = state.client.uris.values.contains(uri)
        guard !isOpen else { continue }
        state.published[uri] = nil
        if params["diagnostics"]?.array?.isEmpty == false || params["version"] != nil {
          changed.append(["uri": .string(uri), "diagnostics": []])
        }
      }
      return changed
    }
    for params in changed { notify("textDocument/publishDiagnostics", params) }
  }

  /// Shows the results of a run. Asks the client to request lenses again, and publishes diagnostics.
  ///
  /// Diagnostics are published before the response to the command that ran the scenario. If Eglot in Emacs 28 reads a
  /// message together with a response, it does not process the message until the next message arrives.
  func refreshResults() async {
    let client = state.withLock { $0.client }
    if client.supports("workspace.codeLens.refreshSupport") {
      startInBackground { [self] in await request("workspace/codeLens/refresh", .null) }
    }
    let publishing = publishDiagnostics()
    // A client that requests diagnostics itself might not respond to other requests until it receives the response.
    if !client.pullsDiagnostics { await publishing.value }
  }
}

/// The diagnostics of a snapshot in LSP's format.
struct LSPDiagnostics: LSPFeature {
  let snapshot: WorkspaceSnapshot
  let results: ScenarioResults
  let client: LSPClient

  static func capabilities(for client: LSPClient) -> JSON {
    guard client.pullsDiagnostics else { return [:] }
    return [
      "diagnosticProvider": [
        "identifier": "authflow", "interFileDependencies": true, "workspaceDiagnostics": true,
      ]
    ]
  }

  static let handlers: [String: LSPHandler] = [
    "textDocument/diagnostic": { request throws(RPCError) in
      let document = try request.document()
      let all = LSPDiagnostics(snapshot: request.snapshot, results: request.results, client: request.client)
      return report(all.items(of: document), previous: request.params["previousResultId"]?.string)
    },
    "workspace/diagnostic": { request throws(RPCError) in
      let all = LSPDiagnostics(snapshot: request.snapshot, results: request.results, client: request.client)
      let previous = (request.params["previousResultIds"]?.array ?? []).reduce(into: [String: String]()) {
        if let uri = $1["uri"]?.string { $0[uri] = $1["value"]?.string }
      }
      var files = all.all().map { (path: request.snapshot.path(of: $0.name), findings: $0.findings) }
      // The client keeps the existing findings for files that are not in the report.
      let paths = Set(files.map(\.path))
      for path in previous.keys.map(DocumentURI.path).sorted()
      where !paths.contains(path) && path.hasPrefix(request.snapshot.folder + "/") {
        files.append((path, []))
      }
      let items = files.map { path, findings -> JSON in
        let uri = request.client.uri(ofPath: path)
        var item = report(findings, previous: previous[uri])
        item["uri"] = .string(uri)
        item["version"] = request.snapshot.openDocument(at: path).map { .integer(Int64($0.version)) } ?? .null
        return item
      }
      return ["items": .array(items)]
    },
  ]

  /// Returns a full report, or an unchanged report if the client already has the same findings.
  private static func report(_ findings: [JSON], previous: String?) -> JSON {
    var hasher = Hasher()
    hasher.combine(JSON.array(findings).text())
    let id = String(UInt(bitPattern: hasher.finalize()), radix: 16)
    return id == previous
      ? ["kind": "unchanged", "resultId": .string(id)]
      : ["kind": "full", "resultId": .string(id), "items": .array(findings)]
  }

  /// Returns the findings in all files that have findings or are open, by file name.
  func all() -> [(name: String, findings: [JSON])] {
    var byFile = Dictionary(grouping: snapshot.report.diagnostics) { snapshot.name(of: $0.place.source.name) }
    for path in snapshot.openPaths where byFile[snapshot.name(of: path)] == nil { byFile[snapshot.name(of: path)] = [] }
    for name in snapshot.files.map(\.name) where results.contains(snapshot.path(of: name)) && byFile[name] == nil {
      byFile[name] = []
    }
    return byFile.sorted { $0.key < $1.key }.map { name, findings in
      (name, findings.map(json) + failures(in: name).map(json))
    }
  }

  /// Returns the findings in a document and the failures of its scenarios.
  func items(of document: SnapshotDocument) -> [JSON] {
    findings(in: document).map(json)
  }

  func findings(in document: SnapshotDocument) -> [Diagnostic] {
    snapshot.report.diagnostics.filter { snapshot.name(of: $0.place.source.name) == document.name }
      + results.diagnostics(for: document)
  }

  private func failures(in name: String) -> [Diagnostic] {
    guard results.contains(snapshot.path(of: name)), let document = snapshot.document(at: name) else { return [] }
    return results.diagnostics(for: document)
  }

  /// Returns a finding in LSP's format (LSP 3.17, `Diagnostic`).
  func json(_ finding: Diagnostic) -> JSON {
    var json: JSON = [
      "range": range(of: finding), "severity": .integer(Self.severity(finding.severity)),
      "code": .string(finding.rule), "source": "authflow",
      "message": .string(finding.message + (finding.help.map { "\nhelp: \($0)" } ?? "")),
    ]
    if let page = RulePage.address(of: finding.rule) { json["codeDescription"] = ["href": .string(page)] }
    if client.supports("textDocument.publishDiagnostics.relatedInformation")
      || client.supports("textDocument.diagnostic.relatedInformation"), !finding.related.isEmpty
    {
      json["relatedInformation"] = .array(
        finding.related.map { related in
          [
            "location": [
              "uri": .string(client.uri(ofPath: snapshot.path(of: related.place.source.name))),
              "range": client.range(related.place.span ?? .at(0), in: related.place.source),
            ],
            "message": .string(related.message),
          ]
        })
    }
    return json
  }

  /// Returns the range of a finding. A finding that spans several lines is shown on its first line.
  private func range(of finding: Diagnostic) -> JSON {
    let source = finding.place.source
    let span = finding.place.span ?? .at(0)
    let lineEnd = source.lineRange(at: span.start).upperBound
    return client.range(SourceSpan(start: span.start, end: max(span.start, min(span.end, lineEnd))), in: source)
  }

  private static func severity(_ severity: Diagnostic.Severity) -> Int64 {
    switch severity {
    case .error: 1
    case .warning: 2
    case .note: 3
    }
  }
}

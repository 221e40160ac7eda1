import Diagnostics
import Documents
import EditorProtocols
import Effects
import Handbook
import Lessons
import Reports
import Trust
import WorkflowModel

extension MCPTool {
  /// The maximum size of an unsaved file, in bytes.
  private static let textLimit = 16 << 20

  static let validate = MCPTool(
    name: "validate", title: "Validate app registration files and workflows",
    description: """
      Checks a file or all files in a folder for errors and inconsistencies: app registration files (AuthSettings, \
      Info.plist, MSAL configurations, app manifests, Xcode projects) and workflows. Pass `text` to check unsaved \
      text. Each finding has a rule, a location, and often a fix with edits. The resource authflow://rules/RULE \
      explains a rule.
      """,
    parameters: [
      .path(
        "File or folder, relative to the server's folder; with `text`, the name of the unsaved file",
        isRequired: false),
      MCPParameter(
        name: "text", kind: .text(limit: textLimit),
        description: "Content to check instead of the file on disk"),
      MCPParameter(name: "strict", kind: .bool, description: "Treat warnings as errors"),
    ],
    output: object(
      [
        "findings": list(
          of: [
            "type": "object",
            "properties": [
              "file": string, "line": integer, "column": integer, "severity": ["enum": ["error", "warning", "note"]],
              "rule": string, "message": string, "help": string, "fix": anyObject,
            ], "required": ["file", "severity", "rule", "message"],
          ]),
        "errors": integer, "warnings": integer, "notes": integer,
        "fixable": described(integer, "the number of findings with a fix"),
      ], required: ["findings", "errors", "warnings", "notes"])
  ) { call throws(MCPToolFailure) in
    var text: (path: String, content: String)?
    var path = call.text("path")
    if let content = call.text("text") {
      let name = try call.project.checkedPath(path ?? Self.fileName(for: content), mustExist: false)
      guard call.project.readingWorld.files.kind(of: name) != .directory else {
        throw MCPToolFailure("`\(name)` is a folder", help: "pass the file name of the text as `path`")
      }
      (path, text) = (name, (name, content))
    } else if let named = path {
      path = try call.project.checkedPath(named)
    }
    guard let path else {
      throw MCPToolFailure(
        "nothing to validate", help: "pass `path`, or `text` with the content of a file; `.` is the server's folder")
    }
    let options = call.bool("strict") ? ["--strict"] : []
    let result = try await call.run(["validate", "--format", "json"] + options + [path], text: text)
    guard let findings = result.json, let all = findings.array else { return result.failure }
    func count(_ severity: String) -> JSON {
      .integer(Int64(all.count { $0["severity"]?.string == severity }))
    }
    let json: JSON = [
      "errors": count("error"), "warnings": count("warning"), "notes": count("note"),
      "fixable": .integer(Int64(all.count { $0["fix"] != nil })), "findings": findings,
    ]
    return MCPToolResult(result.adding(to: json), isError: result.status != .success)
  }

  /// Returns a file name for text without a name.
  private static func fileName(for text: String) -> String {
    switch text.first(where: { !$0.isWhitespace }) {
    case "{", "[": "text.json"
    case "<": "text.plist"
    default: "text.yaml"
    }
  }

  static let explain = MCPTool(
    name: "explain", title: "Explain an error, a name, or a file",
    description: """
      Explains an error code (such as AADSTS50076 or MSALErrorInteractionRequired), a pasted error or log, a keyword of \
      workflows or settings, a validation rule, a token claim, or a step type with app code. Also describes a workflow \
      file step by step.
      """,
    parameters: [
      MCPParameter(
        name: "query", kind: .text(limit: 1 << 20),
        description: "A code, a name, pasted error text, or the path of a file", isRequired: true),
      MCPParameter(
        name: "code", kind: .choice(AppCode.Language.allCases.map(\.rawValue)),
        description: "For a step type, the language of the app code"),
    ],
    output: object([
      "found": list(of: anyObject, "explanations, most specific first"),
      "unlisted": list(of: anyObject, "sign-in codes without an explanation"),
      "unknown": list(of: anyObject, "unknown names with suggestions"), "code": list(of: anyObject, "app code"),
      "correlationIds": list(of: string), "traceIds": list(of: string), "timestamps": list(of: string),
      "httpStatuses": list(of: integer), "workflow": anyObject, "kind": string, "see": list(of: string),
    ])
  ) { call throws(MCPToolFailure) in
    let query = call.text("query") ?? ""
    if let path = try call.project.existingFile(query) {
      return try await call.run(["explain", "--format", "json", path]).objectResult
    }
    let language = call.text("code").flatMap(AppCode.Language.init(rawValue:))
    // A glossary lookup finds only the first name in an error text.
    let isText = query.contains { $0.isNewline || ":={".contains($0) }
    let pasted = PastedText(isText ? query : "")
    var explanation = pasted.isEmpty ? Explanation(lookingUp: [query]) : Explanation(pasted: pasted)
    if !explanation.addCodes(for: [query], in: language), language != nil {
      let steps = AppCode.all.map(\.step).joined(separator: ", ")
      throw MCPToolFailure("`code` requires a step type as `query`", help: "use one of \(steps)")
    }
    var json = explanation.json
    let errors = explanation.errors.map { "error: \($0.message)\n  help: \($0.help)" }.joined(separator: "\n")
    if !errors.isEmpty { json["messages"] = .string(errors) }
    let style = TerminalStyle(color: false, unicode: true, width: 100)
    let text = ExplanationText(style: style).explanation(explanation)
    return MCPToolResult(
      json, text: [text, errors].filter { !$0.isEmpty }.joined(separator: "\n"), isError: explanation.status != nil)
  }

  static let settings = MCPTool(
    name: "settings", title: "Show an app's settings as MSAL uses them",
    description: """
      Shows the client ID, authority, scopes, redirect URI, broker support, and Graph endpoint of a settings file, as MSAL \
      resolves them, with the source of each value.
      """,
    parameters: [
      .path("Settings file: AuthSettings.plist, an MSAL Android configuration, or appsettings.json"),
      MCPParameter(
        name: "environment", kind: .text(limit: 64),
        description: "Use the settings for this environment, such as `dev` for AuthSettings.dev.plist"),
    ],
    output: object(
      [
        "clientId": string, "authority": anyObject, "scopes": anyObject, "redirectUri": anyObject, "graph": anyObject,
        "origins": described(anyObject, "the source of each value"),
      ], required: ["authority"])
  ) { call throws(MCPToolFailure) in
    let path = try call.project.checkedFile(call.text("path") ?? "")
    let options = call.text("environment").map { ["--environment=" + $0] } ?? []
    return try await call.run(["settings", "--format", "json", "--explain"] + options + [path]).objectResult
  }
}

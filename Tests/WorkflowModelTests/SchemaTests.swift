import Diagnostics
import Documents
import Testing

import WorkflowModel

/// Tests that the schema and the decoder agree. Both come from the same declarations.
@Suite struct SchemaTests {
  /// Valid steps in many forms.
  static let good: [String] = [
    #""silent""#, #"{"silent": {}}"#, #"{"silent": null}"#, #"{"loadAccount": {"first": true}}"#,
    #"{"callGraph": "/me"}"#,
    #"{"callGraph": {"patch": "/me", "body": {"a": [1, null]}, "headers": {"Prefer": "x"}, "version": "beta"}}"#,
    #"{"callGraph": {"get": "/me/events", "pages": "all", "query": {"$top": 3, "$select": ["a", "b"]}, "saveTo": "x.json"}}"#,
    #"{"callGraph": {"batch": [{"id": "1", "get": "/me"}, {"id": "2", "post": "/x", "body": {}, "dependsOn": ["1"]}]}}"#,
    #"{"callAPI": {"url": "https://a.b/c", "scopes": ["x"], "post": "/d", "body": {"file": "photo.jpg"}}}"#,
    #"{"wait": "90d"}"#,
    #"{"interactive": {"prompt": "login", "scopes": "A B", "webview": "default", "extraScopesToConsent": ["C"], "claims": {"id_token": {"auth_time": null}}}}"#,
    #"{"interactive": {"prompt": "SELECT_ACCOUNT"}, "user": {"mfa": {"totp": "ABC"}, "consent": ["A"], "cancels": "consent", "delay": "16m"}}"#,
    #"{"interactive-fallback": {}, "on": {"error": "end", "internal": "next"}, "retry": {"attempts": 2, "on": ["offline"], "wait": "1s"}}"#,
    #"{"deviceCode": {}, "when": "fallback", "maxRuns": 2, "timeout": "5m", "client": "mail", "tags": "x", "description": "y"}"#,
    #"{"signout": {"signoutFromBrowser": true, "accounts": "all"}, "retry": "none"}"#, #"{"deviceInfo": {}}"#,
    #"{"assert": {"a": {"not": {"contains": 1}}, "silent.status": {"oneOf": [1, 2]}}}"#,
    #"{"parallel": ["silent", {"callGraph": "/me"}]}"#,
    #"{"simulate": ["passwordChanged", {"wait": "2d"}, {"fault": {"at": "token", "response": "reset", "times": "always"}}, {"signedIn": {"user": "a", "scopes": ["b"]}}]}"#,
    #"{"simulate": [{"policyAdded": {"name": "MFA", "for": {"users": "all"}, "require": "mfa", "signInFrequency": "1h", "challengeWith": "claims"}}, "keysRotated", "offline", {"offline": "1m"}]}"#,
    #"{"id": "x-1_Y", "silent": {"forceRefresh": "${x}", "account": "${x}"}, "when": {"x": {"exists": true}}, "capture": {"a": "$.x", "b": ["$.y", "error.code"]}}"#,
    #"{"listAccounts": {"returnOnlySignedInAccounts": false}, "expect": {"$": {"count": 2}, "$[0].username": {"matches": "[a-z]+"}, "outcome": "found"}}"#,
  ]

  /// Invalid steps that the schema can detect.
  static let bad: [String] = [
    #""slient""#, #""wait""#, #""callGraph""#, #""use""#, "{}", "3", #"{"silent": {}, "wait": "1s"}"#,
    #"{"silent": {"forceRefresh": 1}}"#,
    #"{"silent": {"nope": 1}}"#, #"{"silent": {}, "nope": 1}"#, #"{"silent": ""}"#, #"{"wait": 30}"#,
    #"{"wait": "soon"}"#,
    #"{"wait": null}"#, #"{"callGraph": "me"}"#, #"{"callGraph": {"get": "/me", "pages": 0}}"#,
    #"{"callGraph": {"get": "/me", "version": "2"}}"#,
    #"{"callAPI": "example.com"}"#, #"{"interactive": {"prompt": "sometimes"}}"#, #"{"silent": {}, "when": "falback"}"#,
    #"{"silent": {}, "on": {"sucess": "end"}}"#, #"{"silent": {}, "on": {"success": 1}}"#,
    #"{"silent": {}, "retry": {"attempts": 0}}"#,
    #"{"silent": {}, "retry": "off"}"#, #"{"silent": {}, "maxRuns": 0}"#, #"{"silent": {}, "timeout": 3}"#,
    #"{"id": "a b", "silent": {}}"#,
    #"{"silent": {}, "capture": {"a b": "$.x"}}"#, #"{"silent": {}, "capture": {"a": 1}}"#,
    #"{"silent": {}, "user": {"mfa": "no"}}"#,
    #"{"parallel": []}"#, #"{"parallel": "silent"}"#, #"{"simulate": ["signedin"]}"#, #"{"simulate": ["fault"]}"#,
    #"{"simulate": [{"fault": {"at": "token"}}]}"#, #"{"simulate": [{"wait": "2d", "online": {}}]}"#,
    #"{"silent": {}, "user": {"delay": 3}}"#,
    #"{"loadAccount": {"first": "yes"}}"#, #"{"signout": {"accounts": "some"}}"#,
    #"{"silent": {"claims": {"userinfo": {}}}}"#,
  ]

  static func document(_ step: String) -> String {
    #"{"authflow": 1, "settings": "S.plist", "clients": {"mail": "M.plist"}, "inputs": {"x": {}}, "steps": [\#(step), {"id": "after", "wait": "1s"}]}"#
  }

  @Test(arguments: good)
  func bothAccept(_ step: String) throws {
    let (workflow, diagnostics) = readWorkflow(Self.document(step), named: "x.json")
    #expect(diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(workflow?.steps.count == 2)
    let json = try JSON(parsing: Array(Self.document(step).utf8))
    #expect(SchemaValidator(Workflow.schema).violations(of: json) == [])
  }

  @Test(arguments: bad)
  func bothReject(_ step: String) throws {
    let (workflow, diagnostics) = readWorkflow(Self.document(step), named: "x.json")
    let found = diagnostics + (workflow.map { WorkflowChecks.run($0) } ?? [])
    #expect(found.contains { $0.severity == .error }, "the decoder accepts it")
    let json = try JSON(parsing: Array(Self.document(step).utf8))
    #expect(!SchemaValidator(Workflow.schema).violations(of: json).isEmpty, "the schema accepts it")
  }

  @Test(arguments: [
    #"{"authflow": 1}"#, #"{"steps": ["silent"]}"#, #"{"authflow": 2, "steps": ["silent"]}"#,
    #"{"authflow": 1, "steps": []}"#,
    #"{"authflow": 1, "steps": ["silent"], "nope": 1}"#, #"{"authflow": 1, "steps": ["silent"], "maxSteps": 0}"#,
    #"{"authflow": 1, "steps": ["silent"], "platform": "moon"}"#,
    #"{"authflow": 1, "steps": ["silent"], "inputs": {"a": 5}}"#,
    #"{"authflow": 1, "steps": ["silent"], "scenarios": {"a": {"expect": {"requests": {"grph": 1}}}}}"#,
    #"{"authflow": 1, "steps": ["silent"], "scenarios": {"a": {"expect": {"path": ["silent"]}}}}"#,
    #"{"authflow": 1, "steps": ["silent"], "scenarios": {"a": {"gven": []}}}"#, "[]", #""silent""#,
  ])
  func bothRejectDocuments(_ text: String) throws {
    let (workflow, diagnostics) = readWorkflow(text, named: "x.json")
    #expect(diagnostics.contains { $0.severity == .error } || workflow == nil)
    #expect(!SchemaValidator(Workflow.schema).violations(of: try JSON(parsing: Array(text.utf8))).isEmpty)
  }

  @Test func everyStepTypeAndKeyHasADescription() throws {
    let step = Workflow.schema["$defs"]?["step"]?["anyOf"]?[1]?["properties"] ?? .null
    let document = Workflow.schema["properties"] ?? .null
    for properties in [step, document] {
      for (key, schema) in try #require(SchemaValidator.members(properties)) {
        let description = schema["description"]?.string ?? ""
        #expect(!description.isEmpty, "\(key)")
      }
    }
  }
}

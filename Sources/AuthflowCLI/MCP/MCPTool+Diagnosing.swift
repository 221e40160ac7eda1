import Diagnosis
import Documents
import EditorProtocols
import Effects

extension MCPTool {
  static let diagnose = MCPTool(
    name: "diagnose", title: "Find the cause of a failed sign-in",
    description: """
      Finds the cause of a failed sign-in in a log, an error, a response, a redirect URL, or an HTTP archive. Pass \
      the text or the file's path. The result contains the cause with its confidence, the supporting lines, and the \
      fix. If the emulator can reproduce the failure, the result also contains a workflow for the `test` tool. If \
      `determined` is `false`, `needs` describes the missing information.
      """,
    parameters: [
      MCPParameter(name: "text", kind: .text(limit: 1 << 20), description: "The log or error"),
      .path("File with the log, relative to the server's folder", isRequired: false),
    ],
    output: object(
      [
        "determined": boolean, "cause": described([:], "the ID of the cause, or `null`"),
        "confidence": ["type": "number"],
        "candidates": list(of: anyObject), "evidence": list(of: anyObject), "codes": list(of: string),
        "explanation": string, "fix": string, "needs": string, "failures": list(of: anyObject),
        "findings": list(of: anyObject),
      ], required: ["determined"])
  ) { call throws(MCPToolFailure) in
    if let path = call.text("path") {
      return try await call.run(["diagnose", "--format", "json", try call.project.checkedFile(path)]).objectResult
    }
    guard let text = call.text("text") else {
      throw MCPToolFailure("nothing to diagnose", help: "pass `text` with the log, or `path`")
    }
    let diagnosis = Diagnoser.result(of: text)
    guard diagnosis.main != nil else {
      throw MCPToolFailure("the text contains no failed sign-in", help: "pass the error, or a log with the failure")
    }
    return MCPToolResult(diagnosis.json(), text: diagnosis.markdown())
  }
}

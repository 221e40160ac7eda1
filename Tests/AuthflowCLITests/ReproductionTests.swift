import AuthflowCLI
import Diagnosis
import Documents
import SimulatedWorld
import TestSupport
import Testing

/// Tests the workflows that reproduce the causes of failed sign-ins.
@Suite struct ReproductionTests {
  /// A workflow from the knowledge base.
  struct Case: Sendable, CustomTestStringConvertible {
    var cause: String
    var code: String
    var workflow: String
    var testDescription: String { "\(cause) with \(code)" }
  }

  static let cases = KnowledgeBase.shipped.causes.flatMap { cause in
    cause.reproductions.map { Case(cause: cause.id, code: $0.code, workflow: $0.workflow) }
  }

  /// The causes that the emulator cannot create. Their workflows simulate them with a fault.
  private static let causesWithFault: Set<String> = ["tls-not-trusted"]

  /// Runs a workflow and returns its traces without the events that contain the workflow's source.
  private func traces(of test: Case) async throws -> String {
    let session = try TerminalSession(files: ["repro.yaml": test.workflow])
    let result = try await session.run("test", "repro.yaml", "--trace", "traces")
    #expect(result.status == .success, "\(test.testDescription): \(result.output)\(result.error)")
    let traces = session.files.paths.filter { $0.contains("/traces/") }.compactMap(session.files.text)
    let lines = traces.flatMap { $0.split(separator: "\n") }
    return lines.filter { !$0.contains("\"kind\":\"run.started\"") }.joined(separator: "\n")
  }

  @Test(arguments: cases) func `the workflow reproduces the cause`(test: Case) async throws {
    let trace = try await traces(of: test)
    #expect(!trace.isEmpty)
    #expect(trace.contains(test.code), "\(test.testDescription): the trace does not contain the code")
    #expect(test.workflow.contains("fault:") == Self.causesWithFault.contains(test.cause))
    #expect(test.workflow.hasPrefix("# Reproduces the cause `\(test.cause)`: the trace contains \(test.code).\n"))
  }

  /// Validation reports only errors from rules that would have prevented the failure.
  @Test(arguments: cases) func `the workflow is valid except for the cause`(test: Case) async throws {
    let session = try TerminalSession(files: ["repro.yaml": test.workflow])
    let result = try await session.run("validate", "repro.yaml")
    let rules = KnowledgeBase.shipped.causes.first { $0.id == test.cause }?.rules ?? []
    for line in result.output.split(separator: "\n") where line.contains(": error:") {
      let rule = line.split(separator: "[").last?.dropLast() ?? ""
      #expect(rules.contains(String(rule)), "\(test.testDescription): \(line)")
    }
  }

  /// Values from the log do not change the result or the code.
  @Test(arguments: cases) func `values from the failed request do not change the cause`(test: Case) async throws {
    let request = FailedRequest(scopes: ["Mail.Read", "Calendars.Read"], tenant: "guid", prompt: "login")
    let trace = try await traces(
      of: Case(cause: test.cause, code: test.code, workflow: request.applied(to: test.workflow)))
    #expect(trace.contains(test.code), "\(test.testDescription): the trace does not contain the code")
  }

  @Test func `every cause has a workflow or an explanation for the missing workflow`() {
    let causes = KnowledgeBase.shipped.causes.filter { !$0.isGeneric }
    #expect(causes.count == 65)
    for cause in causes {
      #expect(cause.reproductions.isEmpty != (cause.unreproducible == nil), "\(cause.id)")
      #expect(cause.unreproducible?.hasSuffix(".") != false, "\(cause.id)")
    }
    #expect(causes.count { !$0.reproductions.isEmpty } == 58)
  }

  @Test func `the workflow contains the error code from the log`() async throws {
    let log = "AADSTS53001: Device is not in required device state: domain_joined."
    let session = try TerminalSession(files: ["app.log": log])
    let result = try await session.run("diagnose", "app.log", "--write", "repro.yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(session.files.text("repro.yaml")?.contains("AADSTS53001") == true)
  }

  @Test func `the workflow contains the scopes and the prompt from the log, but no identifiers`() async throws {
    let log = """
      https://login.microsoftonline.com/0b1b5601-fa4e-4fa4-8fa4-000000000001/oauth2/v2.0/authorize?client_id=x\
      &scope=Mail.Read%20openid&prompt=select_account
      AADSTS50173: The provided grant has expired due to it being revoked. user ella@fabrikam.example
      """
    let session = try TerminalSession(files: ["app.log": log])
    let result = try await session.run("diagnose", "app.log", "--write", "repro.yaml")
    #expect(result.status == .success, "\(result.error)")
    let workflow = session.files.text("repro.yaml") ?? ""
    #expect(workflow.contains("GraphScopes: [Mail.Read]"), "\(workflow)")
    #expect(workflow.contains("Authority: https://login.microsoftonline.com/contoso.com"))
    #expect(!workflow.contains("fa4e") && !workflow.contains("ella"))
    #expect(try await session.run("test", "repro.yaml").status == .success)
  }

  @Test func `the output explains why there is no workflow`() async throws {
    let log =
      "device_network_not_available_doze_mode: Connection is not available to refresh token because power optimization is enabled."
    let session = try TerminalSession(files: ["app.log": log])
    let text = try await session.run("diagnose", "app.log")
    #expect(text.output.contains("Reproduction:") && text.output.contains("deviceidle"), "\(text.output)")
    let json = try JSON(parsing: try await session.run("diagnose", "app.log", "--format", "json").output)
    #expect(json["scenario"]?.isNull == true)
    #expect(json["unreproducible"]?.string?.contains("deviceidle") == true)
    let written = try await session.run("diagnose", "app.log", "--write", "repro.yaml")
    #expect(written.status == .failed)
    #expect(written.error.contains("deviceidle"))
  }
}

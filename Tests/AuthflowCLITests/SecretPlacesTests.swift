import AuthflowCLI
import Documents
import Effects
import Foundation
import OAuth
import SimulatedWorld
import Testing

/// These tests use a secret in every part of a workflow that accepts values. They search for the secret in all output
/// and all files of a run.
@Suite struct SecretPlacesTests {
  static let secrets = ["s3cret+key/42==", "p&q<r>\"s' ü\\ö", "4%2+", "<a%2Bb> c%41"]

  /// - Parameters:
  ///   - value: A reference to a secret or an input.
  ///   - name: The file to which a step saves a response, or nil to omit this step.
  static func workflow(_ value: String, savesTo name: String?) -> String {
    let on = "on: { error: next, otherStatus: next, notFound: next, forbidden: next }"
    return """
      authflow: 1
      settings: S.yaml
      inputs: { word: { type: string, default: none } }
      user: { username: megan@contoso.com, password: Fake-Megan-1 }
      steps:
        - interactive: { extraQueryParameters: { x-word: "\(value)" } }
        - { id: header, callGraph: { get: /me, headers: { x-word: "\(value)" } }, \(on) }
        - { id: query, callGraph: { get: /me/messages, query: { $search: "\(value)" } }, \(on) }
        - { id: path, callGraph: "/users/\(value)", \(on) }
        - { id: body, callGraph: { patch: /me, body: { displayName: "\(value)" } }, \(on) }
        - { id: rejected, callGraph: { patch: /me, body: { note: "\(value)" } }, \(on) }
        - { id: read, callGraph: { get: /me\(name.map { ", saveTo: \"\($0)\"" } ?? "") }, capture: { name: $.displayName }, \(on) }
        - { id: captured, callGraph: "/groups/${name}", \(on) }
        - { assert: { name: something else }, on: { violated: next } }

      """
  }

  static func session(_ secret: String, value: String) throws -> TerminalSession {
    try TerminalSession(files: [
      "S.yaml": TerminalSession.plainSettings.replacing("User.Read", with: "User.Read, User.ReadWrite"),
      "word.txt": secret,
      "w.yaml": workflow(value, savesTo: secret.contains("/") ? nil : "copy \(value).json"),
      // Omit `saveTo`, because a recording does not contain files.
      "r.yaml": workflow(value, savesTo: nil),
    ])
  }

  /// Returns the output and the files of several commands for the same workflow, by name.
  static func outputs(_ session: TerminalSession, _ options: [String]) async throws -> [String: String] {
    let run = try await session.run(
      ["run", "w.yaml", "--fresh", "-v", "--trace", "t.jsonl", "--report", "live.html"] + options)
    let recorded = try await session.run(
      ["run", "r.yaml", "--fresh", "--format", "json", "--record", "recording.jsonl"] + options)
    let report = try await session.run(
      "report", "t.jsonl", "--html", "r.html", "--har", "r.har", "--otlp", "r.otlp", "--markdown", "r.md", "--junit",
      "r.xml", "--mermaid", "r.mmd")
    #expect(report.status == .success, "\(report.error)")
    #expect(recorded.status == .success, "\(recorded.output)\(recorded.error)")
    var outputs = [
      "run": run.output + run.error, "record": recorded.output + recorded.error, "report": report.output + report.error,
    ]
    for name in ["t.jsonl", "live.html", "recording.jsonl", "r.html", "r.har", "r.otlp", "r.md", "r.xml", "r.mmd"] {
      let text = try #require(session.files.text(name), "\(name)")
      outputs[name] = text
    }
    return outputs
  }

  // MARK: Search

  static func escaped(_ text: String, _ table: [Character: String]) -> String {
    text.map { table[$0] ?? String($0) }.joined()
  }

  /// Returns the encodings of a secret. Omits encodings that are shorter than four bytes, because they can occur in any
  /// text.
  static func encodings(_ secret: String) -> Set<String> {
    let json = String(JSON.string(secret).text().dropFirst().dropLast())
    let percent = PercentEncoding.encode(secret)
    let html: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    let hex = secret.utf8.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    var encodings: Set<String> = [
      secret, percent, FormCoding.encode(secret), PercentEncoding.encode(percent),
      percent.replacing("%2F", with: "/"), percent.replacing("%2B", with: "+"),
      percent.replacing("%2F", with: "/").replacing("%2B", with: "+"),
      percent.replacing("%2F", with: "/").replacing("%3D", with: "=").replacing("%2B", with: "+"),
      percent.replacing(/%25([0-9A-F]{2})/) { "%" + $0.output.1 },
      percent.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }, json, json.replacing("/", with: "\\/"),
      escaped(json, ["<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027"]), escaped(secret, html),
      escaped(json, html), escaped(secret, html).replacing("&#39;", with: "'"), hex, hex.uppercased(),
      String(JSON.string(json).text().dropFirst().dropLast()),
    ]
    for offset in 0..<3 {
      let encoded = Base64.encode([UInt8](repeating: 0, count: offset) + Array(secret.utf8)).filter { $0 != "=" }
      let part = String(encoded.dropFirst([0, 2, 3][offset]).dropLast())
      encodings.insert(part)
      encodings.insert(part.replacing("+", with: "-").replacing("/", with: "_"))
    }
    return encodings.filter { $0.utf8.count >= 4 }
  }

  static func leaks(of secret: String, in text: String) -> [String] {
    // Use `strstr`, because it is faster than Swift's string search. The output and the list of encodings are long.
    text.withCString { text in encodings(secret).filter { $0.withCString { strstr(text, $0) != nil } }.sorted() }
  }

  // MARK: Tests

  @Test("writes a placeholder instead of a secret, in any encoding", arguments: secrets)
  func masksSecretsEverywhere(_ secret: String) async throws {
    let session = try Self.session(secret, value: "${secret:WORD}")
    let masked = try await Self.outputs(session, ["--secret", "WORD=file:word.txt"])
    for (name, text) in masked { #expect(Self.leaks(of: secret, in: text) == [], "\(name)") }

    // Verify the search: if the value is not a secret, the search finds it in the output.
    let shown = try await Self.outputs(
      try Self.session(secret, value: "${word}"), ["--set", "word=\(secret)"])
    for (name, text) in shown where !Self.leaks(of: secret, in: text).isEmpty {
      // Mermaid and Markdown escape the number sign.
      #expect(masked[name]?.contains("‹secret ") == true, "\(name)")
    }
    for name in ["t.jsonl", "live.html", "r.html", "r.har", "r.otlp", "recording.jsonl"] {
      #expect(!Self.leaks(of: secret, in: shown[name] ?? "").isEmpty, "\(name)")
    }
    #expect((masked["t.jsonl"]?.ranges(of: "‹secret #1›").count ?? 0) >= 12)
    #expect((masked["recording.jsonl"]?.ranges(of: "‹secret #1›").count ?? 0) >= 6)
  }

  @Test("replays a recording with a secret in its URLs and bodies", arguments: secrets)
  func replaysRecordingsWithSecrets(_ secret: String) async throws {
    let session = try Self.session(secret, value: "${secret:WORD}")
    let options = ["--secret", "WORD=file:word.txt"]
    let first = try await session.run(
      ["run", "r.yaml", "--fresh", "--format", "json", "--record", "recording.jsonl"] + options)
    #expect(first.status == .success, "\(first.output)\(first.error)")
    let replay = try await session.run(
      ["run", "r.yaml", "--platform", "replay:recording.jsonl", "--format", "json"] + options)
    #expect(replay.status == .success, "\(replay.output)\(replay.error)")
    #expect(replay.output == first.output)
  }

  @Test("masks a secret in the messages of a failed scenario")
  func failedScenario() async throws {
    let secret = "p&q<r>\"s' ü+ö"
    let word = JSON.string(secret).text()
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: """
          - interactive
          - { id: body, callGraph: { patch: /me, body: { displayName: \(word) } } }
          - { id: read, callGraph: /me }
          """,
        settings: TerminalSession.plainSettings.replacing("User.Read", with: "User.Read, User.ReadWrite"),
        "user: { username: megan@contoso.com, password: Fake-Megan-1, newPassword: \(word) }\n"
          + "scenarios: { one: { expect: { read.$.displayName: something else } } }\n"))
    let result = try await session.run(
      "test", "w.yaml", "--junit", "s.xml", "--json", "s.json", "--report", "s.html", "--tap=s.tap")
    #expect(result.status == .failed, "\(result.output)\(result.error)")
    for name in ["s.xml", "s.json", "s.html", "s.tap"] {
      let text = try #require(session.files.text(name), "\(name)")
      let leaks = Self.leaks(of: secret, in: text)
      #expect(leaks == [], "\(name): \(result.output)")
    }
    #expect(Self.leaks(of: secret, in: result.output + result.error) == [])
    #expect(session.files.text("s.json")?.contains("‹password #") == true)
  }
}

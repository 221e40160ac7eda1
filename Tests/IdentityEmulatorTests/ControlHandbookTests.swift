import Documents
import Effects
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import OAuth
import OrderedCollections
import TestSupport
import Testing

@Suite("Control interface reference")
struct ControlHandbookTests {
  /// A request on the reference page and the documented response.
  private struct Example {
    var line: Int
    var request: [String]
    var status: Int
    var response: String
  }

  private static func page() throws -> String {
    let page = ProjectFiles.directory.appending(path: "Sources/authflow/authflow.docc/Reference/EmulatorControl.md")
    return String(decoding: try ProjectFiles.bytes(of: page), as: UTF8.self)
  }

  private static func examples() throws -> [Example] {
    var examples: [Example] = []
    var fence: (kind: String, line: Int, body: [String])?
    var request: (line: Int, lines: [String])?
    for (number, line) in try page().split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.hasPrefix("```") else {
        fence?.body.append(String(line))
        continue
      }
      guard let open = fence else {
        fence = (String(line.dropFirst(3)), number + 1, [])
        continue
      }
      fence = nil
      if open.kind == "http" { request = (open.line, open.body) }
      if open.kind.hasPrefix("json"), let pending = request {
        examples.append(
          Example(
            line: pending.line, request: pending.lines, status: Int(open.kind.dropFirst(5)) ?? 200,
            response: open.body.joined(separator: "\n")))
        request = nil
      }
    }
    return examples
  }

  @Test("all examples are correct, and every request has an example")
  func examples() async throws {
    let stage = Stage()
    var documented: [[String]] = []
    for example in try Self.examples() {
      let start = try #require(example.request.first).split(separator: " ", maxSplits: 1).map(String.init)
      var path = start[1]
      if path.contains("{user code}") {
        let devices = try await stage.json("https://login.microsoftonline.com/_authflow/devices")
        let code = try #require(devices["devices"]?.array?.last?["userCode"]?.string)
        documented.append([start[0], path])
        path = path.replacing("{user code}", with: code)
      } else {
        documented.append([start[0], String(path.prefix { $0 != "?" })])
      }
      let blank = example.request.firstIndex(of: "") ?? example.request.endIndex
      var headers: HTTPFields = [:]
      for line in example.request[1..<max(1, blank)] {
        let parts = line.split(separator: ":", maxSplits: 1)
        headers[try #require(HTTPField.Name(String(parts[0])))] = parts[1].trimmingPrefix(" ").description
      }
      let body = example.request.dropFirst(blank + 1).joined(separator: "\n")
      let method = try #require(HTTPRequest.Method(start[0]))
      let response = try await stage.send(
        method, "https://login.microsoftonline.com" + path, headers: headers, body: Array(body.utf8))
      let text = String(decoding: response.body, as: UTF8.self)
      #expect(response.head.status.code == example.status, "line \(example.line): \(text)")
      let expected = try JSON(parsing: Array(example.response.utf8))
      let difference = Self.difference(try JSON(parsing: response.body), expected, "")
      #expect(difference == nil, "line \(example.line): \(difference ?? "")\n\(text.prefix(600))")
    }
    let index = try await stage.json("https://login.microsoftonline.com/_authflow/")
    for request in try #require(index["requests"]?.array) {
      let method = try #require(request["method"]?.string)
      let pattern = try #require(request["path"]?.string).split(separator: "/")
      let isDocumented = documented.contains { example in
        let segments = example[1].split(separator: "/")
        return example[0] == method && segments.count == pattern.count
          && zip(segments, pattern).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
      }
      #expect(isDocumented, "\(method) \(pattern.joined(separator: "/")) has no example")
    }
  }

  /// Returns the first difference between a response and the documented response. `…` matches any value, or the rest of
  /// a list or object.
  private static func difference(_ actual: JSON, _ expected: JSON, _ path: String) -> String? {
    if expected.string == "…" { return nil }
    if let members = expected.object, let own = actual.object {
      for (key, value) in members where key != "…" {
        guard let other = own[key] else { return "\(path).\(key) is missing" }
        if let difference = difference(other, value, "\(path).\(key)") { return difference }
      }
      let unexpected = own.keys.filter { members[$0] == nil }
      return unexpected.isEmpty || members["…"] != nil
        ? nil : "\(path) has unexpected members: \(unexpected.joined(separator: ", "))"
    }
    if let list = expected.array, let own = actual.array {
      let isOpen = list.last?.string == "…" || list.first?.string == "…"
      let fixed = list.filter { $0.string != "…" }
      guard isOpen ? own.count >= fixed.count : own.count == list.count else {
        return "\(path) has \(own.count) elements"
      }
      let part = list.first?.string == "…" ? Array(own.suffix(fixed.count)) : Array(own.prefix(fixed.count))
      for (index, pair) in zip(part, fixed).enumerated() {
        if let difference = difference(pair.0, pair.1, "\(path)[\(index)]") { return difference }
      }
      return nil
    }
    return actual == expected ? nil : "\(path) is \(actual.text().prefix(200)), not \(expected.text().prefix(200))"
  }
}

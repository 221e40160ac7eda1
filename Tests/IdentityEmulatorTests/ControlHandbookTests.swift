import Documents
import Effects
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import OAuth
import OrderedCollections
import TestSupport
import Testing

@Suite("The control interface's handbook")
struct ControlHandbookTests {
  /// One request of the page and what it says the answer is.
  private struct Example {
    var line: Int
    var request: [String]
    var status: Int
    var answer: String
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
      if open.kind.hasPrefix("json"), let asked = request {
        examples.append(
          Example(
            line: asked.line, request: asked.lines, status: Int(open.kind.dropFirst(5)) ?? 200,
            answer: open.body.joined(separator: "\n")))
        request = nil
      }
    }
    return examples
  }

  @Test("every example is true, and every request has one")
  func examples() async throws {
    let stage = Stage()
    var shown: [[String]] = []
    for example in try Self.examples() {
      let start = try #require(example.request.first).split(separator: " ", maxSplits: 1).map(String.init)
      var path = start[1]
      if path.contains("{user code}") {
        let devices = try await stage.json("https://login.microsoftonline.com/_authflow/devices")
        let code = try #require(devices["devices"]?.array?.last?["userCode"]?.string)
        shown.append([start[0], path])
        path = path.replacing("{user code}", with: code)
      } else {
        shown.append([start[0], String(path.prefix { $0 != "?" })])
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
      let wanted = try JSON(parsing: Array(example.answer.utf8))
      let difference = Self.difference(try JSON(parsing: response.body), wanted, "")
      #expect(difference == nil, "line \(example.line): \(difference ?? "")\n\(text.prefix(600))")
    }
    let index = try await stage.json("https://login.microsoftonline.com/_authflow/")
    for request in try #require(index["requests"]?.array) {
      let method = try #require(request["method"]?.string)
      let pattern = try #require(request["path"]?.string).split(separator: "/")
      let isShown = shown.contains { example in
        let words = example[1].split(separator: "/")
        return example[0] == method && words.count == pattern.count
          && zip(words, pattern).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
      }
      #expect(isShown, "\(method) \(pattern.joined(separator: "/")) has no example")
    }
  }

  /// Where an answer is not what the page says; `…` stands for anything, and for the rest of a list or an object.
  private static func difference(_ actual: JSON, _ wanted: JSON, _ place: String) -> String? {
    if wanted.string == "…" { return nil }
    if let members = wanted.object, let own = actual.object {
      for (key, value) in members where key != "…" {
        guard let other = own[key] else { return "\(place).\(key) is missing" }
        if let found = difference(other, value, "\(place).\(key)") { return found }
      }
      let more = own.keys.filter { members[$0] == nil }
      return more.isEmpty || members["…"] != nil ? nil : "\(place) has \(more.joined(separator: ", ")) besides"
    }
    if let list = wanted.array, let own = actual.array {
      let isOpen = list.last?.string == "…" || list.first?.string == "…"
      let fixed = list.filter { $0.string != "…" }
      guard isOpen ? own.count >= fixed.count : own.count == list.count else { return "\(place) has \(own.count)" }
      let part = list.first?.string == "…" ? Array(own.suffix(fixed.count)) : Array(own.prefix(fixed.count))
      for (index, pair) in zip(part, fixed).enumerated() {
        if let found = difference(pair.0, pair.1, "\(place)[\(index)]") { return found }
      }
      return nil
    }
    return actual == wanted ? nil : "\(place) is \(actual.text().prefix(200)), not \(wanted.text().prefix(200))"
  }
}

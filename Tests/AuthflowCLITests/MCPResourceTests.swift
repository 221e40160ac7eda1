import AuthflowCLI
import Documents
import OrderedCollections
import TestSupport
import Testing

/// The resources, prompts, and completions of `authflow mcp`.
@Suite struct MCPResourceTests {
  private func text(_ uri: String, _ client: MCPClient) async throws -> String {
    let response = try await client.request("resources/read", ["uri": .string(uri)])
    return try #require(response["result"]?["contents"]?[0]?["text"]?.string, "\(uri): \(response.text())")
  }

  @Test("every listed resource can be read")
  func resources() async throws {
    let client = try await MCPClient.connected()
    let list = try #require(try await client.request("resources/list")["result"]?["resources"]?.array)
    #expect(list.count > 50)
    for resource in list {
      let uri = try #require(resource["uri"]?.string)
      let response = try await client.request("resources/read", ["uri": .string(uri)])
      #expect(response.text().utf8.count <= 256 << 10)
      let content = response["result"]?["contents"]?[0]
      #expect(content?["uri"] == resource["uri"] && content?["mimeType"] == resource["mimeType"])
      #expect(content?["text"]?.string?.isEmpty == false, "\(uri)")
    }
    let names = list.compactMap { $0["uri"]?.string }
    for uri in [
      "authflow://handbook/WritingWorkflows", "authflow://handbook/Language", "authflow://handbook/lessons/silent",
      "authflow://schema/workflow", "authflow://schema/validation", "authflow://errors", "authflow://rules",
      "authflow://handbook/ModelContextProtocol", "authflow://handbook/authflow-mcp",
    ] { #expect(names.contains(uri), "\(uri)") }
    #expect(await client.close() == .success)
  }

  @Test("errors and rules are available through resource templates")
  func templates() async throws {
    let client = try await MCPClient.connected()
    let templates = try await client.request("resources/templates/list")["result"]?["resourceTemplates"]?.array ?? []
    #expect(templates.contains { $0["uriTemplate"] == "authflow://errors/{code}" })
    #expect(try await text("authflow://errors/AADSTS50076", client).contains("AADSTS50076"))
    #expect(try await text("authflow://errors/50076", client).contains("AADSTS50076"))
    #expect(try await text("authflow://rules/app-id-placeholder", client).contains("Corrected:"))
    for uri in [
      "authflow://errors/none", "authflow://rules/none", "file:///etc/passwd", "authflow://handbook/../x", "",
    ] {
      let response = try await client.request("resources/read", ["uri": .string(uri)])
      #expect(response["error"]?["code"] == -32002, "\(uri)")
    }
    #expect(try await client.request("resources/read")["error"]?["code"] == -32602)
    #expect(try await client.request("resources/list", ["cursor": "x"])["error"]?["code"] == -32602)
    #expect(await client.close() == .success)
  }

  @Test("prompts list the tools and validate their arguments")
  func prompts() async throws {
    let client = try await MCPClient.connected()
    let prompts = try await client.request("prompts/list")["result"]?["prompts"]?.array ?? []
    #expect(prompts.count == 5)
    for prompt in prompts {
      let arguments = (prompt["arguments"]?.array ?? []).compactMap { $0["name"]?.string }
      let values = JSON.object(arguments.reduce(into: [:]) { $0[$1] = "Value.yaml" })
      let name = prompt["name"] ?? .null
      let result = try await client.request("prompts/get", ["name": name, "arguments": values])["result"]
      let text = try #require(result?["messages"]?[0]?["content"]?["text"]?.string)
      #expect(text.contains("Value.yaml") && text.contains("`validate`"), "\(text)")
      #expect(try await client.request("prompts/get", ["name": name])["error"]?["code"] == -32602)
      #expect(
        try await client.request("prompts/get", ["name": name, "arguments": ["x": "1"]])["error"]?["code"] == -32602)
    }
    #expect(try await client.request("prompts/get", ["name": "none"])["error"]?["code"] == -32602)
    #expect(await client.close() == .success)
  }

  @Test("completes the arguments of prompts and templates")
  func completion() async throws {
    let client = try await MCPClient.connected(files: ["app/w.yaml": "authflow: 1\n", ".env": "A=1"])
    func complete(_ reference: JSON, _ name: String, _ value: String) async throws -> JSON {
      try await client.request(
        "completion/complete", ["ref": reference, "argument": ["name": .string(name), "value": .string(value)]])
    }
    let codes = try await complete(["type": "ref/resource", "uri": "authflow://errors/{code}"], "code", "AADSTS5007")
    #expect(codes["result"]?["completion"]?["values"]?.array?.contains("AADSTS50076") == true)
    let rules = try await complete(["type": "ref/resource", "uri": "authflow://rules/{rule}"], "rule", "")
    #expect(rules["result"]?["completion"]?["values"]?.array?.count == 100)
    #expect(rules["result"]?["completion"]?["hasMore"] == true)
    let paths = try await complete(["type": "ref/prompt", "name": "fix-findings"], "path", "app")
    #expect(paths["result"]?["completion"]?["values"] == ["app/w.yaml"])
    #expect(try await complete(["type": "ref/prompt", "name": "none"], "path", "")["error"]?["code"] == -32602)
    #expect(try await complete(["type": "other"], "path", "")["error"]?["code"] == -32602)
    #expect(await client.close() == .success)
  }
}

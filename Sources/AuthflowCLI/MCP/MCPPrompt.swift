import Diagnostics
import Documents
import EditorProtocols
import OrderedCollections

/// A prompt of the MCP server: instructions for a common task, including the tools to use.
struct MCPPrompt: Sendable {
  struct Argument: Sendable {
    var name: String
    var description: String
    var isRequired = true
  }

  let name: String
  let title: String
  let description: String
  let arguments: [Argument]
  /// Returns the text for the values of the arguments.
  let text: @Sendable ([String: String]) -> String

  static func named(_ name: String) -> MCPPrompt? { all.first { $0.name == name } }

  /// The prompt as an entry in the `prompts/list` result.
  var json: JSON {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "arguments": .array(
        arguments.map {
          ["name": .string($0.name), "description": .string($0.description), "required": .bool($0.isRequired)]
        }),
    ]
  }

  /// Returns the result of `prompts/get`.
  static func get(_ request: MCPRequest) throws(MCPError) -> JSON {
    let name = try request.text("name")
    guard let prompt = named(name) else {
      let names = all.map(\.name)
      let help =
        Suggestion.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
        ?? "use one of \(names.joined(separator: ", "))"
      throw .invalidParams("unknown prompt `\(CaretFrame.visible(String(name.prefix(80))))`; \(help)")
    }
    let values = try prompt.values(request.params["arguments"] ?? [:])
    return [
      "description": .string(prompt.description),
      "messages": [["role": "user", "content": ["type": "text", "text": .string(prompt.text(values))]]],
    ]
  }

  private func values(_ json: JSON) throws(MCPError) -> [String: String] {
    guard let members = json.object else {
      throw .invalidParams("`arguments` of `\(name)` must be an object, not \(json.typeName)")
    }
    var values: [String: String] = [:]
    for (key, value) in members {
      guard arguments.contains(where: { $0.name == key }) else {
        let names = arguments.map { "`\($0.name)`" }.joined(separator: ", ")
        throw .invalidParams(
          "unknown argument `\(CaretFrame.visible(String(key.prefix(80))))` of `\(name)`; use \(names)")
      }
      guard let text = value.string else {
        throw .invalidParams("argument `\(key)` of `\(name)` must be a string, not \(value.typeName)")
      }
      guard text.utf8.count <= 64 << 10 else {
        throw .invalidParams("argument `\(key)` of `\(name)` is longer than 64 KiB")
      }
      values[key] = text
    }
    for argument in arguments where argument.isRequired && (values[argument.name] ?? "").isEmpty {
      throw .invalidParams("missing argument `\(argument.name)` of `\(name)`: \(argument.description)")
    }
    return values
  }
}

extension MCPPrompt {
  private static let path = Argument(name: "path", description: "File or folder, relative to the server's folder")

  static let all = [
    MCPPrompt(
      name: "fix-findings", title: "Fix validation findings",
      description: "Validate files and fix the findings", arguments: [path],
      text: { values in
        """
        Fix the findings that authflow reports in `\(values["path"] ?? ".")`.

        1. Call the `validate` tool with `path`: `\(values["path"] ?? ".")`.
        2. For each finding, errors first, read the `authflow://rules/RULE` resource if the cause is not clear from \
        the message.
        3. If a finding has a `fix`, apply its edits. Otherwise, make the smallest change that resolves the cause. Do not \
        suppress a finding, and do not invent client IDs, tenant IDs, redirect URIs, or secrets: ask me for values that \
        only I know.
        4. Call `validate` again until there are no errors. If a workflow changed, also call `test` with its path.
        5. List the changes and the remaining findings, with the reason for each.
        """
      }),
    MCPPrompt(
      name: "write-workflow", title: "Write a sign-in workflow",
      description: "Write a workflow with scenarios for a goal",
      arguments: [Argument(name: "goal", description: "The sign-in behavior that the workflow describes")],
      text: { values in
        """
        Write an authflow workflow for this goal: \(values["goal"] ?? "")

        1. Read the resources `authflow://handbook/WritingWorkflows` and `authflow://handbook/Scenarios`. \
        `authflow://schema/workflow` is the JSON Schema of a workflow, and `authflow://handbook/Language` is the reference.
        2. Use the existing settings of this project if there are any. Call `settings` to check them.
        3. Write the workflow as YAML: start with `authflow: 1`, handle the outcomes that a user can cause (such as \
        `interactionRequired` and `userCanceled`), and add scenarios for success and for each handled outcome.
        4. Call `validate` with the text before you write the file, and fix all findings.
        5. Write the file. Then call `run`, `test`, and `explore` with its path. Add scenarios for the untested paths that \
        matter, and handle the outcomes that `explore` reports as unhandled.
        """
      }),
    MCPPrompt(
      name: "explain-error", title: "Explain a sign-in error",
      description: "Explain an error code or a pasted error, and find its cause in this project",
      arguments: [Argument(name: "error", description: "An error code, such as AADSTS50076, or the pasted error text")],
      text: { values in
        """
        Explain this sign-in error and its cause:

        \(values["error"] ?? "")

        1. Call the `explain` tool with the error as `query`. It lists all known codes in the text, most specific first.
        2. Call `validate` with the path `.`, and check whether a finding explains the error.
        3. If a workflow can reproduce the error, find one in the explanation (`workflows`), or write a scenario that \
        causes it, and call `run` with the scenario.
        4. Answer with the cause, the required change to the app or its registration, and what the app should do if the \
        error occurs again. State which parts are certain and which are assumptions.
        """
      }),
    MCPPrompt(
      name: "add-scenarios", title: "Add scenarios to a workflow",
      description: "Find untested paths of a workflow, and add scenarios for them",
      arguments: [Argument(name: "path", description: "Workflow file, relative to the server's folder")],
      text: { values in
        """
        Add the missing scenarios to the workflow `\(values["path"] ?? "")`.

        1. Call `test` with the path and with `coverage` set to `true`, to see which steps and transitions the scenarios cover.
        2. Call `explore` with the path. It returns the shortest scenario for each path, and unhandled outcomes.
        3. Add scenarios for the paths that no scenario covers, to the file that contains the existing scenarios. Give each \
        scenario a name that describes the behavior. Read `authflow://handbook/Scenarios` for the format.
        4. Call `validate` and `test` again. All scenarios must pass. If an expectation fails, decide whether the workflow \
        or the expectation is wrong, and say so.
        """
      }),
    MCPPrompt(
      name: "review-registration", title: "Review an app registration",
      description: "Review an app's sign-in configuration", arguments: [path],
      text: { values in
        """
        Review the app registration in `\(values["path"] ?? ".")`.

        1. Call `validate` with the path, and read `authflow://rules/RULE` for each rule with a finding.
        2. Call `settings` for each settings file, and compare client IDs, redirect URIs, authorities, and scopes across \
        platforms.
        3. Check that redirect URIs are registered, that the app requests only the scopes that it needs, and that the \
        audience fits the app's users.
        4. Answer with a list of problems, most serious first. For each, state the consequence for users and the fix. Do not \
        change files.
        """
      }),
  ]
}

import Diagnostics
import Documents
import Handbook
import IdentityPlatform
import OrderedCollections
import TestSupport
import Testing
import WorkflowModel

/// Tests the table of terms that shipped workflows demonstrate.
@Suite struct ShippedWorkflowTableTests {
  static func workflow(_ text: String) throws -> Workflow {
    let (workflow, diagnostics) = WorkflowDecoder.read(DocumentReader.read(text, named: "w.yaml")) { path in
      DocumentReader.read("AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\n", named: path)
    }
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    return try #require(workflow)
  }

  @Test func findsTheCodesOfAScenario() throws {
    let workflow = try Self.workflow(
      """
      authflow: 1
      name: N
      settings: S.yaml
      steps:
        - loadAccount
        - silent
        - interactive-fallback
      scenarios:
        changed:
          given: [ signedIn: megan@contoso.com, wait: 2d, passwordChanged ]
          expect:
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success]
            silent.error.code: AADSTS50173
        misbehavior:
          given: [ misbehaves: wrong-issuer ]
          expect: { outcome: invalidResponse }
      """)
    let shippedWorkflow = ShippedWorkflow(workflow, file: "w.yaml")
    #expect(shippedWorkflow.scenarios["changed"]?.shows.contains("silent.interactionRequired") == true)
    let changed = Set(shippedWorkflow.scenarios["changed"]?.shows ?? [])
    #expect(
      changed.isSuperset(of: [
        "AADSTS50173", "invalid_grant", "bad_token", "passwordChanged",
      ]))
    #expect(shippedWorkflow.scenarios["misbehavior"]?.shows == ["invalidResponse", "misbehaves", "wrong-issuer"])
    func showing(_ name: String) -> [ShippedWorkflow.CodeOccurrence] {
      guard case .known(let entries) = Glossary.whole.lookUp(name) else { return [] }
      return ShippedWorkflow.showing(entries[0], among: [shippedWorkflow])
    }
    #expect(showing("-50002").map(\.scenario) == ["changed"])
    #expect(showing("AADSTS50173").map(\.scenario) == ["changed"])
    #expect(showing("invalidResponse").map(\.scenario) == ["misbehavior"])
    #expect(showing("deviceCode") == [])
    #expect(showing("loadAccount").map(\.scenario) == ["changed"])
    #expect(showing("xms_cc") == [])
    // The encoded table decodes to the same data.
    #expect(ShippedWorkflow.table(of: [shippedWorkflow]).contains("AADSTS50173"))
  }

  @Test func theTableMatchesTheShippedWorkflows() throws {
    var workflows: [ShippedWorkflow] = []
    for name in try ProjectFiles.files(in: "Workflows") {
      let path = "Workflows/\(name)"
      guard ["yaml", "json", "plist"].contains(where: { name.hasSuffix(".\($0)") }) else { continue }
      let file = DocumentReader.read(try ProjectFiles.bytes(of: path), named: path)
      guard let document = file.document, WorkflowDecoder.isWorkflow(document),
        !WorkflowDecoder.isScenariosFile(document)
      else { continue }
      let (workflow, diagnostics) = WorkflowDecoder.read(file) { other in
        guard let bytes = try? ProjectFiles.bytes(of: other) else {
          return ReadResult(document: nil, diagnostics: [])
        }
        return DocumentReader.read(bytes, named: other)
      }
      #expect(!diagnostics.hasErrors, "\(path)")
      workflows.append(ShippedWorkflow(try #require(workflow), file: path))
    }
    let needed = ShippedWorkflow.needed(workflows, by: Glossary.whole.entries)
    if ProjectFiles.updatesGoldenFiles {
      let text = ShippedWorkflow.table(of: needed) + "\n"
      return try ProjectFiles.write(text, to: "Sources/Handbook/Data/shipped-workflows.txt")
    }
    #expect(
      ShippedWorkflow.table(of: ShippedWorkflow.all) == ShippedWorkflow.table(of: needed),
      "regenerate the table: UPDATE_GOLDEN=1 swift test --filter ShippedWorkflowTableTests")
    #expect(ShippedWorkflow.all.count >= 7)
    // The omitted terms do not change the result for any entry.
    for entry in Glossary.whole.entries {
      #expect(ShippedWorkflow.showing(entry) == ShippedWorkflow.showing(entry, among: workflows), "\(entry.name)")
    }
  }
}

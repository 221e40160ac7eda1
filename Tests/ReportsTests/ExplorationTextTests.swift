import Documents
import Reports
import Testing
import WorkflowModel

@Suite struct ExplorationTextTests {
  static func result(_ proof: (Exploration.Path) -> ExplorationResult.ProofStatus) throws -> ExplorationResult {
    let text = #"{"authflow": 1, "settings": "S.plist", "steps": ["deviceInfo", {"callGraph": "/me"}]}"#
    let document = DocumentReader.read(Array(text.utf8), named: "w.json")
    let (read, _) = WorkflowDecoder.read(document) { path in DocumentReader.read([], named: path) }
    let workflow = try #require(read)
    let exploration = Exploration(workflow)
    return ExplorationResult(
      exploration,
      paths: exploration.paths.map { path in
        .init(
          explored: path, name: "\(path.step.id) ends in \(path.outcome.name)", proof: proof(path), scenario: nil,
          transitions: [])
      })
  }

  @Test func combinesOutcomesWithTheSameReason() throws {
    let result = try Self.result { path in
      switch path.outcome.name.rawValue {
      case "success", "forbidden": .proven
      case "brokerNotAvailable": .unproven(reason: "the outcome depends only on the settings", path: [])
      default:
        .unproven(reason: "no attempt led to this outcome", path: ["deviceInfo.success", "callGraph.success"])
      }
    }
    #expect(
      ExplorationText.render(result) == """
        w.json
        2 steps, 11 paths: 3 proven, 8 not proven on the emulator, 0 different

        findings
          w.json:1:65: warning: API call `callGraph` without a token; its outcome is
          always `unauthorized` [call-before-token]
            add `loadAccount`, `silent`, and `interactive-fallback` before this step

        unhandled failures
          deviceInfo  brokerNotAvailable
          callGraph   offline, unauthorized, forbidden, notFound, throttled,
                      serviceUnavailable, claimsChallenge, and 1 rare one

        paths
          ● deviceInfo ends in success → callGraph
          ○ deviceInfo ends in brokerNotAvailable → failure
              the outcome depends only on the settings
          ● callGraph ends in success → success
          ○ callGraph ends in claimsChallenge, unauthorized, notFound, throttled,
            serviceUnavailable, otherStatus, offline → failure
              no attempt led to this outcome
              instead: deviceInfo.success, callGraph.success
          ● callGraph ends in forbidden → failure

        """)
  }

  @Test func countsPathsThatAreNotFullyTried() throws {
    let result = try Self.result { $0.outcome.name == .success ? .proven : .notTried }
    let text = ExplorationText.render(result)
    #expect(text.contains("2 proven, 0 not proven on the emulator, 0 different, "), "\(text)")
    #expect(text.contains("not fully tried"))
  }
}

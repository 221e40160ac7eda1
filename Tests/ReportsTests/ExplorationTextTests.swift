import Documents
import Reports
import Testing
import WorkflowModel

@Suite struct ExplorationTextTests {
  static func record(_ proof: (Exploration.Path) -> ExplorationResult.ProofStatus) throws -> ExplorationResult {
    let text = #"{"authflow": 1, "settings": "S.plist", "steps": ["deviceInfo", {"callGraph": "/me"}]}"#
    let reading = DocumentReader.read(Array(text.utf8), named: "w.json")
    let (read, _) = WorkflowDecoder.read(reading) { path in DocumentReader.read([], named: path) }
    let workflow = try #require(read)
    let exploration = Exploration(workflow)
    return ExplorationResult(
      exploration,
      paths: exploration.ways.map { way in
        .init(
          way: way, name: "\(way.step.id) ends in \(way.outcome.name)", proof: proof(way), scenario: nil,
          transitions: [])
      })
  }

  /// Outcomes that nothing brings about for one reason are one line.
  @Test func whatIsAlikeIsToldOnce() throws {
    let record = try Self.record { way in
      switch way.outcome.name {
      case "success", "forbidden": .proven
      case "brokerNotAvailable": .notForced(reason: "it depends on the settings alone", path: [])
      default:
        .notForced(reason: "nothing that was tried leads here", path: ["deviceInfo.success", "callGraph.success"])
      }
    }
    #expect(
      ExplorationText.render(record) == """
        w.json
        2 steps, 11 paths: 3 proven, 8 not forced on this platform, 0 different

        findings
          w.json:1:65: warning: no token was acquired before callGraph: nothing is sent,
          and it ends in unauthorized [call-before-token]
            put loadAccount, silent and interactive-fallback before it

        end in failure without a word about it
          deviceInfo  brokerNotAvailable
          callGraph   offline, unauthorized, forbidden, notFound, throttled,
                      serviceUnavailable, claimsChallenge, and 1 rare one

        paths
          ● deviceInfo ends in success → callGraph
          ○ deviceInfo ends in brokerNotAvailable → failure
              it depends on the settings alone
          ● callGraph ends in success → success
          ○ callGraph ends in claimsChallenge, unauthorized, notFound, throttled,
            serviceUnavailable, otherStatus, offline → failure
              nothing that was tried leads here
              instead: deviceInfo.success, callGraph.success
          ● callGraph ends in forbidden → failure

        """)
  }

  @Test func whatWasNotTriedToTheEndIsCounted() throws {
    let record = try Self.record { $0.outcome.name == "success" ? .proven : .notTried }
    let text = ExplorationText.render(record)
    #expect(text.contains("2 proven, 0 not forced on this platform, 0 different, "), "\(text)")
    #expect(text.contains("not tried to the end"))
  }
}

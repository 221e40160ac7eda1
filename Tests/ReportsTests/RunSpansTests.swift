import Documents
import Reports
import TestSupport
import Testing

@Suite struct RunSpansTests {
  private func spans(_ json: JSON) -> [JSON] {
    json["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"]?.array ?? []
  }

  private func attribute(_ name: String, of span: JSON?) -> JSON? {
    span?["attributes"]?.array?.first { $0["key"]?.string == name }?["value"]
  }

  private func isHex(_ text: String?, _ digits: Int) -> Bool {
    guard let text else { return false }
    return text.count == digits && text.allSatisfy { $0.isHexDigit && !$0.isUppercase } && text.contains { $0 != "0" }
  }

  @Test func spansConformToOTLP() throws {
    for run in try RecordedRun.truncatedRuns() {
      let spans = spans(RunSpans(run).json)
      let ids = spans.compactMap { $0["spanId"]?.string }
      #expect(Set(ids).count == spans.count)
      #expect(Set(spans.compactMap { $0["traceId"]?.string }).count == 1)
      for (position, span) in spans.enumerated() {
        #expect(isHex(span["traceId"]?.string, 32) && isHex(span["spanId"]?.string, 16))
        if position == 0 {
          #expect(span["parentSpanId"] == nil)
        } else {
          #expect(ids.contains(span["parentSpanId"]?.string ?? ""))
        }
        let start = UInt64(span["startTimeUnixNano"]?.string ?? "")
        let end = UInt64(span["endTimeUnixNano"]?.string ?? "")
        #expect(start != nil && end != nil && start ?? 1 <= end ?? 0)
        let keys = span["attributes"]?.array?.compactMap { $0["key"]?.string } ?? []
        #expect(Set(keys).count == keys.count && keys.count > 0)
      }
    }
  }

  @Test func createsASpanForEachStepDecisionRequestAndInteraction() throws {
    let spans = spans(RunSpans(try RecordedRun.run()).json)
    let names = spans.compactMap { $0["name"]?.string }
    #expect(names[0] == "run Everything at once" && names[1] == "scenario a name | with `marks`")
    #expect(names.filter { $0.hasPrefix("step ") }.count == 6)
    #expect(names.filter { $0.hasPrefix("decision ") }.count == 3)
    #expect(names.filter { ["GET", "POST", "PATCH", "HTTP"].contains($0) }.count == 6)
    #expect(names.contains("interaction signIn"))
    let member = try #require(spans.first { $0["name"] == "step callGraph#1" })
    let parent = try #require(spans.first { $0["name"] == "step both" })
    #expect(member["parentSpanId"] == parent["spanId"])
    #expect(member["status"] == ["code": 2, "message": "status is 429, not 200"])
    #expect(
      spans.first { $0["name"] == "step interactive" }?["events"]?.array?.map { $0["name"] } == [
        "token.acquired", "cache.written",
      ])
  }

  @Test func httpSpansFollowTheSemanticConventions() throws {
    let http = spans(RunSpans(try RecordedRun.run()).json).filter { $0["kind"] == 3 }
    #expect(http.count == 6)
    let rejected = http[2]
    #expect(attribute("http.request.method", of: rejected) == ["stringValue": "POST"])
    #expect(attribute("server.address", of: rejected) == ["stringValue": "login.microsoftonline.com"])
    #expect(attribute("server.port", of: rejected) == ["intValue": "443"])
    #expect(attribute("http.response.status_code", of: rejected) == ["intValue": "400"])
    #expect(attribute("error.type", of: rejected) == ["stringValue": "400"])
    #expect(attribute("http.request.resend_count", of: rejected) == ["intValue": "1"])
    #expect(rejected["status"] == ["code": 2])
    #expect(attribute("error.type", of: http[1]) == ["stringValue": "_OTHER"])
    #expect(http[1]["status"]?["message"] == "no network: the cable is out")
    #expect(attribute("http.request.method", of: http[5]) == ["stringValue": "_OTHER"])
    #expect(attribute("http.request.method_original", of: http[5]) == ["stringValue": "BREW"])
    #expect(attribute("server.port", of: http[5]) == ["intValue": "8080"])
    #expect(http[0]["status"] == nil && attribute("error.type", of: http[0]) == nil)
    #expect(
      attribute("url.full", of: http[3])?["stringValue"]?.string?.contains("%E2%80%B9state%20%231%E2%80%BA") == true)
  }

  @Test func keepsTraceIDsSentInRequests() throws {
    var run = try RecordedRun.run()
    let derived = spans(RunSpans(run).json)
    #expect(derived.allSatisfy { $0["traceId"]?.string != "0af7651916cd43dd8448eb211c80319c" })
    #expect(spans(RunSpans(run).json) == derived)
    run.traceID = "0af7651916cd43dd8448eb211c80319c"
    let carried = spans(RunSpans(run).json)
    #expect(carried.allSatisfy { $0["traceId"]?.string == "0af7651916cd43dd8448eb211c80319c" })
    #expect(carried.filter { $0["spanId"]?.string == "b7ad6b7169203331" }.map { $0["name"] } == ["POST"])
    for wrong in ["", "0AF7651916CD43DD8448EB211C80319C", String(repeating: "0", count: 32), "0af7"] {
      run.traceID = wrong
      #expect(spans(RunSpans(run).json) == derived, "\(wrong)")
    }
  }

  @Test func batchesContainEverySpanOnce() throws {
    let run = try RecordedRun.run()
    let runSpans = RunSpans(run)
    #expect(runSpans.batches.flatMap(spans) == spans(runSpans.json))
  }

  @Test func interpretsCollectorResponses() {
    func response(_ status: Int, _ body: String) -> CollectorResponse {
      CollectorResponse(status: status, body: Array(body.utf8))
    }
    #expect(response(200, "{}") == .accepted && response(200, "") == .accepted)
    #expect(
      response(200, #"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#)
        == .partly(rejected: 3, "too old"))
    #expect(response(200, #"{"partialSuccess":{"rejectedSpans":3}}"#) == .partly(rejected: 3, ""))
    #expect(response(200, #"{"partialSuccess":{"errorMessage":"use gRPC"}}"#) == .warned("use gRPC"))
    #expect(response(400, #"{"code":3,"message":"bad span"}"#) == .refused(status: 400, "bad span", retryable: false))
    #expect(response(503, "busy") == .refused(status: 503, "", retryable: true))
    #expect(response(302, "") == .refused(status: 302, "", retryable: false))
  }
}

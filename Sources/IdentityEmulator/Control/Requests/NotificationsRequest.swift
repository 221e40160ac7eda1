import Documents
import Effects
import GraphEmulator
import HTTPTypes

extension ControlRequest {
  static let notifications = ControlRequest(
    method: .get, path: "notifications",
    words: "the last change notifications of Graph subscriptions, each with what came of sending it"
  ) { call throws(ControlError) in
    let kept = call.platform.withState { $0.graph.notifications }
    return ["version": 1, "notifications": .array(kept.map(\.json))]
  }
}

extension GraphNotification {
  fileprivate var json: JSON {
    [
      "number": .integer(Int64(number)), "time": .string(time.rfc3339(fractionDigits: 3)), "url": .string(url),
      "outcome": .string(outcome), "body": body,
    ]
  }
}

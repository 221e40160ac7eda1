import Documents
import Effects
import GraphEmulator
import HTTPTypes

extension ControlRequest {
  static let notifications = ControlRequest(
    method: .get, path: "notifications",
    summary: "list recent change notifications for Graph subscriptions and their delivery results"
  ) { call throws(ControlError) in
    let notifications = call.platform.withState { $0.graph.notifications }
    return ["version": 1, "notifications": .array(notifications.map(\.json))]
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

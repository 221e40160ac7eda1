import Effects

/// An entry in the control interface's request log.
struct RequestLogEntry: Hashable, Sendable {
  /// The sequence number, starting at 1. Entries are numbered in the order of their responses.
  var number = 0
  var time: Instant
  var method: String
  /// The URL without the query.
  var url: String
  /// Whether a fault changed the response.
  var isFault: Bool
  /// The HTTP status, or nil if there was no response.
  var status: Int?
  /// The error code in the response, such as `AADSTS65001`.
  var code: String?
  /// The name of the request's test, or nil if there is none.
  var isolation: String?
  var decision = Decision()
  var details = RequestDetails()
}

extension RequestLogEntry {
  /// The maximum length of a string in bytes. Longer strings are truncated, because clients control the length.
  private static let textLimit = 400

  /// The entry with long strings truncated, except the test name, which is used for comparisons.
  var truncated: RequestLogEntry {
    func truncate(_ text: inout String) {
      guard text.utf8.count > Self.textLimit else { return }
      text = String(decoding: text.utf8.prefix(Self.textLimit - 3), as: UTF8.self) + "…"
    }
    func truncate(_ text: inout String?) {
      if var full = text {
        truncate(&full)
        text = full
      }
    }
    var entry = self
    truncate(&entry.method)
    truncate(&entry.url)
    truncate(&entry.code)
    truncate(&entry.decision.reason)
    truncate(&entry.decision.code)
    truncate(&entry.decision.client)
    truncate(&entry.decision.user)
    truncate(&entry.decision.scopes)
    truncate(&entry.decision.grant)
    truncate(&entry.decision.policy)
    return entry
  }
}

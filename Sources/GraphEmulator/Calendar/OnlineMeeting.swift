import Directory
import Documents
import OrderedCollections

/// The Teams meeting for an event.
enum OnlineMeeting {
  static func joinURL(_ id: String, tenantID: String) -> String {
    let thread = String(Fingerprint.of(id), radix: 16)
    return "https://teams.microsoft.com/l/meetup-join/19%3ameeting_\(thread)%40thread.v2/0"
      + "?context=%7b%22Tid%22%3a%22\(tenantID)%22%7d"
  }

  /// Adds an online meeting to an event with `isOnlineMeeting`. Keeps an existing online meeting unchanged, as Outlook
  /// does.
  static func complete(_ event: JSON, before: JSON?, _ subject: GraphSubject) throws(GraphErrorResponse) -> JSON {
    var event = event
    if let before, before["isOnlineMeeting"]?.bool == true {
      for name in ["isOnlineMeeting", "onlineMeeting", "onlineMeetingProvider"] { event[name] = before[name] }
      return event
    }
    guard event["isOnlineMeeting"]?.bool == true else {
      event["onlineMeeting"] = .null
      return event
    }
    let tenantID = subject.member.account.homeTenantID
    let provider = event["onlineMeetingProvider"]?.string ?? "unknown"
    // Personal accounts and older services do not use Teams meetings.
    guard tenantID != Tenant.personalID, ["unknown", "teamsForBusiness"].contains(provider) else {
      throw .notEmulated("online meetings from providers other than teamsForBusiness")
    }
    event["onlineMeetingProvider"] = "teamsForBusiness"
    event["onlineMeeting"] = ["joinUrl": .string(joinURL(event["id"]?.string ?? "", tenantID: tenantID))]
    return event
  }
}

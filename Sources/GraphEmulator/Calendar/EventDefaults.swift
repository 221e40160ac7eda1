import Directory
import Documents
import Effects
import OrderedCollections

/// Default values of event properties.
enum EventDefaults {
  /// Properties that a request cannot set.
  static let readOnly: Set<String> = [
    "id", "@odata.etag", "@odata.context", "createdDateTime", "lastModifiedDateTime", "changeKey", "iCalUId", "type",
    "seriesMasterId", "webLink", "bodyPreview", "isOrganizer", "organizer", "hasAttachments", "originalStart",
    "occurrenceId", EventStore.exceptions,
  ]

  static let defaults: OrderedDictionary<String, JSON> = [
    "categories": [], "transactionId": nil, "originalStartTimeZone": "UTC", "originalEndTimeZone": "UTC",
    "iCalUId": "", "reminderMinutesBeforeStart": 15, "isReminderOn": true, "hasAttachments": false, "subject": "",
    "bodyPreview": "", "importance": "normal", "sensitivity": "normal", "isAllDay": false, "isCancelled": false,
    "isOrganizer": true, "responseRequested": true, "seriesMasterId": nil, "showAs": "busy", "type": "singleInstance",
    "webLink": "", "onlineMeetingUrl": nil, "isOnlineMeeting": false, "onlineMeetingProvider": "unknown",
    "allowNewTimeProposals": true, "occurrenceId": nil, "isDraft": false, "hideAttendees": false,
    "responseStatus": ["response": "organizer", "time": "0001-01-01T00:00:00Z"],
    "body": ["contentType": "html", "content": ""], "start": nil, "end": nil,
    "location": ["displayName": "", "locationType": "default", "uniqueIdType": "unknown"], "locations": [],
    "recurrence": nil, "attendees": [], "organizer": nil, "onlineMeeting": nil,
  ]

  static let properties = PropertyNames(defaults.keys).union([
    "id", "createdDateTime", "lastModifiedDateTime", "changeKey", "originalStart", "calendar", "attachments",
    "instances", ExtendedProperties.name,
  ])

  /// Returns the event with all properties in Outlook's order.
  static func complete(_ event: JSON, id: String, owner: GraphSubject, created: Instant) -> JSON {
    var members: OrderedDictionary<String, JSON> = [
      "id": .string(id), "createdDateTime": .string(created.rfc3339(fractionDigits: 7)),
      "lastModifiedDateTime": .string(created.rfc3339(fractionDigits: 7)), "changeKey": "",
    ]
    for (key, value) in defaults { members[key] = value }
    for (key, value) in event.object ?? [:] where !key.hasPrefix("@odata.") { members[exactName(key)] = value }
    members["id"] = .string(id)
    Attachments.store(in: &members, id: id)
    let user = owner.member.account.user
    let me = MailAddress.json(name: user.shownName, address: user.mail ?? user.username)
    if members["organizer"]?.isNull != false { members["organizer"] = me }
    let organizer = members["organizer"]?["emailAddress"]?["address"]?.string?.lowercased()
    let isOrganizer = organizer == (user.mail ?? user.username).lowercased()
    members["isOrganizer"] = .bool(isOrganizer)
    if !isOrganizer, event.member("responseStatus") == nil {
      members["responseStatus"] = ["response": "accepted", "time": .string(created.rfc3339())]
    }
    if let content = event.member("body")?.member("content")?.string {
      members["bodyPreview"] = .string(BodyContentConversion.preview(content))
    } else if let preview = event.member("bodyPreview")?.string {
      members["body"] = ["contentType": "html", "content": .string(BodyContentConversion.page(preview))]
    }
    members["originalStartTimeZone"] = event.member("start")?.member("timeZone") ?? "UTC"
    members["originalEndTimeZone"] = event.member("end")?.member("timeZone") ?? "UTC"
    if var location = members["location"], let displayName = location["displayName"]?.string, !displayName.isEmpty {
      if location["locationType"] == nil { location["locationType"] = "default" }
      location["uniqueId"] = .string(displayName)
      location["uniqueIdType"] = "private"
      members["location"] = location
      if members["locations"]?.array?.isEmpty != false { members["locations"] = [location] }
    }
    members["attendees"] = .array((members["attendees"]?.array ?? []).map(attendee))
    members["type"] = members["recurrence"]?.isNull == false ? "seriesMaster" : "singleInstance"
    members["iCalUId"] = .string(
      "040000008200E00074C5B7101A82E008" + String(Fingerprint.of(id), radix: 16).uppercased())
    members["webLink"] = .string("https://outlook.office365.com/owa/?itemid=\(id)&exvsurl=1&path=/calendar/item")
    return withChangeKey(.object(members))
  }

  private static func attendee(_ attendee: JSON) -> JSON {
    var attendee = attendee
    if attendee["type"] == nil { attendee["type"] = "required" }
    if attendee["status"] == nil { attendee["status"] = ["response": "none", "time": "0001-01-01T00:00:00Z"] }
    return attendee
  }

  static func exactName(_ name: String) -> String {
    if defaults[name] != nil { return name }
    return properties.exactName(name) ?? name
  }

  /// Returns the event with a change key derived from the event's content.
  static func withChangeKey(_ event: JSON) -> JSON {
    var event = event
    event["changeKey"] = ""
    event["changeKey"] = .string(OutlookID.changeKey(event))
    return event
  }
}

/// Recipients in the format `{"emailAddress": {"name", "address"}}`.
enum MailAddress {
  static func json(name: String, address: String) -> JSON {
    ["emailAddress": ["name": .string(name), "address": .string(address)]]
  }
}

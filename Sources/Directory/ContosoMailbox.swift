import Documents

/// The initial messages and calendar events of Contoso's users.
enum ContosoMailbox {
  private static func time(_ text: String) -> JSON {
    ["dateTime": .string(text), "timeZone": "UTC"]
  }

  private static func address(_ name: String, _ address: String) -> JSON {
    ["emailAddress": ["name": .string(name), "address": .string(address)]]
  }

  /// - Parameters:
  ///   - start: An absolute time, or a time relative to the day of the first request: `+N` or `-N` days, followed by
  ///     the time of day.
  private static func event(
    _ subject: String, from start: String, to end: String, at location: String, organizer: JSON,
    attendees: [JSON] = []
  ) -> JSON {
    [
      "subject": .string(subject), "start": time(start), "end": time(end),
      "location": ["displayName": .string(location)], "organizer": organizer,
      "attendees": .array(
        attendees.map { attendee in
          var entry = attendee
          entry["type"] = "required"
          entry["status"] = ["response": "none", "time": "0001-01-01T00:00:00Z"]
          return entry
        }), "recurrence": nil, "bodyPreview": .string(subject),
    ]
  }

  private static let megan = address("Megan Bowen", "megan@contoso.com")
  private static let adele = address("Adele Vance", "adele@contoso.com")
  private static let bianca = address("Bianca Sol", "bianca@contoso.com")
  private static let carlos = address("Carlos Wynn", "carlos@contoso.com")

  /// Twelve single events and a weekly series. They fill more than one page of ten events.
  static let megansEvents: [JSON] = {
    var events = [
      event(
        "Marketing stand-up", from: "2024-01-01T09:00:00.0000000", to: "2024-01-01T09:15:00.0000000",
        at: "Room 12/1", organizer: megan, attendees: [bianca, carlos]),
      event(
        "One to one with Adele", from: "+1T14:00:00.0000000", to: "+1T14:30:00.0000000", at: "Room 18/2",
        organizer: adele, attendees: [megan]),
      event(
        "Lunch with Bianca", from: "+2T12:00:00.0000000", to: "+2T13:00:00.0000000", at: "Cafeteria", organizer: megan,
        attendees: [bianca]),
    ]
    events[0]["recurrence"] = [
      "pattern": [
        "type": "weekly", "interval": 1, "daysOfWeek": ["monday", "wednesday", "friday"],
        "firstDayOfWeek": "sunday",
      ],
      "range": ["type": "noEnd", "startDate": "2024-01-01", "recurrenceTimeZone": "UTC"],
    ]
    for day in 1...10 {
      events.append(
        event(
          "Campaign review \(day)", from: "+\(day)T16:00:00.0000000", to: "+\(day)T17:00:00.0000000", at: "Room 12/2",
          organizer: megan, attendees: [carlos]))
    }
    return events
  }()

  static let adelesEvents: [JSON] = [
    event(
      "One to one with Megan", from: "+1T14:00:00.0000000", to: "+1T14:30:00.0000000", at: "Room 18/2",
      organizer: adele, attendees: [megan])
  ]

  static let patsEvents: [JSON] = [
    event(
      "Dentist", from: "+3T08:30:00.0000000", to: "+3T09:00:00.0000000", at: "Main Street 5",
      organizer: address("Pat Doe", "pat@outlook.com"))
  ]

  private static func message(_ subject: String, from sender: JSON, received: String, read: Bool, _ text: String)
    -> JSON
  {
    [
      "subject": .string(subject), "from": sender, "sender": sender, "toRecipients": [megan],
      "receivedDateTime": .string(received), "sentDateTime": .string(received), "isRead": .bool(read),
      "bodyPreview": .string(text), "body": ["contentType": "text", "content": .string(text)],
    ]
  }

  static let megansMessages: [JSON] = [
    message(
      "Welcome to Contoso", from: adele, received: "-3T08:00:00Z", read: true, "Good to have you with us, Megan."),
    message(
      "Draft of the spring campaign", from: bianca, received: "-2T10:20:00Z", read: true,
      "Here is the first draft. What do you think?"),
    message(
      "Numbers for the review", from: carlos, received: "-1T15:45:00Z", read: false,
      "The numbers look better than last month."),
    message("Lunch?", from: bianca, received: "-1T16:05:00Z", read: false, "Are you free the day after tomorrow?"),
  ]

  static let megansContacts: [JSON] = [
    [
      "displayName": "Gina Moss", "givenName": "Gina", "surname": "Moss", "companyName": "Fabrikam",
      "emailAddresses": [["name": "Gina Moss", "address": "gina@fabrikam.com"]],
    ]
  ]
}

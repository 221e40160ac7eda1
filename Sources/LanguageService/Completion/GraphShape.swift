import Documents

/// Sample Microsoft Graph responses, as the emulator returns them.
enum GraphShape {
  /// The paths that the emulator supports, with their descriptions.
  static let paths: [(path: String, summary: String)] = [
    ("/me", "the user's profile"), ("/me/calendar", "default calendar"), ("/me/calendars", "calendars"),
    ("/me/calendarView", "events in a period; requires `startDateTime` and `endDateTime`"),
    ("/me/contacts", "contacts"), ("/me/directReports", "direct reports"), ("/me/drive", "the user's drive"),
    ("/me/drive/root/children", "files in the root folder"), ("/me/events", "events in the calendar"),
    ("/me/joinedTeams", "the user's teams"), ("/me/mailFolders", "mail folders"), ("/me/mailboxSettings", "settings"),
    ("/me/manager", "the user's manager"), ("/me/memberOf", "the user's groups and roles"),
    ("/me/messages", "mail"), ("/me/onlineMeetings", "online meetings"), ("/me/people", "relevant people"),
    ("/me/photo", "metadata of the photo"), ("/me/photo/$value", "photo"), ("/me/presence", "presence"),
    ("/me/sendMail", "action that sends mail"), ("/me/todo/lists", "task lists"), ("/groups", "groups"),
    ("/organization", "the tenant"), ("/subscriptions", "subscriptions for change notifications"),
    ("/users", "users in the tenant"),
  ]

  /// Returns a sample response to a GET request, or nil if the path is unknown.
  static func sample(_ path: String) -> JSON? {
    var segments = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map(String.init)
    if path.lowercased().hasPrefix("https:") { segments = Array(segments.dropFirst(2)) }
    if let first = segments.first, first == "v1.0" || first == "beta" { segments.removeFirst() }
    guard let first = segments.first?.lowercased() else { return nil }
    if first == "users", segments.count >= 2 { segments.removeFirst() }
    if first == "me" || first == "users", segments.count == 1 { return first == "me" ? user : collection(user) }
    let names = segments.map { $0.lowercased() }
    if let resource = collections[names.last ?? ""] { return collection(resource) }
    if let resource = single[names.last ?? ""] { return resource }
    // An element of a collection, such as `/me/events/{id}`.
    return names.count >= 2 ? collections[names[names.count - 2]] : nil
  }

  private static func collection(_ element: JSON) -> JSON {
    ["@odata.context": "", "@odata.nextLink": "", "value": [element]]
  }

  private static let user: JSON = [
    "businessPhones": [""], "displayName": "", "givenName": "", "jobTitle": "", "mail": "", "mobilePhone": "",
    "officeLocation": "", "preferredLanguage": "", "surname": "", "userPrincipalName": "", "id": "",
  ]

  private static let person: JSON = ["emailAddress": ["name": "", "address": ""]]
  private static let time: JSON = ["dateTime": "", "timeZone": ""]
  private static let body: JSON = ["contentType": "", "content": ""]

  private static let event: JSON = [
    "id": "", "subject": "", "bodyPreview": "", "body": body, "start": time, "end": time,
    "location": ["displayName": ""],
    "attendees": [["type": "", "status": ["response": "", "time": ""], "emailAddress": ["name": "", "address": ""]]],
    "organizer": person, "isAllDay": false, "isCancelled": false, "isOrganizer": false, "isOnlineMeeting": false,
    "onlineMeeting": ["joinUrl": ""], "recurrence": nil, "responseStatus": ["response": "", "time": ""],
    "sensitivity": "", "showAs": "", "type": "", "webLink": "", "createdDateTime": "", "lastModifiedDateTime": "",
    "changeKey": "", "categories": [""], "hasAttachments": false, "importance": "", "iCalUId": "", "seriesMasterId": "",
  ]

  private static let message: JSON = [
    "id": "", "subject": "", "bodyPreview": "", "body": body, "from": person, "sender": person,
    "toRecipients": [person], "ccRecipients": [person], "bccRecipients": [person], "replyTo": [person],
    "receivedDateTime": "", "sentDateTime": "", "createdDateTime": "", "lastModifiedDateTime": "", "isRead": false,
    "isDraft": false, "hasAttachments": false, "importance": "", "categories": [""], "conversationId": "",
    "internetMessageId": "", "parentFolderId": "", "flag": ["flagStatus": ""], "webLink": "", "changeKey": "",
  ]

  private static let driveItem: JSON = [
    "id": "", "name": "", "size": 0, "webUrl": "", "createdDateTime": "", "lastModifiedDateTime": "", "eTag": "",
    "cTag": "", "file": ["mimeType": "", "hashes": ["quickXorHash": ""]], "folder": ["childCount": 0],
    "parentReference": ["driveId": "", "id": "", "path": ""],
  ]

  private static let calendar: JSON = [
    "id": "", "name": "", "color": "", "isDefaultCalendar": true, "canEdit": true, "canShare": true,
    "owner": ["name": "", "address": ""],
  ]

  private static let group: JSON = [
    "id": "", "displayName": "", "description": "", "mail": "", "mailEnabled": false, "securityEnabled": true,
    "groupTypes": [""], "createdDateTime": "", "visibility": "",
  ]

  private static let meeting: JSON = [
    "id": "", "subject": "", "startDateTime": "", "endDateTime": "", "joinWebUrl": "", "creationDateTime": "",
  ]

  private static let collections: [String: JSON] = [
    "users": user, "directreports": user, "members": user, "owners": user, "events": event, "calendarview": event,
    "instances": event, "messages": message, "children": driveItem, "calendars": calendar, "groups": group,
    "memberof": group, "transitivememberof": group, "onlinemeetings": meeting,
    "contacts": [
      "id": "", "displayName": "", "givenName": "", "surname": "", "emailAddresses": [["name": "", "address": ""]],
      "businessPhones": [""], "mobilePhone": "", "companyName": "", "jobTitle": "",
    ],
    "people": [
      "id": "", "displayName": "", "givenName": "", "surname": "", "jobTitle": "", "userPrincipalName": "",
      "scoredEmailAddresses": [["address": "", "relevanceScore": 0]],
    ],
    "mailfolders": [
      "id": "", "displayName": "", "parentFolderId": "", "childFolderCount": 0, "unreadItemCount": 0,
      "totalItemCount": 0,
    ],
    "attachments": ["id": "", "name": "", "contentType": "", "size": 0, "isInline": false, "contentBytes": ""],
    "lists": ["id": "", "displayName": "", "isOwner": true, "isShared": false, "wellknownListName": ""],
    "tasks": ["id": "", "title": "", "status": "", "importance": "", "body": body, "dueDateTime": time],
    "joinedteams": ["id": "", "displayName": "", "description": "", "isArchived": false],
    "organization": ["id": "", "displayName": "", "verifiedDomains": [["name": "", "isDefault": true]]],
    "subscriptions": [
      "id": "", "resource": "", "changeType": "", "notificationUrl": "", "expirationDateTime": "", "clientState": "",
    ],
  ]

  private static let single: [String: JSON] = [
    "manager": user, "calendar": calendar, "root": driveItem,
    "drive": [
      "id": "", "driveType": "", "name": "", "owner": ["user": ["displayName": "", "id": ""]],
      "quota": ["used": 0, "total": 0],
    ],
    "mailboxsettings": [
      "timeZone": "", "language": ["locale": "", "displayName": ""], "dateFormat": "", "timeFormat": "",
    ],
    "presence": ["id": "", "availability": "", "activity": ""],
    "photo": ["id": "", "height": 0, "width": 0],
  ]
}

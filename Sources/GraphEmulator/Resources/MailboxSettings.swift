import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// `/me/mailboxSettings`: a mailbox's time zone, language, and working hours.
enum MailboxSettings {
  private static let name = "mailboxSettings"

  static func json(_ subject: GraphSubject, _ state: GraphState) -> JSON {
    var settings: JSON = [
      "archiveFolder": .string(MailStore.folderID("archive", of: subject.accountID)), "timeZone": "UTC",
      "delegateMeetingMessageDeliveryOptions": "sendToDelegateOnly", "dateFormat": "yyyy-MM-dd", "timeFormat": "HH:mm",
      "userPurpose": "user",
      "automaticRepliesSetting": [
        "status": "disabled", "externalAudience": "all", "internalReplyMessage": "", "externalReplyMessage": "",
      ],
      "language": [
        "locale": .string(subject.member.account.user.preferredLanguage ?? "en-US"), "displayName": "English",
      ],
      "workingHours": [
        "daysOfWeek": ["monday", "tuesday", "wednesday", "thursday", "friday"], "startTime": "08:00:00.0000000",
        "endTime": "17:00:00.0000000", "timeZone": ["name": "UTC"],
      ],
    ]
    let changes = state.collection(name, of: subject.accountID)?.first?.object ?? [:]
    for (key, value) in changes { settings[key] = value }
    return settings
  }

  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    guard let subject = call.subject else { throw .delegatedOnly }
    let existing = json(subject, state).object ?? [:]
    var changes = state.collection(name, of: subject.accountID)?.first?.object ?? [:]
    for (key, value) in try call.object().object ?? [:] where !key.contains("@") {
      guard existing[key] != nil else {
        throw .malformed("The property '\(key)' does not exist on type 'microsoft.graph.mailboxSettings'.")
      }
      if key == "timeZone", value.string.flatMap({ TimeZoneTable.zone(named: $0) }) == nil {
        throw EventTime.unsupported(value.string ?? value.text())
      }
      changes[key] = value
    }
    state.setCollection(name, of: subject.accountID, to: [.object(changes)])
    return .entity(json(subject, state), context: context(call, subject))
  }

  static func context(_ call: GraphRequestContext, _ subject: GraphSubject) -> String {
    call.context("users('\(UserResource.id(of: subject.member))')/mailboxSettings")
  }
}

extension GraphRoute {
  private static let read = GraphAccess("MailboxSettings.Read")
  private static let write = GraphAccess("MailboxSettings.ReadWrite")

  static let mailboxSettingsRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "mailboxSettings", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      return .entity(MailboxSettings.json(subject, state), context: MailboxSettings.context(call, subject))
    },
    GraphRoute(.get, .user, "mailboxSettings/{}", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      let name = call.parameters.last ?? ""
      guard let value = MailboxSettings.json(subject, state).member(name) else {
        throw .malformed("Resource not found for the segment '\(name)'.")
      }
      let context = MailboxSettings.context(call, subject) + "/" + name
      guard value.object == nil else { return .entity(value, context: context) }
      return .entity(["value": value], context: context)
    },
    GraphRoute(.patch, .user, "mailboxSettings", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in try MailboxSettings.update(call, &state)
    },
  ]
}

import Directory
import Documents
import Effects
import OrderedCollections

/// A subscription to changes in one of a user's collections.
struct Subscription: Sendable {
  /// The supported collections, with their names in the state, Graph types, and required permissions.
  private static let kinds: [String: (name: String, type: String, access: GraphAccess)] = [
    "messages": ("Messages", "#Microsoft.Graph.Message", GraphAccess("Mail.ReadBasic", "Mail.Read")),
    "events": ("Events", "#Microsoft.Graph.Event", GraphAccess("Calendars.Read")),
    "contacts": ("Contacts", "#Microsoft.Graph.Contact", GraphAccess("Contacts.Read")),
  ]

  /// The `subscription` resource as Graph returns it.
  var json: JSON
  var accountID: String
  var tenantID: String
  var collection: String
  /// The id of the mail folder, if the subscription is limited to a folder.
  var folder: String?
  /// Whether the endpoint passed validation. The emulator sends notifications only to validated endpoints.
  var isValidated = false

  var id: String { json["id"]?.string ?? "" }
  var notificationURL: String { json["notificationUrl"]?.string ?? "" }
  var expires: Instant? { json["expirationDateTime"]?.string.flatMap { Instant(rfc3339: $0) } }

  /// Returns the permissions for subscriptions to a collection, or nil if the collection is not supported.
  static func access(to collection: String) -> GraphAccess? { kinds[collection]?.access }

  private var key: String { "\(accountID)/\(collection)" }

  private func items(_ state: GraphState) -> OrderedDictionary<String, JSON> {
    guard let member = state.member(accountID, of: tenantID) else { return [:] }
    let subject = GraphSubject(member: member, isCaller: true)
    let all =
      switch collection {
      case "messages": MailStore.all(of: accountID, state)
      case "events": EventStore.all(of: subject, state)
      default: ContactResource.all(of: accountID, state)
      }
    let filtered = all.filter { folder == nil || $0["parentFolderId"]?.string == folder }
    return OrderedDictionary(filtered.map { ($0["id"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the notifications for the changes between two states.
  func notifications(from before: GraphState, to after: GraphState) -> [JSON] {
    guard before.collections[key] != after.collections[key] else { return [] }
    let requested = Set((json["changeType"]?.string ?? "").split(separator: ",").map { String($0) })
    let old = items(before)
    let new = items(after)
    var result: [JSON] = []
    for (id, item) in new {
      guard let existing = old[id] else {
        if requested.contains("created") { result.append(notification("created", item)) }
        continue
      }
      if existing["changeKey"] != item["changeKey"], requested.contains("updated") {
        result.append(notification("updated", item))
      }
    }
    for (id, item) in old where new[id] == nil && requested.contains("deleted") {
      result.append(notification("deleted", item))
    }
    return result
  }

  private func notification(_ change: String, _ item: JSON) -> JSON {
    let kind = Self.kinds[collection]
    let resource = "Users/\(accountID)/\(kind?.name ?? collection)/\(item["id"]?.string ?? "")"
    return [
      "subscriptionId": json["id"] ?? .null, "subscriptionExpirationDateTime": json["expirationDateTime"] ?? .null,
      "changeType": .string(change), "resource": .string(resource), "tenantId": .string(tenantID),
      "clientState": json["clientState"] ?? .null,
      "resourceData": [
        "@odata.type": .string(kind?.type ?? ""), "@odata.id": .string(resource),
        "@odata.etag": .string("W/\"\(item["changeKey"]?.string ?? "")\""), "id": item["id"] ?? .null,
      ],
    ]
  }

  // MARK: State

  /// The maximum number of subscriptions across all apps.
  static let limit = 100
  private static let owner = "~subscriptions"

  static func all(_ state: GraphState, at now: Instant) -> [Subscription] {
    (state.collection("all", of: owner) ?? []).compactMap { Subscription($0) }.filter { ($0.expires ?? now) > now }
  }

  static func store(_ all: [Subscription], _ state: inout GraphState) {
    state.setCollection("all", of: owner, to: all.map(\.storedJSON))
  }

  init(json: JSON, accountID: String, tenantID: String, collection: String, folder: String?) {
    (self.json, self.accountID, self.tenantID) = (json, accountID, tenantID)
    (self.collection, self.folder) = (collection, folder)
  }

  private init?(_ stored: JSON) {
    guard let json = stored["json"], let accountID = stored["account"]?.string, let tenantID = stored["tenant"]?.string,
      let collection = stored["collection"]?.string
    else { return nil }
    self.init(
      json: json, accountID: accountID, tenantID: tenantID, collection: collection, folder: stored["folder"]?.string)
    isValidated = stored["validated"]?.bool ?? false
  }

  private var storedJSON: JSON {
    [
      "json": json, "account": .string(accountID), "tenant": .string(tenantID), "collection": .string(collection),
      "folder": folder.map { .string($0) } ?? .null, "validated": .bool(isValidated),
    ]
  }
}

/// A notification about a change, as the control interface lists it.
package struct GraphNotification: Sendable {
  /// The sequence number, starting at 1.
  package var number: Int
  package var time: Instant
  package var url: String
  /// Whether the emulator sends the notification in addition to recording it.
  package var isSent: Bool
  /// The delivery outcome, such as `status 202`, or `recorded` if the emulator does not send the notification.
  package var outcome: String
  package var body: JSON
}

extension GraphState {
  /// The maximum number of stored notifications. The emulator removes the oldest notifications first.
  private static let notificationLimit = 500

  /// Records notifications for the changes since an earlier state.
  /// - Returns: The notifications to send.
  mutating func notify(since before: GraphState, at now: Instant, canSend: Bool) -> [GraphNotification] {
    var fresh: [GraphNotification] = []
    for subscription in Subscription.all(self, at: now) {
      // A subscription restored from a snapshot can be marked as validated even if this emulator has no network.
      let isSent = canSend && subscription.isValidated
      for change in subscription.notifications(from: before, to: self) {
        notificationNumber += 1
        fresh.append(
          GraphNotification(
            number: notificationNumber, time: now, url: subscription.notificationURL,
            isSent: isSent, outcome: isSent ? "sending" : "recorded", body: ["value": [change]]))
      }
    }
    notifications = Array((notifications + fresh).suffix(Self.notificationLimit))
    return fresh.filter(\.isSent)
  }

  /// Records the outcome of a delivery.
  mutating func setOutcome(_ outcome: String, ofNotification number: Int) {
    guard let index = notifications.firstIndex(where: { $0.number == number }) else { return }
    notifications[index].outcome = outcome
  }
}

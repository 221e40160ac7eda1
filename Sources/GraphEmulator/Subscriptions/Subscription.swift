import Directory
import Documents
import Effects
import OrderedCollections

/// A subscription to changes of one collection of one user.
struct Subscription: Sendable {
  /// The collections that can be subscribed to: how their items are kept, and what real Graph calls their type.
  private static let kinds: [String: (name: String, type: String, access: GraphAccess)] = [
    "messages": ("Messages", "#Microsoft.Graph.Message", GraphAccess("Mail.ReadBasic", "Mail.Read")),
    "events": ("Events", "#Microsoft.Graph.Event", GraphAccess("Calendars.Read")),
    "contacts": ("Contacts", "#Microsoft.Graph.Contact", GraphAccess("Contacts.Read")),
  ]

  /// As Graph shows it.
  var json: JSON
  var accountID: String
  var tenantID: String
  var collection: String
  /// The mail folder, if the resource names one.
  var folder: String?
  /// Whether the endpoint has answered the validation request, so that notifications are sent to it.
  var isValidated = false

  var id: String { json["id"]?.string ?? "" }
  var notificationURL: String { json["notificationUrl"]?.string ?? "" }
  var expires: Instant? { json["expirationDateTime"]?.string.flatMap { Instant(rfc3339: $0) } }

  /// What a caller needs to subscribe to a collection.
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
    let wanted = all.filter { folder == nil || $0["parentFolderId"]?.string == folder }
    return OrderedDictionary(wanted.map { ($0["id"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
  }

  /// The notifications for what changed between two states.
  func notifications(from before: GraphState, to after: GraphState) -> [JSON] {
    guard before.collections[key] != after.collections[key] else { return [] }
    let wanted = Set((json["changeType"]?.string ?? "").split(separator: ",").map { String($0) })
    let old = items(before)
    let new = items(after)
    var found: [JSON] = []
    for (id, item) in new {
      guard let known = old[id] else {
        if wanted.contains("created") { found.append(notification("created", item)) }
        continue
      }
      if known["changeKey"] != item["changeKey"], wanted.contains("updated") {
        found.append(notification("updated", item))
      }
    }
    for (id, item) in old where new[id] == nil && wanted.contains("deleted") {
      found.append(notification("deleted", item))
    }
    return found
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

  // MARK: in the state

  /// The most subscriptions of all apps.
  static let limit = 100
  private static let owner = "~subscriptions"

  static func all(_ state: GraphState, at now: Instant) -> [Subscription] {
    (state.collection("all", of: owner) ?? []).compactMap { Subscription($0) }.filter { ($0.expires ?? now) > now }
  }

  static func store(_ all: [Subscription], _ state: inout GraphState) {
    state.setCollection("all", of: owner, to: all.map(\.kept))
  }

  init(json: JSON, accountID: String, tenantID: String, collection: String, folder: String?) {
    (self.json, self.accountID, self.tenantID) = (json, accountID, tenantID)
    (self.collection, self.folder) = (collection, folder)
  }

  private init?(_ kept: JSON) {
    guard let json = kept["json"], let accountID = kept["account"]?.string, let tenantID = kept["tenant"]?.string,
      let collection = kept["collection"]?.string
    else { return nil }
    self.init(
      json: json, accountID: accountID, tenantID: tenantID, collection: collection, folder: kept["folder"]?.string)
    isValidated = kept["validated"]?.bool ?? false
  }

  private var kept: JSON {
    [
      "json": json, "account": .string(accountID), "tenant": .string(tenantID), "collection": .string(collection),
      "folder": folder.map { .string($0) } ?? .null, "validated": .bool(isValidated),
    ]
  }
}

/// A notification that a change caused, for the control interface.
package struct GraphNotification: Sendable {
  /// From 1 on.
  package var number: Int
  package var time: Instant
  package var url: String
  /// Whether it is to be sent; otherwise it is only recorded.
  package var isSent: Bool
  /// What came of sending it.
  package var outcome: String
  package var body: JSON
}

extension GraphState {
  /// The most notifications that are kept; the oldest is forgotten first.
  private static let notificationLimit = 500

  /// Records the notifications for what changed since an earlier state.
  /// - Returns: those to be sent.
  mutating func notify(since before: GraphState, at now: Instant, canSend: Bool) -> [GraphNotification] {
    var fresh: [GraphNotification] = []
    for subscription in Subscription.all(self, at: now) {
      // A subscription of an earlier emulator may be validated although this one has no network.
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

  /// Notes what came of sending a notification.
  mutating func setOutcome(_ outcome: String, ofNotification number: Int) {
    guard let index = notifications.firstIndex(where: { $0.number == number }) else { return }
    notifications[index].outcome = outcome
  }
}

import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// Graph's `subscription` resource.
enum Subscriptions {
  private static let maxDuration = Duration.seconds(10_080 * 60)

  /// Creates a subscription. If the emulator can send requests to the notification URL, validates the URL first, as
  /// Graph does.
  static func create(_ call: GraphRequestContext, in world: GraphDependencies) async throws(GraphErrorResponse)
    -> GraphResponse
  {
    let state = world.read { $0 }
    guard GraphRoute.anySubscription.isSatisfied(by: call.granted) else { throw .denied(by: .other) }
    var subscription = try subscription(try call.object(), call, state)
    var headers = HTTPFields()
    if let sender = world.sender, NotificationSender.mayReach(subscription.notificationURL) {
      if let problem = await sender.validate(subscription.notificationURL, token: call.randomness.uuid()) {
        throw GraphErrorResponse(
          400, "ValidationError",
          "Subscription validation request failed. Notification endpoint must respond with 200 OK to validation "
            + "request: \(problem).")
      }
      subscription.isValidated = true
    } else {
      // Without a network, the emulator cannot send notifications. The header shows that the endpoint was not
      // validated.
      headers[.notEmulated] = "delivery of notifications; GET /_authflow/notifications lists them"
    }
    let stored = subscription
    let isStored = world.write { state in
      let all = Subscription.all(state, at: call.now)
      guard all.count < Subscription.limit else { return false }
      Subscription.store(all + [stored], &state)
      return true
    }
    guard isStored else {
      throw GraphErrorResponse(403, "Forbidden", "The emulator stores at most \(Subscription.limit) subscriptions.")
    }
    return try collection([], call).entity(stored.json, call, status: 201, headers: headers)
  }

  private static func subscription(
    _ body: JSON, _ call: GraphRequestContext, _ state: GraphState
  ) throws(GraphErrorResponse) -> Subscription {
    func text(_ name: String) throws(GraphErrorResponse) -> String {
      guard let text = body.member(name)?.string, !text.isEmpty, text.utf8.count <= 2_000 else {
        throw invalid("The subscription requires '\(name)', a string of at most 2000 bytes.")
      }
      return text
    }
    if body.member("includeResourceData")?.bool == true { throw .notEmulated("includeResourceData for a subscription") }
    let changes = try text("changeType").lowercased().split(separator: ",").map { $0.trimmingSpaces() }
    guard !changes.isEmpty, changes.allSatisfy({ ["created", "updated", "deleted"].contains($0) }) else {
      throw invalid("changeType must be a list of created, updated, and deleted.")
    }
    let url = try text("notificationUrl")
    guard url.lowercased().hasPrefix("https://") || NotificationSender.mayReach(url) else {
      throw invalid("notificationUrl must be an https URL. The emulator also accepts http for this machine.")
    }
    let resource = try text("resource")
    let target = try target(resource, call, state)
    let clientState = body.member("clientState")?.string
    guard clientState?.utf8.count ?? 0 <= 128 else { throw invalid("clientState can have at most 128 characters.") }
    let json: JSON = [
      "id": .string(call.randomness.uuid()), "resource": .string(resource), "applicationId": .string(call.caller.appID),
      "changeType": .string(changes.joined(separator: ",")), "clientState": clientState.map { .string($0) } ?? .null,
      "notificationUrl": .string(url), "notificationQueryOptions": nil, "includeResourceData": nil,
      "lifecycleNotificationUrl": body.member("lifecycleNotificationUrl") ?? .null,
      "expirationDateTime": .string(try expiration(body, call)), "creatorId": .string(call.caller.objectID ?? ""),
      "latestSupportedTlsVersion": "v1_2", "encryptionCertificate": nil, "encryptionCertificateId": nil,
    ]
    return Subscription(
      json: json, accountID: target.member.account.user.id, tenantID: call.caller.tenantID,
      collection: target.collection, folder: target.folder)
  }

  private static func expiration(_ body: JSON, _ call: GraphRequestContext) throws(GraphErrorResponse) -> String {
    guard let text = body.member("expirationDateTime")?.string, let time = Instant(rfc3339: text) else {
      throw invalid("The subscription requires expirationDateTime, such as 2025-01-02T00:00:00Z.")
    }
    guard time > call.now else { throw invalid("expirationDateTime is in the past.") }
    guard time - call.now <= maxDuration else {
      throw invalid("Subscription expiration can only be 10080 minutes in the future.")
    }
    return time.rfc3339()
  }

  /// Returns the collection for a resource such as `me/messages` or `users/{id}/mailFolders('inbox')/messages`.
  private static func target(
    _ resource: String, _ call: GraphRequestContext, _ state: GraphState
  ) throws(GraphErrorResponse) -> (member: GraphState.Member, collection: String, folder: String?) {
    var words = resource.split(separator: "/").flatMap { GraphRequestContext.segments($0) }
    let own = call.caller.accountID.flatMap { state.member($0, of: call.caller.tenantID) }
    let match: GraphState.Member?
    if words.first?.lowercased() == "me" {
      match = own
      words.removeFirst()
    } else if words.first?.lowercased() == "users", words.count >= 2 {
      match = state.member(named: words[1], of: call.caller.tenantID)
      words.removeFirst(2)
    } else {
      throw .notEmulated("a subscription to '\(resource.prefix(80))'")
    }
    guard let member = match else { throw .resourceNotFound(String(resource.prefix(80))) }
    guard call.caller.isAppOnly || member.objectID == own?.objectID else { throw .denied(by: .exchange) }
    var folder: String?
    if words.count == 3, words[0].lowercased() == "mailfolders" {
      folder = MailStore.folderID(named: words[1], of: member.account.user.id)
      guard folder != nil else { throw .itemNotFound }
      words.removeFirst(2)
    }
    guard words.count == 1, let access = Subscription.access(to: words[0].lowercased()) else {
      throw .notEmulated("a subscription to '\(resource.prefix(80))'")
    }
    guard call.has(access) else { throw .denied(by: .exchange) }
    return (member, words[0].lowercased(), folder)
  }

  private static func invalid(_ message: String) -> GraphErrorResponse {
    GraphErrorResponse(400, "InvalidRequest", message)
  }

  /// Returns the subscriptions created by the caller's app.
  static func own(_ call: GraphRequestContext, _ state: GraphState) -> [Subscription] {
    Subscription.all(state, at: call.now).filter { subscription in
      subscription.json["applicationId"]?.string == call.caller.appID && subscription.tenantID == call.caller.tenantID
        && (call.caller.isAppOnly || subscription.accountID == call.caller.accountID)
    }
  }

  static func collection(_ items: [JSON], _ call: GraphRequestContext) -> GraphCollection {
    GraphCollection(
      items: items, context: "subscriptions", style: .files, typeName: "microsoft.graph.subscription",
      alwaysIncluded: ["id"])
  }

  static func find(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> Subscription {
    let id = call.parameters.first ?? ""
    guard let match = own(call, state).first(where: { $0.id == id }) else {
      throw GraphErrorResponse(404, "ResourceNotFound", "The object was not found.")
    }
    return match
  }

  /// Renews a subscription. Changes only the expiration time.
  static func renew(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var match = try find(call, state)
    match.json["expirationDateTime"] = .string(try expiration(try call.object(), call))
    let renewed = match
    Subscription.store(
      Subscription.all(state, at: call.now).map { $0.id == renewed.id ? renewed : $0 }, &state)
    return try collection([], call).entity(renewed.json, call)
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let match = try find(call, state)
    Subscription.store(Subscription.all(state, at: call.now).filter { $0.id != match.id }, &state)
    return .noContent
  }
}

extension GraphRoute {
  /// The permissions for subscriptions to any supported resource. Subscribing requires permission to read the resource.
  static let anySubscription = GraphAccess("Mail.ReadBasic", "Mail.Read", "Calendars.Read", "Contacts.Read")

  static let subscriptionRoutes: [GraphRoute] = [
    GraphRoute(.get, .root, "subscriptions", .other, needs: anySubscription, forApps: anySubscription) {
      call, state throws(GraphErrorResponse) in
      try Subscriptions.collection(Subscriptions.own(call, state).map(\.json), call).response(call)
    },
    // `GraphService` handles this request, because an atomic state change cannot include the validation request.
    GraphRoute(.post, .root, "subscriptions", .other, needs: anySubscription, forApps: anySubscription) {
      call, _ throws(GraphErrorResponse) in throw .notEmulated(call)
    },
    GraphRoute(.get, .root, "subscriptions/{}", .other, needs: anySubscription, forApps: anySubscription) {
      call, state throws(GraphErrorResponse) in
      try Subscriptions.collection([], call).entity(try Subscriptions.find(call, state).json, call)
    },
    GraphRoute(.patch, .root, "subscriptions/{}", .other, needs: anySubscription, forApps: anySubscription) {
      call, state throws(GraphErrorResponse) in try Subscriptions.renew(call, &state)
    },
    GraphRoute(.delete, .root, "subscriptions/{}", .other, needs: anySubscription, forApps: anySubscription) {
      call, state throws(GraphErrorResponse) in try Subscriptions.delete(call, &state)
    },
  ]
}

import Directory
import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// The Microsoft Graph emulator. It finds the resource, checks the caller's permissions, and returns the response.
package struct GraphService: Sendable {
  package init() {}

  package func response(to request: GraphRequest, in world: GraphDependencies) async -> ResponseMessage {
    if let preflight = GraphCORS.preflight(request) { return preflight }
    if let id = UploadService.id(in: request.path) { return UploadService.response(request, session: id, in: world) }
    switch request.authentication {
    case .rejected(let rejection):
      var headers = HTTPFields()
      headers[.wwwAuthenticate] = rejection.challenge
      return GraphEnvelope.response(
        to: request, failure: GraphErrorResponse(401, rejection.code, rejection.message, headers: headers))
    case .caller(let caller):
      do {
        var call = try GraphRequestContext(request, caller: caller, randomness: world.randomness)
        if let first = call.segments.first?.lowercased(), TenantLists.segments.contains(first) {
          call.records = world.records(of: caller.tenantID)
        }
        if call.segments == ["$batch"] {
          return GraphEnvelope.response(to: request, with: try await batch(call, in: world))
        }
        if call.method == .post, call.segments.map({ $0.lowercased() }) == ["subscriptions"] {
          return GraphEnvelope.response(to: request, with: try await Subscriptions.create(call, in: world))
        }
        return GraphEnvelope.response(to: request, with: try Self.perform(call, in: world))
      } catch {
        return GraphEnvelope.response(to: request, failure: error)
      }
    }
  }

  /// Performs a request. Read requests use a copy of the state, so that they do not block other requests. Their delta
  /// results, if any, are stored afterward. All other requests change the state atomically.
  private static func perform(_ call: GraphRequestContext, in world: GraphDependencies) throws(GraphErrorResponse)
    -> GraphResponse
  {
    if call.method == .get || call.method == .head {
      var snapshot = world.read { $0 }
      let response = try GraphDispatch.perform(call, &snapshot)
      let deltaResults = snapshot.deltaResults
      if !deltaResults.isEmpty { world.write { $0.storeDeltaResults(deltaResults) } }
      return response
    }
    let result = world.write { state in
      Result { () throws(GraphErrorResponse) in try GraphDispatch.perform(call, &state) }
    }
    return try result.get()
  }
}

/// The dispatcher that finds the route for a request, authorizes the caller, and calls the route's handler.
enum GraphDispatch {
  static func perform(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse)
    -> GraphResponse
  {
    var call = call
    var (anchor, rest) = try anchor(of: call, state)
    rest = DrivePath.folded(try ownDrive(rest, of: anchor))
    var others: [GraphRoute] = []
    let lowered = rest.map { $0.lowercased() }
    for route in GraphRoute.candidates(anchor.kind, lowered) {
      guard let parameters = route.parameters(of: rest, lowered: lowered) else { continue }
      guard route.method == call.method || route.method == .get && call.method == .head else {
        others.append(route)
        continue
      }
      call.parameters = parameters
      call.subject = anchor.subject
      try route.authorize(call)
      if anchor.kind == .user, call.subject == nil { throw .resourceNotFound(anchor.name) }
      // A guest's mailbox is in the home tenant, not in this tenant.
      if route.workload == .exchange, call.subject?.member.isGuest == true, !route.isAboutPhotos { throw .noMailbox }
      if call.method == .get, let data = CustomGraphData.response(call, state) { return try data(call) }
      return try route.handler(call, &state)
    }
    if call.method == .get, let data = CustomGraphData.response(call, state) { return try data(call) }
    if others.contains(where: { $0.excludes(call.method) }) { throw .methodNotAllowed }
    // The live service may support this path. Status 400 would mean that the path does not exist.
    throw .notEmulated(call)
  }

  private struct Found {
    var kind: GraphRoute.Anchor
    var subject: GraphSubject?
    var name = ""
  }

  /// Returns the user at the start of the path, if any, and the remaining segments.
  private static func anchor(
    of call: GraphRequestContext, _ state: GraphState
  ) throws(GraphErrorResponse) -> (Found, ArraySlice<String>) {
    let first = call.segments.first?.lowercased()
    if first == "me" { return (try me(call, state), call.segments.dropFirst()) }
    if first == "drives", call.segments.count >= 2 { return try drive(call, state) }
    guard first == "users", call.segments.count >= 2 else { return (Found(kind: .root), call.segments[...]) }
    let name = call.segments[1]
    // Kiota's path builder writes `/me` as `/users/me-token-to-replace` and relies on a URL rewrite. Support both
    // forms.
    if name.lowercased() == "me-token-to-replace" { return (try me(call, state), call.segments.dropFirst(2)) }
    guard name.lowercased() != "delta", !name.hasPrefix("$") else { return (Found(kind: .root), call.segments[...]) }
    let requested = name.lowercased()
    let member =
      state.member(named: name, of: call.caller.tenantID)
      ?? state.members(of: call.caller.tenantID).first { UserResource.id(of: $0).lowercased() == requested }
    let subject = member.map {
      GraphSubject(member: $0, isCaller: !call.caller.isAppOnly && $0.account.user.id == call.caller.accountID)
    }
    return (Found(kind: .user, subject: subject, name: name), call.segments.dropFirst(2))
  }

  /// Resolves `/drives/{id}/…` to the drive's owner and the path below the drive.
  private static func drive(
    _ call: GraphRequestContext, _ state: GraphState
  ) throws(GraphErrorResponse) -> (Found, ArraySlice<String>) {
    let requested = call.segments[1].lowercased()
    let subjects = state.members(of: call.caller.tenantID).lazy.map { member in
      GraphSubject(
        member: member, isCaller: !call.caller.isAppOnly && member.account.user.id == call.caller.accountID)
    }
    guard let subject = subjects.first(where: { DriveStore.id(of: $0).lowercased() == requested }) else {
      throw DriveStore.notFound
    }
    return (Found(kind: .user, subject: subject, name: requested), ["drive"] + call.segments.dropFirst(2))
  }

  /// Maps `/me/drives/{id}/…` to `/me/drive/…`, because each user has exactly one drive.
  private static func ownDrive(
    _ rest: ArraySlice<String>, of anchor: Found
  ) throws(GraphErrorResponse) -> ArraySlice<String> {
    guard anchor.kind == .user, rest.count >= 2, rest.first?.lowercased() == "drives" else { return rest }
    guard let subject = anchor.subject,
      DriveStore.id(of: subject).lowercased() == rest[rest.startIndex + 1].lowercased()
    else { throw DriveStore.notFound }
    return ["drive"] + rest.dropFirst(2)
  }

  private static func me(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> Found {
    guard let accountID = call.caller.accountID else { throw .delegatedOnly }
    let member = state.member(accountID, of: call.caller.tenantID)
    return Found(
      kind: .user, subject: member.map { GraphSubject(member: $0, isCaller: true) },
      name: call.caller.objectID ?? accountID)
  }
}

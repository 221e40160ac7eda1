import Directory
import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// The emulated Microsoft Graph: finds the resource, judges the caller's permissions, and answers as Graph does.
package struct GraphService: Sendable {
  package init() {}

  package func answer(_ request: GraphRequest, in world: GraphDependencies) async -> ResponseMessage {
    if let preflight = GraphCORS.preflight(request) { return preflight }
    if let id = UploadService.id(in: request.path) { return UploadService.answer(request, session: id, in: world) }
    switch request.authentication {
    case .refused(let refusal):
      var headers = HTTPFields()
      headers[.wwwAuthenticate] = refusal.challenge
      return GraphEnvelope.response(
        to: request, failure: GraphErrorResponse(401, refusal.code, refusal.message, headers: headers))
    case .caller(let caller):
      do {
        var call = try GraphRequestContext(request, caller: caller, randomness: world.randomness)
        if let first = call.segments.first?.lowercased(), TenantLists.segments.contains(first) {
          call.records = world.records(of: caller.tenantID)
        }
        if call.segments == ["$batch"] {
          return GraphEnvelope.response(to: request, answer: try await batch(call, in: world))
        }
        if call.method == .post, call.segments.map({ $0.lowercased() }) == ["subscriptions"] {
          return GraphEnvelope.response(to: request, answer: try await Subscriptions.create(call, in: world))
        }
        return GraphEnvelope.response(to: request, answer: try Self.perform(call, in: world))
      } catch {
        return GraphEnvelope.response(to: request, failure: error)
      }
    }
  }

  /// Reads on a copy of the state, outside its lock; changes happen in one step. What a delta showed is kept afterwards.
  private static func perform(_ call: GraphRequestContext, in world: GraphDependencies) throws(GraphErrorResponse)
    -> GraphResponse
  {
    if call.method == .get || call.method == .head {
      var snapshot = world.read { $0 }
      let answer = try GraphDispatch.perform(call, &snapshot)
      let seen = snapshot.seen
      if !seen.isEmpty { world.write { $0.storeSeen(seen) } }
      return answer
    }
    let result = world.write { state in
      Result { () throws(GraphErrorResponse) in try GraphDispatch.perform(call, &state) }
    }
    return try result.get()
  }
}

/// The way from a path to a resource.
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
      // A guest's mailbox is at home.
      if route.workload == .exchange, call.subject?.member.isGuest == true, !route.isAboutPhotos { throw .noMailbox }
      if call.method == .get, let data = CustomGraphData.answer(call, state) { return try data(call) }
      return try route.handler(call, &state)
    }
    if call.method == .get, let data = CustomGraphData.answer(call, state) { return try data(call) }
    if others.contains(where: { $0.excludes(call.method) }) { throw .methodNotAllowed }
    // Real Graph has thousands of paths. A 400 here would tell the client that this one does not exist.
    throw .notEmulated(call)
  }

  private struct Found {
    var kind: GraphRoute.Anchor
    var subject: GraphSubject?
    var name = ""
  }

  /// Whether the path begins at a user, and at which.
  private static func anchor(
    of call: GraphRequestContext, _ state: GraphState
  ) throws(GraphErrorResponse) -> (Found, ArraySlice<String>) {
    let first = call.segments.first?.lowercased()
    if first == "me" { return (try me(call, state), call.segments.dropFirst()) }
    if first == "drives", call.segments.count >= 2 { return try drive(call, state) }
    guard first == "users", call.segments.count >= 2 else { return (Found(kind: .root), call.segments[...]) }
    let name = call.segments[1]
    // Kiota's path builder writes /me so and relies on a rewrite; both have to work.
    if name.lowercased() == "me-token-to-replace" { return (try me(call, state), call.segments.dropFirst(2)) }
    guard name.lowercased() != "delta", !name.hasPrefix("$") else { return (Found(kind: .root), call.segments[...]) }
    let wanted = name.lowercased()
    let member =
      state.member(named: name, of: call.caller.tenantID)
      ?? state.members(of: call.caller.tenantID).first { UserResource.id(of: $0).lowercased() == wanted }
    let subject = member.map {
      GraphSubject(member: $0, isCaller: !call.caller.isAppOnly && $0.account.user.id == call.caller.accountID)
    }
    return (Found(kind: .user, subject: subject, name: name), call.segments.dropFirst(2))
  }

  /// `/drives/{id}/…` is the drive of the user who owns it.
  private static func drive(
    _ call: GraphRequestContext, _ state: GraphState
  ) throws(GraphErrorResponse) -> (Found, ArraySlice<String>) {
    let wanted = call.segments[1].lowercased()
    let subjects = state.members(of: call.caller.tenantID).lazy.map { member in
      GraphSubject(
        member: member, isCaller: !call.caller.isAppOnly && member.account.user.id == call.caller.accountID)
    }
    guard let subject = subjects.first(where: { DriveStore.id(of: $0).lowercased() == wanted }) else {
      throw DriveStore.notFound
    }
    return (Found(kind: .user, subject: subject, name: wanted), ["drive"] + call.segments.dropFirst(2))
  }

  /// `/me/drives/{id}/…` is `/me/drive/…`, for each user has one drive.
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

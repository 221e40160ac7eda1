import Documents
import HTTPTypes

/// One request that the emulated Graph understands: method, path, who may, and what it does.
struct GraphRoute: Sendable {
  typealias Handler = @Sendable (GraphRequestContext, inout GraphState) throws(GraphErrorResponse) -> GraphResponse

  enum Anchor: Hashable, Sendable {
    /// The path begins at the version.
    case root
    /// The path begins at a user: `/me`, or `/users/{id or user principal name}`.
    case user
  }

  let method: HTTPRequest.Method
  let anchor: Anchor
  /// The path as Graph spells it.
  let path: String
  /// Its segments in lower case; `{}` takes any.
  let pattern: [String]
  let workload: GraphWorkload
  /// What a user's app needs, for the user's own things and for what belongs to nobody.
  let permission: GraphAccess
  /// What a user's app needs for another user's things; nil means that no delegated permission opens them.
  let forOthers: GraphAccess?
  /// What an app without a user needs; nil means that there is no such access.
  let forApps: GraphAccess?
  /// Whether personal accounts have such a thing.
  let isForPersonal: Bool
  let handler: Handler

  init(
    _ method: HTTPRequest.Method, _ anchor: Anchor, _ path: String, _ workload: GraphWorkload,
    needs permission: GraphAccess, forOthers: GraphAccess? = nil, forApps: GraphAccess? = nil,
    isForPersonal: Bool = true, handler: @escaping Handler
  ) {
    self.method = method
    self.anchor = anchor
    self.path = path
    // Between bytes: there are hundreds of routes, and each process that asks Graph for anything makes them.
    pattern = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0).lowercased() }
    self.workload = workload
    self.permission = permission
    self.forOthers = forOthers
    self.forApps = forApps
    self.isForPersonal = isForPersonal
    self.handler = handler
  }

  /// The segments that stand in the pattern's `{}`; nil where the path is another.
  /// - Parameter lowered: the same path in lower case, for names are compared without regard to case.
  func parameters(of path: ArraySlice<String>, lowered: [String]) -> [String]? {
    guard path.count == pattern.count else { return nil }
    var parameters: [String] = []
    for (index, wanted) in pattern.enumerated() {
      if wanted == "{}" {
        parameters.append(path[path.startIndex + index])
      } else if wanted != lowered[index] {
        return nil
      }
    }
    return parameters
  }

  /// Photos are kept beside mailboxes, but everybody has one.
  var isAboutPhotos: Bool { pattern.first == "photo" || pattern.first == "photos" }

  /// Whether real Graph refuses the method at this path too (405), as OData has it: a function and a count can only be
  /// read, an action only be called, and a whole collection of the tenant never be changed at once.
  func excludes(_ other: HTTPRequest.Method) -> Bool {
    let last = pattern.last ?? ""
    if ![.get, .head, .post, .put, .patch, .delete].contains(other) { return true }
    if last == "$count" || last == "delta" { return true }
    if method == .post, GraphRequestContext.actions.contains(last) { return true }
    return anchor == .root && pattern.count == 1 && [.put, .patch, .delete].contains(other)
  }

  /// Refuses a caller whose permissions do not open this.
  func authorize(_ call: GraphRequestContext) throws(GraphErrorResponse) {
    if call.caller.isAppOnly {
      guard let forApps, forApps.isSatisfied(by: call.granted) else {
        throw .denied(by: workload, needed: forApps)
      }
      return
    }
    guard isForPersonal || !call.caller.isPersonal else { throw .denied(by: workload) }
    let needed = anchor == .user && call.subject?.isCaller == false ? forOthers : permission
    guard let needed, needed.isSatisfied(by: call.granted) else { throw .denied(by: workload, needed: needed) }
  }
}

extension GraphRoute {
  /// Everything that the built-in subset knows, the first that fits counting.
  static let all: [GraphRoute] = [
    userRoutes, userLifecycleRoutes, revokeSignInSessionsRoutes, photoRoutes, memberOfRoutes, memberGroupsRoutes,
    managerRoutes, directReportsRoutes, groupRoutes, organizationRoutes, calendarRoutes, calendarViewRoutes,
    eventRoutes, eventResponseRoutes, messageRoutes, attachmentRoutes, replyRoutes, mailFolderRoutes,
    sendMailRoutes, contactRoutes, driveRoutes, peopleRoutes, mailboxSettingsRoutes, presenceRoutes, todoListRoutes,
    joinedTeamsRoutes, tenantListRoutes, scheduleRoutes, onlineMeetingRoutes, subscriptionRoutes,
  ].flatMap { $0 }

  /// The routes that a path can fit: those with its number of segments and its first one.
  static func candidates(_ anchor: Anchor, _ lowered: [String]) -> [GraphRoute] {
    byShape[Shape(anchor: anchor, count: lowered.count, first: lowered.first ?? "")] ?? []
  }

  private struct Shape: Hashable {
    var anchor: Anchor
    var count: Int
    var first: String
  }

  private static let byShape = Dictionary(grouping: all) { route in
    Shape(anchor: route.anchor, count: route.pattern.count, first: route.pattern.first ?? "")
  }
}

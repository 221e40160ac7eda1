import Documents
import HTTPTypes

/// The method, path, permissions, and handler of a supported Graph request.
struct GraphRoute: Sendable {
  typealias Handler = @Sendable (GraphRequestContext, inout GraphState) throws(GraphErrorResponse) -> GraphResponse

  enum Anchor: Hashable, Sendable {
    /// The path is relative to the API version, such as `/v1.0`.
    case root
    /// The path is relative to a user: `/me` or `/users/{id or user principal name}`.
    case user
  }

  let method: HTTPRequest.Method
  let anchor: Anchor
  /// The path relative to the anchor, with `{}` for each parameter, such as `contacts/{}`.
  let path: String
  /// The lowercase path segments. The segment `{}` matches any segment.
  let pattern: [String]
  let workload: GraphWorkload
  /// The delegated permissions for the caller's own resources and for shared resources.
  let permission: GraphAccess
  /// The delegated permissions for other users' resources, or nil if no permission allows access.
  let forOthers: GraphAccess?
  /// The application permissions, or nil if app-only access is not supported.
  let forApps: GraphAccess?
  /// Whether the resource is available to personal accounts.
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
    // Split bytes instead of characters for speed, because the first Graph request creates several hundred routes.
    pattern = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0).lowercased() }
    self.workload = workload
    self.permission = permission
    self.forOthers = forOthers
    self.forApps = forApps
    self.isForPersonal = isForPersonal
    self.handler = handler
  }

  /// Returns the values of the pattern's `{}` segments, or nil if the path does not match.
  /// - Parameter lowered: The path in lowercase, because names are case-insensitive.
  func parameters(of path: ArraySlice<String>, lowered: [String]) -> [String]? {
    guard path.count == pattern.count else { return nil }
    var parameters: [String] = []
    for (index, expected) in pattern.enumerated() {
      if expected == "{}" {
        parameters.append(path[path.startIndex + index])
      } else if expected != lowered[index] {
        return nil
      }
    }
    return parameters
  }

  /// Whether the route is for photos, which belong to the mailbox service but do not require a mailbox.
  var isAboutPhotos: Bool { pattern.first == "photo" || pattern.first == "photos" }

  /// Whether the live service rejects a method for this path with status 405. Functions and counts are read-only,
  /// actions require POST, and a request cannot change a tenant-wide collection as a whole.
  func excludes(_ other: HTTPRequest.Method) -> Bool {
    let last = pattern.last ?? ""
    if ![.get, .head, .post, .put, .patch, .delete].contains(other) { return true }
    if last == "$count" || last == "delta" { return true }
    if method == .post, GraphRequestContext.actions.contains(last) { return true }
    return anchor == .root && pattern.count == 1 && [.put, .patch, .delete].contains(other)
  }

  /// Throws an error if the caller does not have a sufficient permission.
  func authorize(_ call: GraphRequestContext) throws(GraphErrorResponse) {
    if call.caller.isAppOnly {
      guard let forApps, forApps.isSatisfied(by: call.granted) else {
        throw .denied(by: workload, required: forApps)
      }
      return
    }
    guard isForPersonal || !call.caller.isPersonal else { throw .denied(by: workload) }
    let required = anchor == .user && call.subject?.isCaller == false ? forOthers : permission
    guard let required, required.isSatisfied(by: call.granted) else { throw .denied(by: workload, required: required) }
  }
}

extension GraphRoute {
  /// All built-in routes, in matching order.
  static let all: [GraphRoute] = [
    userRoutes, userLifecycleRoutes, revokeSignInSessionsRoutes, photoRoutes, memberOfRoutes, memberGroupsRoutes,
    managerRoutes, directReportsRoutes, groupRoutes, organizationRoutes, calendarRoutes, calendarViewRoutes,
    eventRoutes, eventResponseRoutes, messageRoutes, attachmentRoutes, replyRoutes, mailFolderRoutes,
    sendMailRoutes, contactRoutes, driveRoutes, peopleRoutes, mailboxSettingsRoutes, presenceRoutes, todoListRoutes,
    joinedTeamsRoutes, tenantListRoutes, scheduleRoutes, onlineMeetingRoutes, subscriptionRoutes,
  ].flatMap { $0 }

  /// Returns the routes whose first segment and number of segments match the path.
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

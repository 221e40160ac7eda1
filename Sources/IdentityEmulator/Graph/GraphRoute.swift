import Documents
import HTTPTypes

/// One request that the emulated Graph understands: method, path, who may, and what it does.
struct GraphRoute: Sendable {
  typealias Handler = @Sendable (GraphCall, inout GraphState) throws(GraphFailure) -> GraphAnswer

  enum Anchor: Hashable, Sendable {
    /// The path begins at the version.
    case root
    /// The path begins at a user: `/me`, or `/users/{id or user principal name}`.
    case user
  }

  let method: HTTPRequest.Method
  let anchor: Anchor
  /// Segments; `{}` takes any.
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
    pattern = path.split(separator: "/").map(String.init)
    self.workload = workload
    self.permission = permission
    self.forOthers = forOthers
    self.forApps = forApps
    self.isForPersonal = isForPersonal
    self.handler = handler
  }

  /// The segments that stand in the pattern's `{}`; nil where the path is another.
  func parameters(of path: ArraySlice<String>) -> [String]? {
    guard path.count == pattern.count else { return nil }
    var parameters: [String] = []
    for (wanted, segment) in zip(pattern, path) {
      if wanted == "{}" {
        parameters.append(segment)
      } else if wanted.lowercased() != segment.lowercased() {
        return nil
      }
    }
    return parameters
  }

  /// Refuses a caller whose permissions do not open this.
  func authorize(_ call: GraphCall) throws(GraphFailure) {
    if call.caller.isAppOnly {
      guard let forApps, forApps.isSatisfied(by: call.granted) else { throw .denied(by: workload) }
      return
    }
    guard isForPersonal || !call.caller.isPersonal else { throw .denied(by: workload) }
    let needed = anchor == .user && call.subject?.isCaller == false ? forOthers : permission
    guard let needed, needed.isSatisfied(by: call.granted) else { throw .denied(by: workload) }
  }
}

extension GraphRoute {
  /// Everything that the built-in subset knows, the first that fits counting.
  static let all: [GraphRoute] =
    userRoutes + photoRoutes + memberOfRoutes + managerRoutes + directReportsRoutes + groupRoutes + organizationRoutes
    + calendarRoutes + calendarViewRoutes + eventRoutes + messageRoutes + mailFolderRoutes + sendMailRoutes
    + contactRoutes + driveRoutes
}

/// The request counts of an emulator. For a scenario, requests made by the preconditions are not counted. For a
/// platform, all requests since its creation are counted.
public struct RequestCounts: Hashable, Sendable {
  /// The number of requests to the token endpoint.
  public let token: Int
  /// The number of requests to the authorize endpoint.
  public let authorize: Int
  /// The number of requests to Microsoft Graph.
  public let graph: Int
  /// The total number of requests, or nil for a scenario.
  public let all: Int?

  init(all: Int? = nil, _ count: (String) -> Int) {
    token = count("token")
    authorize = count("authorize")
    graph = count("graph")
    self.all = all
  }
}

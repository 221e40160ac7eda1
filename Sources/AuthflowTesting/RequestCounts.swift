/// How many requests came to the emulated platform: of one scenario from its first step on, of a platform from its
/// beginning on.
public struct RequestCounts: Hashable, Sendable {
  /// For tokens.
  public let token: Int
  /// For the page where people sign in.
  public let authorize: Int
  /// For Microsoft Graph.
  public let graph: Int
  /// Altogether; nil for a scenario, of which only these three are counted.
  public let all: Int?

  init(all: Int? = nil, _ count: (String) -> Int) {
    token = count("token")
    authorize = count("authorize")
    graph = count("graph")
    self.all = all
  }
}

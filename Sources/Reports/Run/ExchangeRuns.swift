/// Groups of consecutive similar exchanges, such as polls and failed retries.
enum ExchangeRuns {
  /// The maximum size of a group for which reports show all exchanges. For a larger group, they show only the first and
  /// the last exchange.
  static let mostAlike = 3

  /// Returns the positions of all exchanges, split into groups.
  static func of(_ tracedRun: TracedRun) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    while start < tracedRun.exchanges.count {
      let sort = self.sort(tracedRun.exchanges[start])
      var end = start + 1
      while end < tracedRun.exchanges.count, self.sort(tracedRun.exchanges[end]) == sort { end += 1 }
      runs.append(start..<end)
      start = end
    }
    return runs
  }

  /// Returns a key that is the same for similar exchanges. It consists of the sender, method, URL without the query,
  /// response, and step.
  private static func sort(_ exchange: TracedExchange) -> String {
    let path = exchange.request.url.prefix { $0 != "?" && $0 != "#" }
    let answer = RunPage.status(of: exchange).text
    return "\(exchange.from.rawValue) \(exchange.request.method) \(path) \(answer) \(exchange.step ?? -1)"
  }
}

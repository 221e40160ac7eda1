/// Exchanges that follow each other and are alike: polls, and tries that end the same way.
enum ExchangeRuns {
  /// More of one sort than these are told by their first and their last.
  static let mostAlike = 3

  /// All positions, in runs.
  static func of(_ story: TracedRun) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    while start < story.exchanges.count {
      let sort = self.sort(story.exchanges[start])
      var end = start + 1
      while end < story.exchanges.count, self.sort(story.exchanges[end]) == sort { end += 1 }
      runs.append(start..<end)
      start = end
    }
    return runs
  }

  /// Sender, method, address without its query, answer and step.
  private static func sort(_ exchange: TracedExchange) -> String {
    let path = exchange.request.url.prefix { $0 != "?" && $0 != "#" }
    let answer = RunPage.status(of: exchange).text
    return "\(exchange.from.rawValue) \(exchange.request.method) \(path) \(answer) \(exchange.step ?? -1)"
  }
}

/// Groups consecutive similar exchanges, such as polls and failed retries.
enum ExchangeRuns {
  /// Of larger groups, only the first and the last are shown.
  static let mostAlike = 3

  /// The positions of all exchanges in groups.
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

  /// The sender, method, URL without query, response, and step.
  private static func sort(_ exchange: TracedExchange) -> String {
    let path = exchange.request.url.prefix { $0 != "?" && $0 != "#" }
    let answer = RunPage.status(of: exchange).text
    return "\(exchange.from.rawValue) \(exchange.request.method) \(path) \(answer) \(exchange.step ?? -1)"
  }
}

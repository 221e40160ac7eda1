import Dispatch
import Synchronization

extension Array where Element: Sendable {
  /// The results for all elements in their order, computed on all cores. In a canceled task the results end early.
  func concurrentMap<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
    let size = 64
    if count <= size { return filter { _ in !Task.isCancelled }.map(transform) }
    // Only the caller's thread knows of the task, so cancellation is asked for between the rounds.
    let round = 16 * size
    var results: [Result] = []
    results.reserveCapacity(count)
    for start in stride(from: 0, to: count, by: round) where !Task.isCancelled {
      let end = Swift.min(start + round, count)
      let chunks = Array<Range<Int>>(stride(from: start, to: end, by: size).map { $0..<Swift.min($0 + size, end) })
      let found = Mutex([[Result]](repeating: [], count: chunks.count))
      DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
        let part = self[chunks[index]].map(transform)
        found.withLock { $0[index] = part }
      }
      results += found.withLock { $0.flatMap(\.self) }
    }
    return results
  }
}

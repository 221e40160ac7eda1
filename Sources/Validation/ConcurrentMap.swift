import Dispatch
import Synchronization

extension Array where Element: Sendable {
  /// Transforms all elements on all cores and returns the results in order. If the task is canceled, the returned array
  /// contains only the first results.
  func concurrentMap<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
    let size = 64
    if count <= size { return filter { _ in !Task.isCancelled }.map(transform) }
    // `Task.isCancelled` works only on the caller's thread, so the caller checks for cancellation between rounds.
    let round = 16 * size
    var results: [Result] = []
    results.reserveCapacity(count)
    for start in stride(from: 0, to: count, by: round) where !Task.isCancelled {
      let end = Swift.min(start + round, count)
      let chunks = Array<Range<Int>>(stride(from: start, to: end, by: size).map { $0..<Swift.min($0 + size, end) })
      let collected = Mutex([[Result]](repeating: [], count: chunks.count))
      DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
        let part = self[chunks[index]].map(transform)
        collected.withLock { $0[index] = part }
      }
      results += collected.withLock { $0.flatMap(\.self) }
    }
    return results
  }
}

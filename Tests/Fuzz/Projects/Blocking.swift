import Dispatch
import Synchronization

/// libFuzzer calls a target synchronously, and a run is asynchronous.
enum Blocking {
  /// Runs a closure to completion while the calling thread waits.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let result = Mutex<Value?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      let value = await body()
      result.withLock { $0 = value }
      isOver.signal()
    }
    isOver.wait()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("the semaphore is signaled after the result") }
    return value
  }
}

import Effects
import SimulatedWorld
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite("Simulation")
struct SimulationTests {
  @Test("starts at 2025-01-01T00:00:00Z and does not advance on its own")
  func start() async throws {
    let simulation = Simulation()
    #expect(simulation.clock.now.rfc3339() == "2025-01-01T00:00:00Z")
    let later = try await simulation.run {
      for _ in 0..<100 { await Task.yield() }
      return simulation.clock.now
    }
    #expect(later == Simulation.start)
  }

  @Test("a sleep of ninety days returns immediately and advances the clock exactly")
  func longSleep() async throws {
    let simulation = Simulation()
    let now = try await simulation.run {
      try await simulation.world.clock.sleep(for: .seconds(90 * 86_400))
      return simulation.clock.now
    }
    #expect(now.rfc3339() == "2025-04-01T00:00:00Z")
  }

  @Test("timers do not fire while they are suspended")
  func suspendedTimers() async throws {
    let simulation = Simulation()
    let woken = Log()
    let (wakeUps, continuation) = AsyncStream<Void>.makeStream()
    try await simulation.run {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await simulation.clock.sleep(for: .seconds(1))
          woken.add("timer")
        }
        simulation.executor.suspendTimers()
        // A task outside the executor ends the wait, like a debugger.
        Task.detached {
          #expect(simulation.clock.now == Simulation.start)
          continuation.yield()
        }
        for await _ in wakeUps { break }
        woken.add("debugger")
        #expect(simulation.clock.now == Simulation.start)
        simulation.executor.resumeTimers()
        try await group.waitForAll()
      }
    }
    #expect(woken.lines == ["debugger", "timer"])
  }

  @Test("tasks wake in the order of their deadlines, and then in the order in which their sleeps started")
  func order() async throws {
    let simulation = Simulation()
    let woken = Log()
    try await simulation.run {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (name, seconds) in [("c", 3), ("a", 1), ("b1", 2), ("b2", 2), ("z", 0)] {
          group.addTask {
            try await simulation.clock.sleep(for: .seconds(seconds))
            woken.add("\(name)@\(simulation.clock.now.secondsSince1970 - Simulation.start.secondsSince1970)")
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(woken.lines == ["z@0", "a@1", "b1@2", "b2@2", "c@3"])
  }

  @Test("time does not advance while a task can run")
  func busyTasks() async throws {
    let simulation = Simulation()
    let log = Log()
    try await simulation.run {
      async let sleeper: Void = {
        try await simulation.clock.sleep(for: .milliseconds(1))
        log.add("woke")
      }()
      async let worker: Void = {
        for step in 0..<50 {
          await Task.yield()
          if step == 49 { log.add("worked at \(simulation.clock.now == Simulation.start ? "start" : "later")") }
        }
      }()
      await worker
      try await sleeper
    }
    #expect(log.lines == ["worked at start", "woke"])
  }

  @Test("a canceled sleep ends immediately, at the current time")
  func cancellation() async throws {
    let simulation = Simulation()
    let elapsed = try await simulation.run {
      await withTaskGroup(of: Bool.self) { group in
        group.addTask { (try? await simulation.clock.sleep(for: .seconds(3600))) == nil }
        group.addTask {
          try? await simulation.clock.sleep(for: .seconds(5))
          return false
        }
        #expect(await group.next() == false)
        group.cancelAll()
        #expect(await group.next() == true)
      }
      return simulation.clock.now - Simulation.start
    }
    #expect(elapsed == .seconds(5))
  }

  @Test("a task that is canceled before its sleep does not sleep")
  func cancelledBefore() async throws {
    let simulation = Simulation()
    let refused = try await simulation.run {
      await withTaskGroup(of: Bool.self) { group in
        group.cancelAll()
        group.addTask {
          do {
            try await simulation.clock.sleep(for: .seconds(1))
            return false
          } catch { return error is CancellationError }
        }
        return await group.next()
      }
    }
    #expect(refused == true)
    #expect(simulation.clock.now == Simulation.start)
  }

  @Test("canceling the caller cancels the simulation")
  func outerCancellation() async {
    let simulation = Simulation()
    let task = Task {
      try await simulation.run {
        while true {
          try Task.checkCancellation()
          await Task.yield()
        }
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a sleep outside the executor also returns immediately")
  func outside() async throws {
    let world = World.simulated()
    try await world.clock.sleep(for: .seconds(7))
    #expect(world.clock.now == Simulation.start + .seconds(7))
  }

  @Test("advancing the clock wakes due tasks and never moves time back")
  func advance() async throws {
    let simulation = Simulation()
    simulation.clock.advance(by: .seconds(60))
    simulation.clock.advance(to: Simulation.start)
    simulation.clock.advance(by: .seconds(-60))
    #expect(simulation.clock.now == Simulation.start + .seconds(60))
  }

  @Test("a concurrent scenario has the same interleaving in each run, even with actors")
  func determinism() async throws {
    func trace() async throws -> [String] {
      let simulation = Simulation(seed: "same")
      let log = Log()
      let counter = Counter()
      try await simulation.run {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for member in 0..<8 {
            group.addTask {
              for _ in 0..<20 {
                let wait = simulation.world.randomness.number(below: 4)
                if wait > 0 { try await simulation.clock.sleep(for: .milliseconds(wait)) }
                let count = await counter.next()
                log.add("\(member) \(count) \(simulation.clock.now.nanosecondsSince1970)")
              }
            }
          }
          try await group.waitForAll()
        }
      }
      return log.lines
    }
    let first = try await trace()
    #expect(first.count == 160)
    for _ in 0..<10 { #expect(try await trace() == first) }
  }

  @Test("a run uses only the thread that starts it")
  func thread() async throws {
    let simulation = Simulation()
    let caller = ThreadName.current
    let (first, second) = try await simulation.run {
      let first = ThreadName.current
      try await simulation.clock.sleep(for: .seconds(60))
      return (first, ThreadName.current)
    }
    #expect(first == caller && second == caller)
  }

  @Test("an endless run can be canceled and lets other tasks use its thread")
  func endless() async throws {
    let simulation = Simulation()
    let moved = Flag()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await simulation.run {
          let caller = ThreadName.current
          while !Task.isCancelled {
            await Task.yield()
            if ThreadName.current != caller { moved.set() }
          }
        }
      }
      while !moved.isSet { await Task.yield() }
      group.cancelAll()
    }
  }

  @Test("a nested run has its own clock, and both runs end")
  func nested() async throws {
    let outer = Simulation()
    let inner = Simulation()
    let (inside, outside) = try await outer.run {
      try await outer.clock.sleep(for: .seconds(5))
      let slept = try await inner.run {
        try await inner.clock.sleep(for: .seconds(60))
        return inner.clock.now - Simulation.start
      }
      return (slept, outer.clock.now - Simulation.start)
    }
    #expect(inside == .seconds(60) && outside == .seconds(5))
  }

  @Test("concurrent simulations do not affect each other")
  func independence() async throws {
    try await withThrowingTaskGroup(of: Duration.self) { group in
      for number in 1...20 {
        group.addTask {
          let simulation = Simulation()
          return try await simulation.run {
            for _ in 0..<number { try await simulation.clock.sleep(for: .seconds(1)) }
            return simulation.clock.now - Simulation.start
          }
        }
      }
      var sums: [Duration] = []
      for try await elapsed in group { sums.append(elapsed) }
      #expect(sums.sorted() == (1...20).map { .seconds($0) })
    }
  }
}

private actor Counter {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

private final class Log: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func add(_ line: String) { state.withLock { $0.append(line) } }
}

/// The ID of the current thread.
private enum ThreadName {
  static var current: pthread_t { pthread_self() }
}

/// An event that one thread signals to another.
private final class Flag: Sendable {
  private let value = Mutex(false)

  var isSet: Bool { value.withLock { $0 } }

  func set() { value.withLock { $0 = true } }
}

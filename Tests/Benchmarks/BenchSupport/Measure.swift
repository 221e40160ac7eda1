import Crypto
import CryptoExtras
import Foundation

/// The number of repetitions, with wall-clock and processor time.
package struct Rate {
  package var count: Int
  package var wallSeconds: Double
  /// User and system time of the process.
  package var processorSeconds: Double
  package var threads: Int

  package init(count: Int = 0, wallSeconds: Double = 0, processorSeconds: Double = 0, threads: Int) {
    self.count = count
    self.wallSeconds = wallSeconds
    self.processorSeconds = processorSeconds
    self.threads = threads
  }

  package mutating func add(_ other: Rate) {
    count += other.count
    wallSeconds += other.wallSeconds
    processorSeconds += other.processorSeconds
  }

  package var perSecond: Double { Double(count) / wallSeconds }
  /// Repetitions per second of processor time. Other programs hardly affect this rate.
  package var perSecondAlone: Double { Double(count) / processorSeconds * Double(threads) }
}

package func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns the resident memory of a process in megabytes, as reported by Linux.
package func residentMegabytes(_ process: String = "self") -> Double {
  guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
}

/// Repeats the work on several threads until the time has elapsed.
package func measure(threads: Int, seconds: Double, _ body: @escaping @Sendable () async -> Void) async -> Rate {
  for _ in 0..<3 { await body() }
  let clock = ContinuousClock()
  let start = clock.now
  let end = start + .seconds(seconds)
  let before = processorSeconds()
  let count = await withTaskGroup(of: Int.self) { group in
    for _ in 0..<threads {
      group.addTask { @concurrent in
        var done = 0
        repeat {
          await body()
          done += 1
        } while clock.now < end
        return done
      }
    }
    return await group.reduce(0, +)
  }
  let (whole, part) = (clock.now - start).components
  return Rate(
    count: count, wallSeconds: Double(whole) + Double(part) / 1e18, processorSeconds: processorSeconds() - before,
    threads: threads)
}

/// Signs text of a typical JWT's length with RSA-2048 (PKCS #1), which limits the rate on this machine.
package let signing: @Sendable () async -> Void = {
  guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { fail("no key") }
  let text = [UInt8](repeating: 101, count: 1200)
  return { _ = try? key.signature(for: SHA256.hash(data: text), padding: .insecurePKCS1v1_5) }
}()

/// Prints a line immediately, even if the output is a pipe.
package func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Ends the benchmark with an error, for example because of an unexpected response.
package func fail(_ words: String) -> Never {
  FileHandle.standardError.write(Data((words + "\n").utf8))
  exit(1)
}

package func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

package func rounded(_ number: Double) -> String {
  number >= 100 ? String(Int(number.rounded())) : String((number * 10).rounded() / 10)
}

/// Alternates between signing and the measured work in short time slices, so that the load of other programs affects
/// both equally.
/// - Returns: The rate of the work and the signing rate.
package func measureBesideSigning(
  threads: Int, seconds: Double, _ body: @escaping @Sendable () async -> Void
) async -> (own: Rate, limit: Rate) {
  let slices = max(4, Int(seconds * 4))
  var both = (own: Rate(threads: threads), limit: Rate(threads: threads))
  for _ in 0..<slices {
    both.own.add(await measure(threads: threads, seconds: seconds / Double(slices), body))
    both.limit.add(await measure(threads: threads, seconds: 0.1, signing))
  }
  return both
}

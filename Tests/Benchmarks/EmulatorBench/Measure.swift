import Crypto
import CryptoExtras
import Foundation

/// How often something was done, by the clock on the wall and by the processor's.
struct Rate {
  var count: Int
  var wallSeconds: Double
  /// User and system time of the whole process.
  var processorSeconds: Double
  var threads: Int

  init(count: Int = 0, wallSeconds: Double = 0, processorSeconds: Double = 0, threads: Int) {
    self.count = count
    self.wallSeconds = wallSeconds
    self.processorSeconds = processorSeconds
    self.threads = threads
  }

  mutating func add(_ other: Rate) {
    count += other.count
    wallSeconds += other.wallSeconds
    processorSeconds += other.processorSeconds
  }

  var perSecond: Double { Double(count) / wallSeconds }
  /// What the same would be on cores of its own: other programs' load changes it little.
  var perSecondAlone: Double { Double(count) / processorSeconds * Double(threads) }
}

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Resident memory of a process in megabytes, as Linux tells it.
func residentMegabytes(_ process: String = "self") -> Double {
  guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
}

/// Does it over and over on so many threads until the time is up.
func measure(threads: Int, seconds: Double, _ body: @escaping @Sendable () async -> Void) async -> Rate {
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

/// The machine's own limit: a signature of a JWT's length with RSA-2048, PKCS#1, and nothing else.
let signing: @Sendable () async -> Void = {
  guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { fail("no key") }
  let text = [UInt8](repeating: 101, count: 1200)
  return { _ = try? key.signature(for: SHA256.hash(data: text), padding: .insecurePKCS1v1_5) }
}()

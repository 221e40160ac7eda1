#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Whether processes that files name are still there.
enum ProcessLiveness {
  /// - Parameter second: when the process was certainly running, since 1970; one that began later only has its number.
  static func isAlive(_ process: pid_t, since second: Int) -> Bool {
    guard kill(process, 0) == 0 || errno == EPERM else { return false }
    #if os(Linux)
      // Without /proc the number alone must do.
      guard let fields = statusFields(process), fields.count > 19 else { return true }
      // A process that was killed, and whose parent has not asked yet, holds nothing.
      if fields[0] == "Z" || fields[0] == "X" { return false }
      guard let ticks = Int(fields[19]), let boot = bootSecond else { return true }
      return boot + ticks / max(Int(sysconf(CInt(_SC_CLK_TCK))), 1) <= second + 2
    #else
      return true
    #endif
  }

  #if os(Linux)
    /// The fields of `/proc/<process>/stat` from the third on: the second may hold blanks and parentheses.
    private static func statusFields(_ process: pid_t) -> [Substring]? {
      guard let file = try? FileDescriptor.reading("/proc/\(process)/stat"),
        let bytes = try? file.read(4_096), let end = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { return nil }
      return String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    }

    /// When the system was started.
    private static var bootSecond: Int? {
      var (real, running) = (timespec(), timespec())
      guard clock_gettime(CLOCK_REALTIME, &real) == 0, clock_gettime(CLOCK_BOOTTIME, &running) == 0 else { return nil }
      return Int(real.tv_sec) - Int(running.tv_sec)
    }
  #endif
}

/// Nanoseconds on a clock that nobody sets.
enum MonotonicTime {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

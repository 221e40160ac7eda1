#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Checks whether the owner of a lock file still exists.
enum ProcessLiveness {
  /// - Parameter second: A time at which the process was running, in seconds since 1970. If the process with this ID
  ///   started later, the system has reused the ID.
  static func isAlive(_ process: pid_t, since second: Int) -> Bool {
    guard kill(process, 0) == 0 || errno == EPERM else { return false }
    #if os(Linux)
      // Without `/proc`, only the process ID is available.
      guard let fields = statusFields(process), fields.count > 19 else { return true }
      // A zombie process has terminated and does not own a lock.
      if fields[0] == "Z" || fields[0] == "X" { return false }
      guard let ticks = Int(fields[19]), let boot = bootSecond else { return true }
      return boot + ticks / max(Int(sysconf(CInt(_SC_CLK_TCK))), 1) <= second + 2
    #else
      var info = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.size
      var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
      guard sysctl(&name, 4, &info, &size, nil, 0) == 0, size > 0 else { return true }
      // A zombie process has terminated and does not own a lock.
      guard info.kp_proc.p_stat != CChar(SZOMB) else { return false }
      return info.kp_proc.p_un.__p_starttime.tv_sec <= second + 2
    #endif
  }

  #if os(Linux)
    /// Returns the fields of `/proc/<process>/stat`, starting with the third field. The second field can contain spaces
    /// and parentheses.
    private static func statusFields(_ process: pid_t) -> [Substring]? {
      guard let file = try? FileDescriptor.reading("/proc/\(process)/stat"),
        let bytes = try? file.read(4_096), let end = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { return nil }
      return String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    }

    /// The time when the system started, in seconds since 1970.
    private static var bootSecond: Int? {
      var (real, running) = (timespec(), timespec())
      guard clock_gettime(CLOCK_REALTIME, &real) == 0, clock_gettime(CLOCK_BOOTTIME, &running) == 0 else { return nil }
      return Int(real.tv_sec) - Int(running.tv_sec)
    }
  #endif
}

/// The monotonic clock, which users and programs cannot set.
enum MonotonicTime {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Prevents crash output that contains secrets.
package enum CrashDumpSuppression {
  /// The signals that the Swift runtime handles to print a backtrace.
  private static let caught = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Restores the system's handlers for crashes, and prevents core files.
  ///
  /// A backtrace of the runtime prints the memory that registers point to, which can include parts of tokens and passwords.
  /// A core file contains all of them. With a limit of 0, Linux can still pipe the core to a program. A limit of 1 byte
  /// prevents both (core(5), and `do_coredump` in the kernel). Signals that were ignored stay ignored.
  package static func prepare() {
    for number in caught
    where unsafeBitCast(signal(number, SIG_DFL), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(number, SIG_IGN)
    }
    var limit = rlimit()
    #if canImport(Glibc)
      let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    #else
      let core = RLIMIT_CORE
    #endif
    guard getrlimit(core, &limit) == 0 else { return }
    limit.rlim_cur = min(1, limit.rlim_max)
    setrlimit(core, &limit)
  }
}

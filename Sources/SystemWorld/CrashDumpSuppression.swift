#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A crash that gives away nothing of what the process held.
package enum CrashDumpSuppression {
  /// The signals that the Swift runtime catches to show where a process crashed.
  private static let caught = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Leaves crashes to the system, and asks it for no core file.
  ///
  /// The runtime's backtrace, where it is switched on, shows the memory that each register points to: pieces of tokens and
  /// passwords. A core file holds all of them: a limit of 0 forbids the file and lets Linux hand it to a program that the
  /// system keeps for that, a limit of 1 byte forbids both (core(5), and `do_coredump` in the kernel). What was told to be
  /// ignored stays ignored.
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

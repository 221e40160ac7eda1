#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Prevents crashes from writing secrets to backtraces or core files.
package enum CrashDumpSuppression {
  /// The signals for which the Swift runtime prints a backtrace.
  private static let caught = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Restores the system's default handlers for crashes and prevents core files.
  ///
  /// The Swift runtime's backtrace includes the memory that registers point to, which can contain parts of tokens and
  /// passwords. A core file contains all memory. With a size limit of 0, Linux can still pipe the core dump to a
  /// program. A limit of 1 byte prevents core files and pipes (core(5), and `do_coredump` in the kernel). Ignored
  /// signals stay ignored.
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

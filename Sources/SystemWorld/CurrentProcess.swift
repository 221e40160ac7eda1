#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// This process.
package enum CurrentProcess {
  /// The process ID.
  package static var id: Int { Int(getpid()) }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Information about this process.
package enum CurrentProcess {
  /// The ID of this process.
  package static var id: Int { Int(getpid()) }
}

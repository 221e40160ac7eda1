#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// This process, as others see it.
package enum CurrentProcess {
  /// Its number.
  package static var id: Int { Int(getpid()) }
}

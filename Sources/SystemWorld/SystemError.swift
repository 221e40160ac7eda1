import Effects

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension FileFailure {
  /// Converts an `errno` value to a failure for a path.
  static func system(_ number: CInt, _ path: String) -> FileFailure {
    switch number {
    case ENOENT, ENOTDIR: .notFound(path)
    case EISDIR: .isDirectory(path)
    case EACCES, EPERM: .notPermitted(path)
    case ENOSPC, EDQUOT: .noSpace(path)
    default: .other(path, reason: String(cString: strerror(number)))
    }
  }
}

/// Retries a system call if a signal interrupts it.
/// - Returns: The result of the call, or `errno`.
func uninterrupted<Count: SignedInteger>(_ call: () -> Count) -> Swift.Result<Count, SystemError> {
  while true {
    let result = call()
    if result >= 0 { return .success(result) }
    if errno != EINTR { return .failure(SystemError(number: errno)) }
  }
}

struct SystemError: Error {
  var number: CInt
}

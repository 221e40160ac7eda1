/// The exit code of a command. Scripts rely on these numbers, so do not change them.
package enum ExitStatus: Int32, Sendable, Error {
  case success = 0
  /// The command ran, but a step, an expectation, or a check failed.
  case failed = 1
  /// The command line or an input file is invalid. Nothing ran.
  case usageError = 2
  /// An environment error occurred: network, port, keyring, or disk.
  case environmentFailure = 3
  /// The user pressed Ctrl-C.
  case interrupted = 130
}

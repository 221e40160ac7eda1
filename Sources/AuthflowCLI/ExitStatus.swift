/// How a command ended, for scripts. The numbers are part of the command line's contract.
package enum ExitStatus: Int32, Sendable, Error {
  /// All went as the workflow or the rules say.
  case success = 0
  /// It ran and failed: a step, an expectation, a lint error.
  case failed = 1
  /// The command line or the input is unusable; nothing was run.
  case usageError = 2
  /// The surroundings failed: network, port, keyring, disk.
  case environmentFailure = 3
  case interrupted = 130
}

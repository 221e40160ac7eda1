/// The pipes and devices that a command line names as input: standard input, `/dev/null`, and `<(command)` of a shell.
///
/// Everything else that authflow reads must be a regular file. A path in a project's file is therefore never a stream, and
/// cannot make a command wait forever.
package enum InputStreams {
  static let standardInput = "/dev/stdin"

  /// The paths of the streams in these arguments, which can follow a prefix, as in `--env-file=/dev/fd/63` or `@-`.
  package static func named(by arguments: [String]) -> Set<String> {
    var streams: Set<String> = []
    // The one command that reads standard input if no argument says so.
    if arguments.starts(with: ["token", "decode"]) { streams.insert(standardInput) }
    for argument in arguments {
      let prefix = argument.lastIndex { "=@:".contains($0) }
      let path = prefix.map { String(argument[argument.index(after: $0)...]) } ?? argument
      if path == "-" { streams.insert(standardInput) }
      if isStream(path) { streams.insert(path) }
    }
    return streams
  }

  private static func isStream(_ path: String) -> Bool {
    if path == standardInput || path == "/dev/null" { return true }
    return ["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) && Int(path.dropFirst($0.count)) != nil }
  }
}

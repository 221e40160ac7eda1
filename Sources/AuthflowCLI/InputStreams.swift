/// The input streams of a command line: standard input, `/dev/null`, and the pipes that a shell creates for
/// `<(command)`.
///
/// All other input must come from regular files. Therefore, a path in a project file cannot refer to a stream, which
/// could block the command forever.
package enum InputStreams {
  static let standardInput = "/dev/stdin"

  /// Returns the paths of the streams in these arguments. A prefix can precede a path, as in `--env-file=/dev/fd/63` or
  /// `@-`.
  package static func named(by arguments: [String]) -> Set<String> {
    var streams: Set<String> = []
    // `token decode` reads standard input by default.
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

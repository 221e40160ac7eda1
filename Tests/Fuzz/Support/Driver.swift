#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tests one input from libFuzzer. The result 0 accepts the input for the corpus, and -1 rejects it.
package typealias FuzzTarget = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// libFuzzer's main loop (FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>, _ target: FuzzTarget
) -> CInt

/// Parses the command line of a program with fuzz targets. The first argument is the name of a target, and the other
/// arguments are passed to libFuzzer.
package enum FuzzDriver {
  /// Returns the bytes of an input.
  package static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// Runs libFuzzer on the target in the command line. Exits with status 2 if there is no such target.
  package static func run(_ targets: [String: FuzzTarget]) -> Never {
    guard CommandLine.arguments.count > 1, let target = targets[CommandLine.arguments[1]] else {
      let names = targets.keys.sorted().joined(separator: "|")
      printError("usage: \(CommandLine.arguments[0]) \(names) [libFuzzer options]")
      exit(2)
    }
    let arguments = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
    var count = CInt(arguments.count)
    let vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
    for (index, argument) in arguments.enumerated() { vector[index] = strdup(argument) }
    vector[arguments.count] = nil
    var start = vector
    exit(runDriver(&count, &start, target))
  }

  /// Writes a line to standard error.
  package static func printError(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(2, line, line.count)
  }
}

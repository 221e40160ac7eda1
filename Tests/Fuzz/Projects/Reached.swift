import FuzzSupport
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Counts the inputs that the first decoder accepts. If that decoder rejected all inputs, the fuzzer would report
/// success without testing any other code.
enum Reached {
  private static let counts = Mutex<(inputs: Int, past: Int)>((0, 0))

  /// Counts an input.
  /// - Returns: The result of the target. The value -1 excludes the input from the corpus, so that mutations start from
  /// inputs that the decoder accepts.
  static func count(_ isPast: Bool) -> CInt {
    counts.withLock { counts in
      counts.inputs += 1
      if isPast { counts.past += 1 }
    }
    return isPast ? 0 : -1
  }

  /// Prints the counts when the process ends, in the format of libFuzzer's statistics, for .ci/check-fuzz.
  static func printAtExit() {
    atexit {
      let counts = Reached.counts.withLock { $0 }
      FuzzDriver.printError("stat::inputs_past_the_reader: \(counts.past) of \(counts.inputs)")
    }
  }
}

import FuzzSupport
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Counts the inputs that got past the first reader. A fuzzer whose inputs are all refused there tests nothing else, and
/// reports success.
enum Reached {
  private static let counts = Mutex<(inputs: Int, past: Int)>((0, 0))

  /// Counts one input.
  /// - Returns: the target's result: -1 keeps the input out of the corpus, so that mutations start from inputs that
  ///   reach the code behind the reader.
  static func count(_ isPast: Bool) -> CInt {
    counts.withLock { counts in
      counts.inputs += 1
      if isPast { counts.past += 1 }
    }
    return isPast ? 0 : -1
  }

  /// Prints the counts when the process ends, in the form of libFuzzer's statistics, for .ci/check-fuzz.
  static func printAtExit() {
    atexit {
      let counts = Reached.counts.withLock { $0 }
      FuzzDriver.printError("stat::inputs_past_the_reader: \(counts.past) of \(counts.inputs)")
    }
  }
}

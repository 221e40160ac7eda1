/// The options of `authflow test` with an optional value: `--tap`, `--tap=FILE`, `--shuffle`, and `--shuffle=SEED`.
///
/// ArgumentParser does not support optional values, so this type adds the missing values before the arguments are
/// parsed.
enum OptionalValueArguments {
  /// The value of `--shuffle` without a seed.
  static let anySeed = "any"

  /// Returns the arguments with the missing values added.
  static func completed(_ arguments: [String]) -> [String] {
    guard arguments.first == "test" || arguments.first == "merge" else { return arguments }
    var result: [String] = []
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      let next = index + 1 < arguments.count ? arguments[index + 1] : nil
      index += 1
      if argument == "--" {
        result += arguments[(index - 1)...]
        break
      }
      switch argument {
      case "--tap":
        // Without the `.tap` extension, the next argument may be a folder of workflows.
        if let next, next == "-" || next.lowercased().hasSuffix(".tap") {
          result.append("--tap=\(next)")
          index += 1
        } else {
          result.append("--tap=-")
        }
      case "--shuffle":
        if let next, !next.isEmpty, next.allSatisfy({ $0.isASCII && $0.isNumber }) {
          result.append("--shuffle=\(next)")
          index += 1
        } else {
          result.append("--shuffle=\(anySeed)")
        }
      default: result.append(argument)
      }
    }
    return result
  }
}

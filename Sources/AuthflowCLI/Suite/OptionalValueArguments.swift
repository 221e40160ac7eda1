/// Options of `authflow test` that may stand alone or with a value: `--tap`, `--tap=FILE`, `--shuffle`, `--shuffle=SEED`.
///
/// The parser knows options with a value and flags without one, so what stands alone gets its value here.
enum OptionalValueArguments {
  /// Stands where a seed is to be chosen.
  static let anySeed = "any"

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
        // What follows is a file only where it looks like one of TAP's: it may be a folder of workflows.
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

/// The penalty for a masked symbol (ISO/IEC 18004 §7.8.3). The QR code uses the mask with the lowest penalty.
enum QRPenalty {
  static func of(_ code: QRCode) -> Int { lines(code) + squares(code) + balance(code) }

  /// Returns the penalty for runs of five or more modules of the same color, and for patterns that resemble a finder
  /// next to four light modules.
  private static func lines(_ code: QRCode) -> Int {
    var penalty = 0
    for line in 0..<code.size {
      for isRow in [true, false] {
        let modules = (0..<code.size).map { isRow ? code[line, $0] : code[$0, line] }
        var run = 0
        for (index, module) in modules.enumerated() {
          run = index > 0 && modules[index - 1] == module ? run + 1 : 1
          if run == 5 { penalty += 3 }
          if run > 5 { penalty += 1 }
        }
        for start in 0..<max(0, modules.count - 10) {
          let window = Array(modules[start..<start + 11])
          if window == finder || window == finder.reversed() { penalty += 40 }
        }
      }
    }
    return penalty
  }

  private static let finder = [true, false, true, true, true, false, true, false, false, false, false]

  private static func squares(_ code: QRCode) -> Int {
    var penalty = 0
    for row in 0..<code.size - 1 {
      for column in 0..<code.size - 1 {
        let module = code[row, column]
        if code[row, column + 1] == module, code[row + 1, column] == module, code[row + 1, column + 1] == module {
          penalty += 3
        }
      }
    }
    return penalty
  }

  /// Returns ten points for every five percentage points by which the share of dark modules deviates from one half.
  private static func balance(_ code: QRCode) -> Int {
    let all = code.size * code.size
    let dark = (0..<all).count { code[$0 / code.size, $0 % code.size] }
    return abs(dark * 20 - all * 10) / all * 10
  }
}

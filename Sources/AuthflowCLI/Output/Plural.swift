extension BinaryInteger {
  /// Returns the number with a noun, such as `1 file` or `2 files`.
  func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

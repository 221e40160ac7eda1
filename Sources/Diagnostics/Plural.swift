extension BinaryInteger {
  /// Returns the number with a noun, such as `1 file`, `2 files`, or `2 entries`.
  /// - Parameter plural: The plural of the noun if it is irregular.
  package func counting(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}

import Diagnostics

extension ValidatedFile {
  /// Whether all of it could be read: what is absent from a broken file may only have been lost.
  var isWhole: Bool { !diagnostics.hasErrors }
}

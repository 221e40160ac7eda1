import AppRegistration
import Diagnostics
import Documents

extension Rule {
  /// Returns the location of a placeholder inside a value.
  func place(of placeholder: Substring, in value: Positioned<String>) -> FileSpan {
    value.value.firstRange(of: placeholder).map { value.place(of: value.value[$0]) } ?? value.place
  }
}

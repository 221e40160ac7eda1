import AppRegistration
import Diagnostics
import Documents

extension Rule {
  /// Where a placeholder stands inside a value.
  func placeOf(_ placeholder: Substring, in value: Positioned<String>) -> FileSpan {
    value.value.firstRange(of: placeholder).map { value.place(of: value.value[$0]) } ?? value.place
  }
}

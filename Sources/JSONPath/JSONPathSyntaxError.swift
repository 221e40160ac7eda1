/// A syntax error in a JSONPath query or an I-Regexp.
package struct JSONPathSyntaxError: Error, Hashable, Sendable {
  /// The offset in UTF-8 bytes.
  package var offset: Int
  /// The error, as a clause.
  package var message: String
  /// A suggested fix, or nil.
  package var help: String?

  package init(offset: Int, message: String, help: String? = nil) {
    self.offset = offset
    self.message = message
    self.help = help
  }
}

extension JSONPathSyntaxError: CustomStringConvertible {
  package var description: String {
    "at \(offset): \(message)" + (help.map { " (\($0))" } ?? "")
  }
}

/// Why a text is no JSONPath query, or no I-Regexp.
package struct JSONPathSyntaxError: Error, Hashable, Sendable {
  /// Where in the text, in UTF-8 bytes from its beginning.
  package var offset: Int
  /// What is wrong, in one sentence.
  package var message: String
  /// What to write instead, where that is known.
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

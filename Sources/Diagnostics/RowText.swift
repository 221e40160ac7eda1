extension String {
  /// The text with control characters and line separators replaced by spaces.
  package var singleLine: String {
    unicodeScalars.map { scalar -> String in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: " "
      default: String(scalar)
      }
    }.joined()
  }
}

extension [String] {
  /// Returns the items, separated by commas and wrapped into rows.
  ///
  /// - Parameter width: The maximum length of a row, at least 20. A longer item is on a separate row.
  package func wrapped(within width: Int) -> [String] {
    var rows: [String] = []
    var row = ""
    for (index, word) in enumerated() {
      let piece = index + 1 < count ? "\(word)," : word
      if row.isEmpty {
        row = piece
      } else if row.count + 1 + piece.count <= Swift.max(width, 20) {
        row += " \(piece)"
      } else {
        rows.append(row)
        row = piece
      }
    }
    return rows + [row]
  }
}

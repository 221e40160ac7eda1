extension String {
  /// The text as it stays on its line and moves no cursor.
  package var onOneRow: String {
    unicodeScalars.map { scalar -> String in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: " "
      default: String(scalar)
      }
    }.joined()
  }
}

extension [String] {
  /// The words with commas between them, in rows.
  ///
  /// - Parameter width: the characters of a row, at least 20; a longer word has a row of its own.
  package func listed(within width: Int) -> [String] {
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

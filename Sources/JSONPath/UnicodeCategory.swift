/// A Unicode general category in `\p{…}`: a group (`L`) or a subcategory (`Lu`).
struct UnicodeCategory: Sendable {
  private let categories: Set<Unicode.GeneralCategory>

  /// Returns nil if RFC 9485 does not define the category. The RFC excludes surrogates (`Cs`).
  init?(_ name: String) {
    let matches = Self.names.filter { $0.name == name || $0.name.prefix(1) == name }
    guard !matches.isEmpty else { return nil }
    categories = Set(matches.map(\.category))
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool { categories.contains(scalar.properties.generalCategory) }

  private static let names: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Ll", .lowercaseLetter), ("Lm", .modifierLetter), ("Lo", .otherLetter), ("Lt", .titlecaseLetter),
    ("Lu", .uppercaseLetter), ("Mc", .spacingMark), ("Me", .enclosingMark), ("Mn", .nonspacingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Pe", .closePunctuation), ("Pf", .finalPunctuation), ("Pi", .initialPunctuation),
    ("Po", .otherPunctuation), ("Ps", .openPunctuation), ("Zl", .lineSeparator), ("Zp", .paragraphSeparator),
    ("Zs", .spaceSeparator), ("Sc", .currencySymbol), ("Sk", .modifierSymbol), ("Sm", .mathSymbol),
    ("So", .otherSymbol), ("Cc", .control), ("Cf", .format), ("Cn", .unassigned), ("Co", .privateUse),
  ]
}

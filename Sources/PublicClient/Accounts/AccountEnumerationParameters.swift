/// The filter for enumerating accounts (`MSALAccountEnumerationParameters`). Comparisons ignore case. Blank values
/// match all accounts.
package struct AccountEnumerationParameters: Hashable, Sendable {
  package var identifier: String?
  package var tenantProfileIdentifier: String?
  package var username: String?
  /// Whether to exclude accounts that are signed out.
  package var returnOnlySignedInAccounts = true

  package init(identifier: String? = nil, tenantProfileIdentifier: String? = nil, username: String? = nil) {
    self.identifier = identifier
    self.tenantProfileIdentifier = tenantProfileIdentifier
    self.username = username
  }
}

extension String {
  /// Whether the text is empty or contains only whitespace.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// The text, or nil if it is blank.
  var unlessBlank: String? { isBlank ? nil : self }
}

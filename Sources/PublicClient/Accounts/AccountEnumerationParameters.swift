/// Which accounts are wanted: MSALAccountEnumerationParameters. Texts compare without regard to case;
/// blank ones ask for nothing.
package struct AccountEnumerationParameters: Hashable, Sendable {
  package var identifier: String?
  package var tenantProfileIdentifier: String?
  package var username: String?
  /// False also shows accounts that are signed out.
  package var returnOnlySignedInAccounts = true

  package init(identifier: String? = nil, tenantProfileIdentifier: String? = nil, username: String? = nil) {
    self.identifier = identifier
    self.tenantProfileIdentifier = tenantProfileIdentifier
    self.username = username
  }
}

extension String {
  /// Whether there is nothing but white space.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// Nil where there is nothing but white space.
  var unlessBlank: String? { isBlank ? nil : self }
}

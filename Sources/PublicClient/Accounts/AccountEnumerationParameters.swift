/// Which accounts are wanted: MSALAccountEnumerationParameters. Texts compare without regard to case.
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

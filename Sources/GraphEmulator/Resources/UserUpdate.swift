import Directory
import Documents
import OrderedCollections

/// The changes in a `PATCH` request for a user.
struct UserUpdate: Sendable {
  private let changes: OrderedDictionary<String, JSON>

  /// The properties that a request cannot set.
  private static let readOnly: Set<String> = [
    "id", "createdDateTime", "creationType", "deletedDateTime", "externalUserState", "imAddresses",
    "lastPasswordChangeDateTime", "proxyAddresses", "securityIdentifier", "signInSessionsValidFromDateTime",
  ]
  /// The properties that a caller can change only with administrative permissions.
  private static let sensitive: Set<String> = ["accountEnabled", "identities", "mail", "userPrincipalName", "userType"]

  /// - Parameter isAdministrative: Whether the caller may enable and disable accounts.
  init(_ body: JSON, isAdministrative: Bool = false) throws(GraphErrorResponse) {
    var changes: OrderedDictionary<String, JSON> = [:]
    for (key, value) in body.object ?? [:] where !key.hasPrefix("@odata.") {
      let name = UserResource.exactName(key)
      guard UserResource.properties.contains(name) else {
        throw .badRequest(
          "A value was provided for property '\(key)', but this property does not exist on type 'user'.")
      }
      guard !Self.readOnly.contains(name) else {
        throw .badRequest("Property '\(name)' is read-only and cannot be set.")
      }
      guard !Self.sensitive.contains(name) || isAdministrative && name == "accountEnabled" else {
        throw GraphErrorResponse(
          403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.")
      }
      changes[name] = value
    }
    guard !changes.isEmpty else { throw .badRequest("At least one property must be updated.") }
    self.changes = changes
  }

  func apply(to subject: GraphSubject, _ state: inout GraphState) throws(GraphErrorResponse) {
    guard var account = state.accounts[subject.accountID.lowercased()] else {
      throw .resourceNotFound(subject.member.objectID)
    }
    for (name, value) in changes { try set(name, value, &account.user) }
    state.accounts[subject.accountID.lowercased()] = account
  }

  private static let texts: [String: any WritableKeyPath<User, String?> & Sendable] = [
    "displayName": \.displayName, "givenName": \.givenName, "surname": \.surname, "jobTitle": \.jobTitle,
    "department": \.department, "officeLocation": \.officeLocation, "mobilePhone": \.mobilePhone,
    "preferredLanguage": \.preferredLanguage, "city": \.city, "country": \.country,
  ]

  private func set(_ name: String, _ value: JSON, _ user: inout User) throws(GraphErrorResponse) {
    func invalid() -> GraphErrorResponse {
      .badRequest("Invalid value specified for property '\(name)' of resource 'User'.")
    }
    if let path = Self.texts[name] {
      guard value.isNull || value.string != nil else { throw invalid() }
      // Graph does not allow a request to clear the display name. Without a display name, responses would contain the
      // username.
      guard name != "displayName" || value.string?.isEmpty == false else { throw invalid() }
      user[keyPath: path] = value.string
    } else if name == "accountEnabled" {
      guard let isEnabled = value.bool else { throw invalid() }
      user.disabled = isEnabled ? nil : true
    } else if name == "businessPhones" {
      guard let phones = value.array?.map(\.string), !phones.contains(nil), phones.count <= 1 else { throw invalid() }
      user.businessPhones = phones.compactMap { $0 }
    } else {
      user.properties[name] = value
    }
  }
}

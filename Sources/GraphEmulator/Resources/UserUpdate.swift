import Directory
import Documents
import OrderedCollections

/// What a `PATCH` of a user changes.
struct UserUpdate: Sendable {
  private let changes: OrderedDictionary<String, JSON>

  /// Properties that nobody writes here.
  private static let readOnly: Set<String> = [
    "id", "createdDateTime", "creationType", "deletedDateTime", "externalUserState", "imAddresses",
    "lastPasswordChangeDateTime", "proxyAddresses", "securityIdentifier", "signInSessionsValidFromDateTime",
  ]
  /// Properties that only an administrator's tools write.
  private static let sensitive: Set<String> = ["accountEnabled", "identities", "mail", "userPrincipalName", "userType"]

  /// - Parameter isAdministrative: whether the caller may switch accounts on and off.
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
    guard !changes.isEmpty else { throw .badRequest("At least one property to be updated has to be given.") }
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
      // A cleared name would come back as the username: Graph refuses to clear it.
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

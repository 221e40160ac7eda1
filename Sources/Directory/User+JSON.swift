import Documents
import OrderedCollections

extension User {
  /// The user in the directory file format, which `User.fields` decodes.
  package var json: JSON {
    var members: OrderedDictionary<String, JSON> = ["username": .string(username), "id": .string(id)]
    func add(_ key: String, _ text: String?) { if let text { members[key] = .string(text) } }
    func add(_ key: String, _ texts: [String]) {
      if !texts.isEmpty { members[key] = .array(texts.map { .string($0) }) }
    }
    func add(_ key: String, _ flag: Bool?) { if let flag { members[key] = .bool(flag) } }
    func add(_ key: String, _ values: [JSON]) { if !values.isEmpty { members[key] = .array(values) } }
    add("password", password)
    add("displayName", displayName)
    add("givenName", givenName)
    add("surname", surname)
    add("mail", mail)
    add("jobTitle", jobTitle)
    add("department", department)
    add("officeLocation", officeLocation)
    add("mobilePhone", mobilePhone)
    add("businessPhones", businessPhones)
    add("preferredLanguage", preferredLanguage)
    add("city", city)
    add("country", country)
    add("role", role?.rawValue)
    switch mfa {
    case .push: members["mfa"] = "push"
    case .totp(let seed): members["mfa"] = ["totp": .string(seed)]
    case nil: break
    }
    add("passwordExpired", passwordExpired)
    add("disabled", disabled)
    add("risk", risk?.rawValue)
    add("guestIn", guestIn)
    add("manager", manager)
    add("memberOf", memberOf)
    add("photo", photo)
    add("messages", messages)
    add("events", events)
    add("contacts", contacts)
    if !properties.isEmpty { members["properties"] = .object(properties) }
    return .object(members)
  }
}

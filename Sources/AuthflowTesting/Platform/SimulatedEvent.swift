import Diagnostics
import Documents
import Foundation
import OrderedCollections

/// An event on the platform. Events use the same keywords as `given` in scenarios. Keywords that affect only the app
/// are not supported.
///
/// ```swift
/// try await platform.simulate("keysRotated", .passwordChanged(of: "megan@contoso.com"))
/// try await platform.simulate("policyAdded: {name: MFA, require: mfa}")
/// ```
///
/// A string literal is parsed as a `given` entry in YAML. By default, an event affects the directory's first user and
/// the platform's first client.
public struct SimulatedEvent: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  let content: JSON?
  private let text: String

  /// Creates an event from a `given` entry in YAML: a keyword, or a keyword with its value.
  public init(_ yaml: String) {
    text = yaml
    content = nil
  }

  /// Creates an event from a string literal, like ``init(_:)``.
  public init(stringLiteral value: String) { self.init(value) }

  /// The entry in YAML.
  public var description: String { text }

  init(_ word: String, _ details: JSON) {
    let content: JSON = details.isNull ? .string(word) : .object([word: details])
    self.content = content
    text = content.text()
  }

  init(about word: String, _ user: String?, _ more: JSON = [:]) {
    var details = more
    if let user { details["user"] = .string(user) }
    self.init(word, details.object?.isEmpty == true ? .null : details)
  }

  // MARK: The user

  /// The user changed the password. This event revokes all earlier refresh tokens.
  public static func passwordChanged(of user: String? = nil, to password: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "passwordChanged", user, password.map { ["to": .string($0)] } ?? [:])
  }

  /// The user must change the password at the next sign-in.
  public static func passwordExpired(of user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "passwordExpired", user)
  }

  /// An administrator revoked all sessions and refresh tokens of the user.
  public static func sessionsRevoked(of user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "sessionsRevoked", user)
  }

  /// The account is disabled.
  public static func userDisabled(_ user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "userDisabled", user)
  }

  /// The account is deleted.
  public static func userDeleted(_ user: String? = nil) -> SimulatedEvent { SimulatedEvent(about: "userDeleted", user) }

  /// All refresh tokens issued so far have expired.
  public static func refreshTokenExpired(of user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "refreshTokenExpired", user)
  }

  /// The platform rejects all access tokens that were issued before this event, so Microsoft Graph returns 401. The
  /// client's cache does not change. To make a token expire in the cache, advance the clock.
  public static func accessTokenExpired(of user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "accessTokenExpired", user)
  }

  // MARK: Consent and policies

  /// The user's consent to these scopes, or to all scopes if `scopes` is nil, is revoked.
  public static func consentRevoked(by user: String? = nil, scopes: [String]? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "consentRevoked", user, scopes.map { ["scopes": .array($0.map { .string($0) })] } ?? [:])
  }

  /// The user consented to these scopes.
  public static func consentGranted(by user: String? = nil, scopes: [String]) -> SimulatedEvent {
    SimulatedEvent(about: "consentGranted", user, ["scopes": .array(scopes.map { .string($0) })])
  }

  /// A requirement that a Conditional Access policy enforces.
  public enum Requirement: String, Hashable, Sendable {
    case mfa, compliantDevice, approvedApp, passwordChange, block
  }

  /// A Conditional Access policy for all users is added.
  public static func policyAdded(_ name: String = "policy", requiring requirement: Requirement) -> SimulatedEvent {
    SimulatedEvent("policyAdded", ["name": .string(name), "require": .string(requirement.rawValue)])
  }

  /// The policy with this name is removed.
  public static func policyRemoved(_ name: String = "policy") -> SimulatedEvent {
    SimulatedEvent("policyRemoved", .string(name))
  }

  // MARK: The service

  /// The platform rotates its signing key.
  public static let keysRotated = SimulatedEvent("keysRotated", .null)

  /// The network is down, so every request fails with `URLError.notConnectedToInternet`.
  public static let offline = SimulatedEvent("offline", .null)

  /// The network is available again.
  public static let online = SimulatedEvent("online", .null)

  /// A fault is installed at an endpoint.
  public static func fault(_ fault: Fault) -> SimulatedEvent { SimulatedEvent("fault", fault.json) }

  /// Returns the event as a JSON entry for the control interface.
  /// - Throws: An error if the text is not YAML.
  func entry() throws(AuthflowError) -> JSON {
    if let content { return content }
    let reading = DocumentReader.read(text, named: "event")
    guard let document = reading.document, !reading.diagnostics.hasErrors else {
      throw AuthflowError(reading.diagnostics)
    }
    return document.root.json
  }
}

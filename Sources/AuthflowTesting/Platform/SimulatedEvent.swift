import Diagnostics
import Documents
import Foundation
import OrderedCollections

/// Something that happens at the platform: the vocabulary of a scenario's `given`, as far as it is not the app's own doing.
///
/// ```swift
/// try await platform.simulate("keysRotated", .passwordChanged(of: "megan@contoso.com"))
/// try await platform.simulate("policyAdded: {name: MFA, require: mfa}")
/// ```
///
/// A string is read as one entry of a `given`, in YAML. Where nobody is named, the directory's first user is meant, and the
/// first client that was made on the platform.
public struct SimulatedEvent: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  let content: JSON?
  private let text: String

  /// One entry of a `given`, in YAML: a word, or a word with its details.
  public init(_ yaml: String) {
    text = yaml
    content = nil
  }

  /// The same as ``init(_:)``.
  public init(stringLiteral value: String) { self.init(value) }

  /// The entry as it is written.
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

  /// The password is another one, and what was granted before no longer counts: refresh tokens are refused.
  public static func passwordChanged(of user: String? = nil, to password: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "passwordChanged", user, password.map { ["to": .string($0)] } ?? [:])
  }

  /// The password has to be changed at the next sign-in.
  public static func passwordExpired(of user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "passwordExpired", user)
  }

  /// An administrator has revoked every session and grant.
  public static func sessionsRevoked(of user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "sessionsRevoked", user)
  }

  /// The account is disabled: nobody signs in with it.
  public static func userDisabled(_ user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "userDisabled", user)
  }

  /// The account is deleted.
  public static func userDeleted(_ user: String? = nil) -> SimulatedEvent { SimulatedEvent(about: "userDeleted", user) }

  /// The refresh tokens that were given out so far are past their time.
  public static func refreshTokenExpired(of user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "refreshTokenExpired", user)
  }

  /// The platform no longer takes the access tokens that it gave out so far: Graph answers 401. The client's cache does not
  /// know of it; let time pass to have a token expire there.
  public static func accessTokenExpired(of user: String? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "accessTokenExpired", user)
  }

  // MARK: Consent and policies

  /// Consent to these scopes is taken back; to all of them where none are named.
  public static func consentRevoked(by user: String? = nil, scopes: [String]? = nil) -> SimulatedEvent {
    SimulatedEvent(about: "consentRevoked", user, scopes.map { ["scopes": .array($0.map { .string($0) })] } ?? [:])
  }

  /// The user has consented to these scopes, without having been asked.
  public static func consentGranted(by user: String? = nil, scopes: [String]) -> SimulatedEvent {
    SimulatedEvent(about: "consentGranted", user, ["scopes": .array(scopes.map { .string($0) })])
  }

  /// What a conditional access policy asks for.
  public enum Requirement: String, Hashable, Sendable {
    case mfa, compliantDevice, approvedApp, passwordChange, block
  }

  /// A conditional access policy for everybody applies from now on.
  public static func policyAdded(_ name: String = "policy", requiring requirement: Requirement) -> SimulatedEvent {
    SimulatedEvent("policyAdded", ["name": .string(name), "require": .string(requirement.rawValue)])
  }

  /// The policy of that name applies no longer.
  public static func policyRemoved(_ name: String = "policy") -> SimulatedEvent {
    SimulatedEvent("policyRemoved", .string(name))
  }

  // MARK: The service

  /// The platform signs with another key from now on.
  public static let keysRotated = SimulatedEvent("keysRotated", .null)

  /// There is no network: every request ends in `URLError.notConnectedToInternet`.
  public static let offline = SimulatedEvent("offline", .null)

  /// The network is back.
  public static let online = SimulatedEvent("online", .null)

  /// Something goes wrong at an endpoint.
  public static func fault(_ fault: Fault) -> SimulatedEvent { SimulatedEvent("fault", fault.json) }

  /// The entry as it goes to the platform.
  /// - Throws: where the text is no YAML.
  func entry() throws(AuthflowError) -> JSON {
    if let content { return content }
    let reading = DocumentReader.read(text, named: "event")
    guard let document = reading.document, !reading.diagnostics.hasErrors else {
      throw AuthflowError(reading.diagnostics)
    }
    return document.root.json
  }
}

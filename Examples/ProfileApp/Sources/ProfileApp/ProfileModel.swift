import Foundation
import Observation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// A testable app: its model requests tokens through a protocol, and sends requests through an injected session.

// shown: token provider
/// The token requests that the app sends.
public protocol TokenProvider: Sendable {
  /// Returns a token for the current account without user interaction, or nil if no account is signed in.
  func acquireTokenSilent(scopes: [String]) async throws -> String?
  /// Signs the user in interactively in the browser and returns a token.
  func acquireToken(scopes: [String]) async throws -> String
}
// shown: end

// shown: model
/// MSAL's codes. A real app takes them from MSAL.
enum MSALCode {
  static let interactionRequired = -50_002
  static let serverDeclinedScopes = -50_003
  static let userCanceled = -50_005
}

/// Loads the signed-in user's profile. It requests tokens silently first, and then interactively.
@MainActor @Observable public final class ProfileModel {
  /// The state that the app displays.
  public enum State: Equatable, Sendable {
    case empty, profile(String), signedOut, permissionMissing, busy(retryAfter: Int), offline, failed(String)
  }

  /// The result of the last request.
  public private(set) var state = State.empty
  private let tokens: any TokenProvider
  private let session: URLSession

  /// - Parameters:
  ///   - tokens: The token provider: MSAL in the app, authflow in tests.
  ///   - session: The session for requests to Microsoft Graph.
  public init(tokens: any TokenProvider, session: URLSession) {
    self.tokens = tokens
    self.session = session
  }

  /// Requests a token and the profile, and updates the state.
  public func load() async {
    do {
      state = try await show(token(scopes: ["User.Read"]))
    } catch let error as URLError where error.code == .notConnectedToInternet {
      state = .offline
    } catch {
      state =
        switch (error as NSError).code {
        case MSALCode.userCanceled: .signedOut
        case MSALCode.serverDeclinedScopes: .permissionMissing
        default: .failed(error.localizedDescription)
        }
    }
  }

  private func token(scopes: [String]) async throws -> String {
    do {
      if let token = try await tokens.acquireTokenSilent(scopes: scopes) { return token }
    } catch  where (error as NSError).code == MSALCode.interactionRequired {
      // Continue with an interactive request.
    }
    return try await tokens.acquireToken(scopes: scopes)
  }

  private func show(_ token: String) async throws -> State {
    guard let url = URL(string: "https://graph.microsoft.com/v1.0/me") else { return .failed("invalid URL") }
    var request = URLRequest(url: url)
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    let (data, response) = try await session.data(for: request)
    guard let http = response as? HTTPURLResponse else { return .failed("not an HTTP response") }
    switch http.statusCode {
    case 200:
      struct Profile: Decodable { var displayName: String }
      return .profile(try JSONDecoder().decode(Profile.self, from: data).displayName)
    case 429: return .busy(retryAfter: Int(http.value(forHTTPHeaderField: "Retry-After") ?? "") ?? 0)
    default: return .failed("\(http.statusCode)")
    }
  }
}
// shown: end

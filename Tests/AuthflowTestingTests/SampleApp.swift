import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What an app looks like that can be tested: its model asks for tokens through a protocol of the app's own, and for data
// through the session that it is given.

// shown: the seam
/// What the app needs of MSAL, and no more.
protocol TokenProvider: Sendable {
  /// A token of the current account without any page; nil where nobody is signed in.
  func acquireTokenSilent(scopes: [String]) async throws -> String?
  /// A token with the user, in the browser.
  func acquireToken(scopes: [String]) async throws -> String
}
// shown: end

// shown: the model
/// MSAL's numbers; the app itself takes them from MSAL.
enum MSALCode {
  static let interactionRequired = -50_002
  static let serverDeclinedScopes = -50_003
  static let userCanceled = -50_005
}

/// Shows who is signed in: the silent-then-interactive pattern.
@MainActor final class ProfileModel {
  enum State: Equatable {
    case empty, profile(String), signedOut, permissionMissing, busy(retryAfter: Int), offline, failed(String)
  }

  private(set) var state = State.empty
  private let tokens: any TokenProvider
  private let session: URLSession

  init(tokens: any TokenProvider, session: URLSession) {
    self.tokens = tokens
    self.session = session
  }

  func load() async {
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
      // Only the user can help.
    }
    return try await tokens.acquireToken(scopes: scopes)
  }

  private func show(_ token: String) async throws -> State {
    guard let url = URL(string: "https://graph.microsoft.com/v1.0/me") else { return .failed("no URL") }
    var request = URLRequest(url: url)
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    let (data, response) = try await session.data(for: request)
    guard let http = response as? HTTPURLResponse else { return .failed("no HTTP") }
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

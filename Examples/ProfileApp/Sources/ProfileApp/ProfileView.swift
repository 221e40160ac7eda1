#if canImport(SwiftUI)
  import SwiftUI

  /// Displays the signed-in user's profile, or the reason it is not available.
  public struct ProfileView: View {
    private let model: ProfileModel

    /// Creates a view for a model.
    public init(model: ProfileModel) {
      self.model = model
    }

    /// The profile, and a button that requests it again.
    public var body: some View {
      VStack(spacing: 16) {
        switch model.state {
        case .empty: ProgressView()
        case .profile(let name): Text("Hello, \(name)")
        case .signedOut: Text("You are signed out.")
        case .permissionMissing: Text("This app requires permission to read your profile.")
        case .busy(let seconds): Text("The service is busy. Try again in \(seconds) seconds.")
        case .offline: Text("There is no network connection.")
        case .failed(let reason): Text("The profile is not available: \(reason)")
        }
        Button("Reload") { Task { await model.load() } }
      }
      .task { await model.load() }
    }
  }
#endif

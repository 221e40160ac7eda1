import Directory
import Effects
import IdentityEmulator
import UserSimulation
import Synchronization

/// The browser on an emulated client's device. The simulated user operates the browser.
final class EmulatedUserBrowser: Browser {
  private struct State {
    var user = EmulatedUser()
    var interactions = 0
    var screens: [String] = []
  }

  private let state = Mutex(State())
  private let platform: EmulatedPlatform
  private let cookies = CookieJar()

  init(on platform: EmulatedPlatform) {
    self.platform = platform
  }

  var user: EmulatedUser {
    get { state.withLock { $0.user } }
    set { state.withLock { $0.user = newValue } }
  }

  /// The number of visits to a sign-in page.
  var interactions: Int { state.withLock { $0.interactions } }
  /// The types of the pages that the last visit showed.
  var screens: [String] { state.withLock { $0.screens } }

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let user = state.withLock { state in
      if visit.purpose != .signOut { state.interactions += 1 }
      return state.user
    }
    let window = SimulatedBrowser(
      user.simulatedUser(firstUser: platform.directory.firstUser?.username, on: platform.emulator),
      http: platform.emulator.transport, clock: platform.time.clock, cookies: cookies)
    let outcome = await window.visit(visit)
    state.withLock { $0.screens = outcome.screens }
    return outcome
  }
}

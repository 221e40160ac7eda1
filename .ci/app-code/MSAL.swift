// The declarations from MSAL for iOS and macOS that the samples use, as Swift imports them. They are for type checking
// only. Stubs for app code are at the end of the file.
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let MSALErrorDomain = "MSALErrorDomain"
let MSALGrantedScopesKey = "MSALGrantedScopesKey"
let MSALInvalidResultKey = "MSALInvalidResultKey"

enum MSALError: Int {
  case `internal` = -50000
  case workplaceJoinRequired = -50001
  case interactionRequired = -50002
  case serverDeclinedScopes = -50003
  case serverProtectionPoliciesRequired = -50004
  case userCanceled = -50005
}

class NSViewController {}
class MSALAccount { var identifier: String? }
class MSALResult {
  var accessToken = ""
  var authorizationHeader = ""
  var account = MSALAccount()
  var scopes: [String] = []
}
class MSALParameters {}
class MSALAccountEnumerationParameters: MSALParameters {
  override init() {}
  init(identifier: String) {}
  var returnOnlySignedInAccounts = true
}
class MSALClaimsRequest { init(jsonString: String, error: inout NSError?) {} }
class MSALTokenParameters: MSALParameters {
  var account: MSALAccount?
  var claimsRequest: MSALClaimsRequest?
}
class MSALSilentTokenParameters: MSALTokenParameters {
  init(scopes: [String], account: MSALAccount) {}
  var forceRefresh = false
}
class MSALWebviewParameters { init(authPresentationViewController: NSViewController) {} }
class MSALInteractiveTokenParameters: MSALTokenParameters {
  init(scopes: [String], webviewParameters: MSALWebviewParameters) {}
}
class MSALSignoutParameters: MSALParameters {
  init(webviewParameters: MSALWebviewParameters) {}
  var signoutFromBrowser = false
}
enum MSALDeviceMode { case `default`, shared }
class MSALDeviceInformation { var deviceMode = MSALDeviceMode.default }

class MSALPublicClientApplication {
  func allAccounts() throws -> [MSALAccount] { [] }
  func currentAccount(with parameters: MSALParameters?) async throws -> (MSALAccount?, MSALAccount?) { (nil, nil) }
  func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] { [] }
  func accountsFromDevice(for parameters: MSALAccountEnumerationParameters) async throws -> [MSALAccount] { [] }
  func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult { MSALResult() }
  func acquireToken(with parameters: MSALInteractiveTokenParameters) async throws -> MSALResult { MSALResult() }
  func signout(with account: MSALAccount, signoutParameters: MSALSignoutParameters) async throws -> Bool { true }
  func deviceInformation(with parameters: MSALParameters?) async throws -> MSALDeviceInformation {
    MSALDeviceInformation()
  }
}

struct GraphError: Error { var status: Int }
struct ServiceBusy: Error { var retryAfter: String? }

class AppBase {
  let application = MSALPublicClientApplication()
  let scopes = ["User.Read"]
  let viewController = NSViewController()
  func clearDisplayedData() {}
  func token(claims: MSALClaimsRequest?) async throws -> MSALResult? { nil }
}

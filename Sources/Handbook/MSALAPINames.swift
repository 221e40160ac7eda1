/// The calls and parameter types in MSAL libraries that correspond to step types. Users can look up these names to find
/// the step that corresponds to a call. The names come from the libraries' reference documentation.
enum MSALAPINames {
  /// A library with the names of its calls and parameter types.
  typealias Library = (name: String, calls: [String])

  static let all: [String: [Library]] = [
    "loadAccount": [
      ("iOS and macOS", ["getCurrentAccount", "getCurrentAccountWithParameters", "accountForIdentifier"]),
      ("Android", ["getCurrentAccountAsync", "getAccount"]), (".NET", ["GetAccountAsync"]),
      ("JavaScript", ["getActiveAccount", "getAccountByHomeId", "getAccountByUsername"]),
    ],
    "listAccounts": [
      ("iOS and macOS", ["allAccounts", "accountsForParameters", "accountsFromDeviceForParameters"]),
      (".NET", ["GetAccountsAsync"]), ("Java and Android", ["getAccounts"]), ("JavaScript", ["getAllAccounts"]),
      ("Python", ["get_accounts"]), ("Go", ["Accounts"]),
    ],
    "silent": [
      ("iOS and macOS", ["acquireTokenSilent", "acquireTokenSilentWithParameters", "MSALSilentTokenParameters"]),
      ("Android", ["acquireTokenSilentAsync", "AcquireTokenSilentParameters"]),
      ("Java", ["acquireTokenSilently", "SilentParameters"]), ("JavaScript", ["ssoSilent", "SilentRequest"]),
      ("Python", ["acquire_token_silent", "acquire_token_silent_with_error"]),
    ],
    "interactive": [
      ("iOS and macOS", ["acquireToken", "acquireTokenWithParameters", "MSALInteractiveTokenParameters"]),
      ("Android", ["AcquireTokenParameters", "signIn"]), (".NET and Go", ["AcquireTokenInteractive"]),
      ("JavaScript", ["acquireTokenPopup", "acquireTokenRedirect", "loginPopup", "loginRedirect"]),
      ("Python", ["acquire_token_interactive"]), ("Java", ["InteractiveRequestParameters"]),
    ],
    "deviceCode": [
      ("Android and .NET", ["acquireTokenWithDeviceCode"]), ("JavaScript", ["acquireTokenByDeviceCode"]),
      ("Go", ["AcquireTokenByDeviceCode"]), ("Python", ["initiate_device_flow", "acquire_token_by_device_flow"]),
      ("Java", ["DeviceCodeFlowParameters"]),
    ],
    "signout": [
      ("iOS and macOS", ["signoutWithAccount", "removeAccount", "MSALSignoutParameters"]), (".NET", ["RemoveAsync"]),
      ("JavaScript", ["logoutPopup", "logoutRedirect", "clearCache"]), ("Python", ["remove_account"]),
    ],
    "deviceInfo": [
      ("iOS and macOS", ["getDeviceInformationWithParameters", "MSALDeviceInformation"]),
      ("Android", ["isSharedDevice"]),
    ],
  ]
}

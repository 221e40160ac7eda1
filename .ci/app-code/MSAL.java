// The declarations from MSAL for Android that the samples use, only for type checking.
class Activity {}

class MsalException extends Exception {
  String getErrorCode() { return ""; }
}

class MsalUiRequiredException extends MsalException {}

class MsalDeclinedScopeException extends MsalException {
  List<String> getGrantedScopes() { return null; }
  List<String> getDeclinedScopes() { return null; }
  AcquireTokenSilentParameters getSilentParametersForGrantedScopes() { return null; }
}

class ClaimsRequest {
  static ClaimsRequest getClaimsRequestFromJsonString(String text) { return null; }
}

interface IAccount {
  String getAuthority();
}

interface IAuthenticationResult {
  String getAccessToken();
  String getAuthorizationHeader();
  IAccount getAccount();
}

interface SilentAuthenticationCallback {
  void onSuccess(IAuthenticationResult authenticationResult);
  void onError(MsalException exception);
}

interface AuthenticationCallback extends SilentAuthenticationCallback {
  void onCancel();
}

class AcquireTokenSilentParameters {
  static class Builder {
    Builder forAccount(IAccount account) { return this; }
    Builder fromAuthority(String authority) { return this; }
    Builder withScopes(List<String> scopes) { return this; }
    Builder withClaims(ClaimsRequest claims) { return this; }
    Builder withCallback(SilentAuthenticationCallback callback) { return this; }
    AcquireTokenSilentParameters build() { return null; }
  }
}

class AcquireTokenParameters {
  static class Builder {
    Builder startAuthorizationFromActivity(Activity activity) { return this; }
    Builder forAccount(IAccount account) { return this; }
    Builder withScopes(List<String> scopes) { return this; }
    Builder withClaims(ClaimsRequest claims) { return this; }
    Builder withCallback(AuthenticationCallback callback) { return this; }
    AcquireTokenParameters build() { return null; }
  }
}

interface IPublicClientApplication {
  void acquireToken(AcquireTokenParameters parameters);
  void acquireTokenSilentAsync(AcquireTokenSilentParameters parameters);
  void acquireTokenWithDeviceCode(List<String> scopes, DeviceCodeFlowCallback callback);
  boolean isSharedDevice();

  interface LoadAccountsCallback {
    void onTaskCompleted(List<IAccount> result);
    void onError(MsalException exception);
  }

  interface DeviceCodeFlowCallback {
    void onUserCodeReceived(String vUri, String userCode, String message, Date sessionExpirationDate);
    void onTokenReceived(IAuthenticationResult authResult);
    void onError(MsalException exception);
  }
}

interface ISingleAccountPublicClientApplication extends IPublicClientApplication {
  void getCurrentAccountAsync(CurrentAccountCallback callback);
  void signOut(SignOutCallback callback);

  interface CurrentAccountCallback {
    void onAccountLoaded(IAccount activeAccount);
    void onAccountChanged(IAccount priorAccount, IAccount currentAccount);
    void onError(MsalException exception);
  }

  interface SignOutCallback {
    void onSignOut();
    void onError(MsalException exception);
  }
}

interface IMultipleAccountPublicClientApplication extends IPublicClientApplication {
  void getAccount(String identifier, GetAccountCallback callback);
  void getAccounts(LoadAccountsCallback callback);
  void removeAccount(IAccount account, RemoveAccountCallback callback);

  interface GetAccountCallback {
    void onTaskCompleted(IAccount result);
    void onError(MsalException exception);
  }

  interface RemoveAccountCallback {
    void onRemoved();
    void onError(MsalException exception);
  }
}

/** App code that the samples use but do not define. */
abstract class AppBase {
  ISingleAccountPublicClientApplication application;
  List<String> scopes;
  abstract void clearDisplayedData();
  abstract void report(MsalException exception);
  abstract void show(String message);
  abstract void continueWith(List<String> scopes);
  abstract String read(InputStream stream);
  abstract String claimsInHeader(String header);
  abstract void acquireToken(ClaimsRequest claims);
  abstract void waitFor(String retryAfter);
}

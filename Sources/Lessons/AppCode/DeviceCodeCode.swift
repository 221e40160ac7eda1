extension AppCode {
  private static let apple = """
    MSAL for iOS and macOS has no device code flow: the devices have a browser. Use the sign-in page (authflow explain \
    interactive), or MSAL for Python, .NET or Android where there really is none.
    """

  static let deviceCode = AppCode(
    step: "deviceCode",
    swift: .missing(apple),
    objc: .missing(apple),
    csharp: .code(
      """
      /// A token by way of a code that the user types on another device; null where they declined or took too long.
      public async Task<AuthenticationResult?> TokenByDeviceCodeAsync(CancellationToken cancellation)
      {
          try
          {
              return await application.AcquireTokenWithDeviceCode(scopes, code =>
              {
                  Console.WriteLine(code.Message); // holds the address and the code
                  return Task.CompletedTask;
              }).ExecuteAsync(cancellation);
          }
          catch (MsalServiceException exception) when (exception.ErrorCode == "authorization_declined")
          {
              return null;
          }
          catch (MsalClientException exception) when (exception.ErrorCode == MsalError.CodeExpired)
          {
              return null;
          }
      }
      """),
    kotlin: .code(
      """
      /** A token by way of a code that the user types on another device. */
      fun tokenByDeviceCode(done: (IAuthenticationResult) -> Unit) {
          application.acquireTokenWithDeviceCode(scopes, object : IPublicClientApplication.DeviceCodeFlowCallback {
              override fun onUserCodeReceived(
                  vUri: String, userCode: String, message: String, sessionExpirationDate: Date
              ) {
                  show(message) // holds the address and the code
              }

              override fun onTokenReceived(authResult: IAuthenticationResult) = done(authResult)

              // Declined, or took too long: MsalException.errorCode says which.
              override fun onError(exception: MsalException) = report(exception)
          })
      }
      """),
    java: .code(
      """
      /** A token by way of a code that the user types on another device. */
      void tokenByDeviceCode(Consumer<IAuthenticationResult> done) {
          application.acquireTokenWithDeviceCode(scopes, new IPublicClientApplication.DeviceCodeFlowCallback() {
              @Override
              public void onUserCodeReceived(
                  String vUri, String userCode, String message, Date sessionExpirationDate) {
                  show(message); // holds the address and the code
              }

              @Override
              public void onTokenReceived(IAuthenticationResult authResult) {
                  done.accept(authResult);
              }

              @Override
              public void onError(MsalException exception) {
                  report(exception); // declined, or took too long: getErrorCode() says which
              }
          });
      }
      """),
    handles: ["authorizationDeclined", "expiredToken"])
}

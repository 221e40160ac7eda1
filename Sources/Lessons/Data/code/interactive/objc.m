// Shows the sign-in page. The result and the error are both nil if the user closes it.
- (void)tokenInteractivelyForAccount:(nullable MSALAccount *)account
                          completion:(void (^)(MSALResult *_Nullable result, NSError *_Nullable error))completion
{
    MSALWebviewParameters *webview =
        [[MSALWebviewParameters alloc] initWithAuthPresentationViewController:self.viewController];
    MSALInteractiveTokenParameters *parameters =
        [[MSALInteractiveTokenParameters alloc] initWithScopes:self.scopes webviewParameters:webview];
    parameters.account = account; // the page skips the username prompt
    [self.application acquireTokenWithParameters:parameters
                                 completionBlock:^(MSALResult *result, NSError *error) {
        if (result == nil && [error.domain isEqualToString:MSALErrorDomain]) {
            switch (error.code) {
                case MSALErrorUserCanceled:
                    completion(nil, nil); // not an error: leave the app's state unchanged
                    return;
                case MSALErrorServerDeclinedScopes:
                    // The user granted only some scopes. The error contains the result for these scopes.
                    completion(error.userInfo[MSALInvalidResultKey], nil);
                    return;
                default:
                    break;
            }
        }
        completion(result, error);
    }];
}

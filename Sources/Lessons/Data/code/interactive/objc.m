// Shows the sign-in page; neither a result nor an error where the user closed it.
- (void)tokenInteractivelyForAccount:(nullable MSALAccount *)account
                          completion:(void (^)(MSALResult *_Nullable result, NSError *_Nullable error))completion
{
    MSALWebviewParameters *webview =
        [[MSALWebviewParameters alloc] initWithAuthPresentationViewController:self.viewController];
    MSALInteractiveTokenParameters *parameters =
        [[MSALInteractiveTokenParameters alloc] initWithScopes:self.scopes webviewParameters:webview];
    parameters.account = account; // whoever is known already types no name
    [self.application acquireTokenWithParameters:parameters
                                 completionBlock:^(MSALResult *result, NSError *error) {
        if (result == nil && [error.domain isEqualToString:MSALErrorDomain]) {
            switch (error.code) {
                case MSALErrorUserCanceled:
                    completion(nil, nil); // an answer, not a breakdown: the app stays as it was
                    return;
                case MSALErrorServerDeclinedScopes:
                    // A token came, for less than was asked for; MSAL hands it over beside the error.
                    completion(error.userInfo[MSALInvalidResultKey], nil);
                    return;
                default:
                    break;
            }
        }
        completion(result, error);
    }];
}

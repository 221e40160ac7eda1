// Returns a token without showing any UI. The result and the error are both nil if interaction is required.
- (void)tokenSilentlyForAccount:(MSALAccount *)account
                     completion:(void (^)(MSALResult *_Nullable result, NSError *_Nullable error))completion
{
    MSALSilentTokenParameters *parameters = [[MSALSilentTokenParameters alloc] initWithScopes:self.scopes
                                                                                      account:account];
    [self.application acquireTokenSilentWithParameters:parameters
                                       completionBlock:^(MSALResult *result, NSError *error) {
        if (result != nil) {
            completion(result, nil);
            return;
        }
        if ([error.domain isEqualToString:MSALErrorDomain]) {
            switch (error.code) {
                case MSALErrorInteractionRequired:
                    completion(nil, nil); // show the sign-in page, once
                    return;
                case MSALErrorServerDeclinedScopes:
                    // Only some scopes were granted. The cache contains a token for these scopes.
                    [self continueWithScopes:error.userInfo[MSALGrantedScopesKey]];
                    return;
                default:
                    break;
            }
        }
        completion(nil, error); // a network, service, or configuration error: the sign-in page would not help
    }];
}

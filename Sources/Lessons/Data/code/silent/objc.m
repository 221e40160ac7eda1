// A token without showing anything; neither a result nor an error where only the user can go on.
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
                    // Less was granted than asked for; the tokens for that part are kept.
                    [self goOnWithScopes:error.userInfo[MSALGrantedScopesKey]];
                    return;
                default:
                    break;
            }
        }
        completion(nil, error); // the network, the service, the settings: no page would help
    }];
}

// Returns the current account, or nil if no user is signed in.
- (void)loadAccount:(void (^)(MSALAccount *_Nullable account, NSError *_Nullable error))completion
{
    MSALParameters *parameters = [MSALParameters new];
    [self.application getCurrentAccountWithParameters:parameters
                                      completionBlock:^(MSALAccount *account, MSALAccount *previous, NSError *error) {
        if (error != nil) {
            completion(nil, error);
            return;
        }
        if (previous != nil) {
            // On a shared device, another user was signed in before.
            [self clearDisplayedData];
        }
        completion(account, nil);
    }];
}

// With several accounts: returns the account with the identifier that the app stored.
- (nullable MSALAccount *)accountWithIdentifier:(NSString *)identifier
{
    NSError *error = nil;
    MSALAccount *account = [self.application accountForIdentifier:identifier error:&error];
    if (account == nil && error != nil) {
        [self report:error];
    }
    return account;
}

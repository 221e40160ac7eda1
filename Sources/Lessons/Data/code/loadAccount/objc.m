// The account that this app works for; nil where nobody is signed in.
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
            // On a shared device somebody else was here before.
            [self forgetWhatWasShown];
        }
        completion(account, nil);
    }];
}

// With several accounts: the one whose identifier the app remembered.
- (nullable MSALAccount *)accountWithIdentifier:(NSString *)identifier
{
    NSError *error = nil;
    MSALAccount *account = [self.application accountForIdentifier:identifier error:&error];
    if (account == nil && error != nil) {
        [self report:error];
    }
    return account;
}

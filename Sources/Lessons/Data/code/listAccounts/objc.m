// Returns all accounts that this app can use, including those of the device's broker.
- (void)listAccounts:(void (^)(NSArray<MSALAccount *> *accounts))completion
{
    MSALAccountEnumerationParameters *parameters = [MSALAccountEnumerationParameters new];
    parameters.returnOnlySignedInAccounts = YES;
    [self.application accountsFromDeviceForParameters:parameters
                                      completionBlock:^(NSArray<MSALAccount *> *accounts, NSError *error) {
        if (accounts == nil) {
            [self report:error];
            return;
        }
        completion(accounts);
    }];
}

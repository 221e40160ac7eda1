// All accounts that this app can use, those of the device's broker included.
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

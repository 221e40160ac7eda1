// Signs the account out of this app and, with everywhere, out of the browser.
- (void)signOut:(MSALAccount *)account everywhere:(BOOL)everywhere
{
    MSALWebviewParameters *webview =
        [[MSALWebviewParameters alloc] initWithAuthPresentationViewController:self.viewController];
    MSALSignoutParameters *parameters = [[MSALSignoutParameters alloc] initWithWebviewParameters:webview];
    parameters.signoutFromBrowser = everywhere;
    [self.application signoutWithAccount:account
                       signoutParameters:parameters
                         completionBlock:^(BOOL success, NSError *error) {
        if (!success) {
            [self report:error];
            return;
        }
        [self clearDisplayedData];
    }];
}

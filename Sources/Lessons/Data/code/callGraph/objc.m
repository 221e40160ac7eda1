// Calls GET /me, and handles at most one claims challenge.
- (void)profileWithClaims:(nullable MSALClaimsRequest *)claims
{
    [self tokenWithClaims:claims completion:^(MSALResult *result, NSError *error) {
        if (result == nil) {
            [self report:error];
            return;
        }
        NSURL *url = [NSURL URLWithString:@"https://graph.microsoft.com/v1.0/me"];
        NSMutableURLRequest *request = [NSMutableURLRequest requestWithURL:url];
        [request setValue:result.authorizationHeader forHTTPHeaderField:@"Authorization"];
        [self send:request completion:^(NSData *body, NSHTTPURLResponse *answer) {
            if (answer.statusCode == 200) {
                [self showProfile:body];
                return;
            }
            NSString *challenge = [self claimsInHeader:answer.allHeaderFields[@"WWW-Authenticate"]];
            if (answer.statusCode == 401 && claims == nil && challenge != nil) {
                // The API requires additional claims. Request a token with them.
                NSError *unreadable = nil;
                MSALClaimsRequest *wanted = [[MSALClaimsRequest alloc] initWithJsonString:challenge
                                                                                    error:&unreadable];
                [self profileWithClaims:wanted];
                return;
            }
            // 403: a permission is missing, so a retry would fail too. 429, 503: wait as long as Retry-After specifies.
            [self reportStatus:answer.statusCode];
        }];
    }];
}

// GET /me with a fresh token; a claims challenge is met once.
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
                // The API wants more than the token holds: ask again with just these claims.
                NSError *unreadable = nil;
                MSALClaimsRequest *wanted = [[MSALClaimsRequest alloc] initWithJsonString:challenge
                                                                                    error:&unreadable];
                [self profileWithClaims:wanted];
                return;
            }
            // 403: a permission is missing, and no retry brings it. 429, 503: wait for Retry-After.
            [self reportStatus:answer.statusCode];
        }];
    }];
}

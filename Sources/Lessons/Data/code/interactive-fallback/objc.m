// Returns a token silently if possible, and shows the sign-in page only if interaction is required.
- (void)token:(void (^)(MSALResult *_Nullable result, NSError *_Nullable error))completion
{
    [self loadAccount:^(MSALAccount *account, NSError *error) {
        if (error != nil) {
            completion(nil, error);
            return;
        }
        if (account == nil) {
            [self tokenInteractivelyForAccount:nil completion:completion];
            return;
        }
        [self tokenSilentlyForAccount:account completion:^(MSALResult *result, NSError *error) {
            if (result != nil || error != nil) {
                completion(result, error);
                return;
            }
            // only after interactionRequired
            [self tokenInteractivelyForAccount:account completion:completion];
        }];
    }];
}

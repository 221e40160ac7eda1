// The whole pattern: who is here, silently, and the page only where that was not enough.
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
            // interactionRequired, and nothing else
            [self tokenInteractivelyForAccount:account completion:completion];
        }];
    }];
}

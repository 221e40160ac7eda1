// Whether the device belongs to whoever's turn it is.
- (void)isSharedDevice:(void (^)(BOOL isShared))completion
{
    [self.application getDeviceInformationWithParameters:[MSALParameters new]
                                         completionBlock:^(MSALDeviceInformation *device, NSError *error) {
        if (device == nil) {
            [self report:error];
            return;
        }
        completion(device.deviceMode == MSALDeviceModeShared);
    }];
}

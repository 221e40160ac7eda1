// Whether several users share the device.
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

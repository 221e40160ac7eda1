extension AppCode {
  static let deviceInfo = AppCode(
    step: "deviceInfo",
    swift: .code(
      """
      /// Whether the device belongs to whoever's turn it is.
      func isSharedDevice() async throws -> Bool {
        let device = try await application.deviceInformation(with: MSALParameters())
        return device.deviceMode == .shared
      }
      """, note: "In completion-handler code the same call is getDeviceInformation(with:completionBlock:)."),
    objc: .code(
      """
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
      """),
    csharp: .missing("MSAL.NET knows no shared devices: each app has its own cache, and signs its own accounts out."),
    kotlin: .code(
      """
      /** Whether the device belongs to whoever's turn it is. */
      fun isSharedDevice(): Boolean = application.isSharedDevice
      """),
    java: .code(
      """
      /** Whether the device belongs to whoever's turn it is. */
      boolean isSharedDevice() {
          return application.isSharedDevice();
      }
      """),
    handles: ["success"])
}

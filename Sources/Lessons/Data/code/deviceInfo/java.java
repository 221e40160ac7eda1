/** Whether several users share the device. */
boolean isSharedDevice() {
    return application.isSharedDevice();
}

/** Whether the device belongs to whoever's turn it is. */
boolean isSharedDevice() {
    return application.isSharedDevice();
}

/** Whether several users share the device. */
fun isSharedDevice(): Boolean = application.isSharedDevice

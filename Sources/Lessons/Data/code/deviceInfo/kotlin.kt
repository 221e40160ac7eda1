/** Whether the device belongs to whoever's turn it is. */
fun isSharedDevice(): Boolean = application.isSharedDevice

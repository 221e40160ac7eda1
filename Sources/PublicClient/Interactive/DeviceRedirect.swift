import IdentityPlatform
import OAuth

/// Redirects that tell an app with a broker, or a managed device, to do something: without one, all of them are errors.
enum DeviceRedirect {
  static func error(for url: String) -> MSALError? {
    let reference = URLReference(url)
    var parameters: Parameters { reference.parameters }
    switch (reference.scheme?.lowercased(), reference.host) {
    case ("msauth", "wpj"): return workplaceJoin(parameters)
    case ("https", _) where reference.path.lowercased().hasSuffix("/msauth/wpj"): return workplaceJoin(parameters)
    case ("msauth", "upgradereg"):
      return MSALError(.insufficientDeviceStrength, "the device's registration must be made stronger")
    case ("msauth", "in_app_enrollment_complete"): return enrollment(parameters["status"])
    case ("browser", let host):
      return MSALError(
        .userCancel, "the page asks to go on in a browser, at https://\(host ?? "")\(reference.path)")
    default: return nil
    }
  }

  /// The device must be registered, or an app installed first that registers it.
  private static func workplaceJoin(_ parameters: Parameters) -> MSALError {
    var error: MSALError
    if let link = parameters["app_link"], !link.isEmpty {
      error = MSALError(.brokerNotAvailable, "the page asks to install a broker app first: \(link)")
    } else {
      error = MSALError(.workplaceJoinRequired, "the device must be registered with the organisation")
    }
    error.displayableUserID = parameters["username"]
    error.homeAccountID = parameters["client_info"].flatMap { try? ClientInfo(encoded: $0) }?.homeAccountID
    return error
  }

  /// A check-in that took too long counts as success: the device is enrolled.
  private static func enrollment(_ status: String?) -> MSALError {
    switch status?.lowercased() {
    case "success", "check_in_timed_out":
      MSALError(.mdmEnrollmentCompletedNeedsRetry, "the device has been enrolled; ask again")
    default: MSALError(.authorizationFailed, "the device was not enrolled: \(status ?? "no status was given")")
    }
  }
}

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The mode of the terminal in which a program receives each key at once, without an echo. Ctrl-C still sends a signal.
package enum TerminalKeys {
  /// The settings of the terminal before the mode, or nil if the mode is off.
  private static let saved = Mutex<termios?>(nil)

  /// Turns the mode on.
  /// - Returns: Whether standard input is a terminal in the foreground.
  package static func begin() -> Bool {
    saved.withLock { saved in
      if saved != nil { return true }
      var settings = termios()
      // A background process would be stopped when it changes the terminal.
      guard tcgetattr(STDIN_FILENO, &settings) == 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return false }
      saved = settings
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      return tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
    }
  }

  /// Restores the settings of the terminal. Has no effect if the mode is off.
  package static func end() {
    saved.withLock { saved in
      guard var settings = saved else { return }
      saved = nil
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
  }
}

/// A development CA from an earlier version of authflow. It does not constrain email addresses or URIs, and has no
/// extended key usage.
/// It is valid from 2026 to 2049.
enum EarlierCA {
  static let text = """
    -----BEGIN CERTIFICATE-----
    MIIB7TCCAZSgAwIBAgIUXImiXodW84GMq069m3InnagDE2wwCgYIKoZIzj0EAwIw
    RTEdMBsGA1UECgwUYXV0aGZsb3cgZGV2ZWxvcG1lbnQxJDAiBgNVBAMMG2F1dGhm
    bG93IGRldmVsb3BtZW50IENBIG9sZDAeFw0yNjAxMDEwMDAwMDBaFw00OTAxMDEw
    MDAwMDBaMEUxHTAbBgNVBAoMFGF1dGhmbG93IGRldmVsb3BtZW50MSQwIgYDVQQD
    DBthdXRoZmxvdyBkZXZlbG9wbWVudCBDQSBvbGQwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAASWW7m4A2sqjKeoVI1y3zikDlJYnWLM+OOXWaVDv77JJAhYus/0R0JX
    9mrYWsQS0KlzMrirthUKwZiggGebO9Moo2IwYDASBgNVHRMBAf8ECDAGAQH/AgEA
    MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQU3Zn8isXuVFiSIXXuSns7J9WhsSAw
    GwYDVR0eAQH/BBEwD6ANMAuCCWxvY2FsaG9zdDAKBggqhkjOPQQDAgNHADBEAiBX
    ZXjCFYCpQXlmWaVujnsf9O8/5XYUJ9tUe7yxnImKKgIgWvCC2LopHZpTdQWovQB3
    iDv8ungtybQul+CyUJ7be/8=
    -----END CERTIFICATE-----
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbHu+DCibSptZeNb4
    aNhkqtCg8wAMfCEnctX5zp4y3yShRANCAASWW7m4A2sqjKeoVI1y3zikDlJYnWLM
    +OOXWaVDv77JJAhYus/0R0JX9mrYWsQS0KlzMrirthUKwZiggGebO9Mo
    -----END PRIVATE KEY-----

    """
}

"""A user who signs in on the emulator's pages: on another device, or in the system browser that authflow opens. BROWSER is the
path of this file, and FAULTS_PERSON selects the fault."""
import html.parser
import http.client
import os
import signal
import ssl
import sys
import time
import urllib.parse
import urllib.request

NAME, PASSWORD = "megan@contoso.com", "Fake-Megan-1"


class Form(html.parser.HTMLParser):
    """Returns the action and the fields of the first form on a page."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields, self.buttons, self.ended = None, {}, [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = given.get("action", "")
        elif self.action is not None and not self.ended and given.get("name"):
            if tag == "button" or given.get("type") == "submit":
                self.buttons.append((given["name"], given.get("value") or ""))
            elif tag == "input" and (given.get("type") != "checkbox" or "checked" in given):
                self.fields[given["name"]] = given.get("value") or ""

    def handle_endtag(self, tag):
        self.ended = self.ended or tag == "form" and self.action is not None


class Person:
    """Connects directly to the emulator's port with the platform's host name, bypassing the gate."""

    def __init__(self, port):
        self.port, self.cookies = port, {}

    def ask(self, method, url, form=None):
        parts = urllib.parse.urlsplit(url)
        unchecked = ssl.create_default_context()
        unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=20, context=unchecked)
        headers = {"Host": parts.netloc, "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"https://{parts.netloc}"}
        connection.request(method, parts._replace(scheme="", netloc="", fragment="").geturl() or "/", body, headers)
        answer = connection.getresponse()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            self.cookies[name] = value
        text = answer.read().decode()
        connection.close()
        return answer.headers.get("Location"), text

    def visit(self, url, **values):
        """Follows the pages until a redirect to the app, and returns its URL, or None."""
        values = {"loginfmt": NAME, "username": NAME, "passwd": PASSWORD} | values
        method, form = "GET", None
        for _ in range(20):
            location, text = self.ask(method, url, form)
            if location:
                url, method, form = urllib.parse.urljoin(url, location), "GET", None
                if not url.startswith("https://login.microsoftonline.com/"):
                    return url
                continue
            page = Form(text)
            if page.action is None:
                return None
            if url.endswith(page.action) and form is not None and not page.fields:
                return None
            form = {name: values.get(name, value) for name, value in page.fields.items()}
            for name, value in page.buttons:
                if value in ("accept", "continue", "yes"):
                    form[name] = value
            url, method = urllib.parse.urljoin(url, page.action), "POST"
        return None


def deliver(url):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=10) as answer:
        return answer.status


def tamper(url):
    parts = urllib.parse.urlsplit(url)
    query = [(name, "somebody-elses" if name == "state" else value) for name, value in urllib.parse.parse_qsl(parts.query)]
    return parts._replace(query=urllib.parse.urlencode(query)).geturl()


def quietly(action):
    try:
        return action()
    except OSError as error:  # the connection was refused or closed
        return error


def main(url):
    way = os.environ.get("FAULTS_PERSON", "")
    if way == "error":
        sys.exit(7)
    if way == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if way in ("leaves", "signs out"):
        return
    if way == "hangs":
        time.sleep(3)
        return
    back = Person(int(os.environ["FAULTS_EMULATOR"])).visit(url)
    if back is None:
        return
    if way.startswith("wrong state"):
        quietly(lambda: deliver(tamper(back)))
    if way != "wrong state":
        quietly(lambda: deliver(back))
    if way == "twice":
        quietly(lambda: deliver(back))


if __name__ == "__main__":
    main(sys.argv[1])

"""A page of the site in headless Chromium, without JavaScript: its width, and a picture of it.

    site_browser.py FOLDER PICTURES WIDTH... -- PAGE...

The folder PICTURES gets PAGE-WIDTH.png and, in dark colours, PAGE-WIDTH-dark.png.
Fails if the content of a page is wider than the window.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile


class Browser:
    """Chromium, which reads commands from a pipe and writes answers to another."""

    def __init__(self, program, profile):
        read, self.write_end = os.pipe()
        self.read_end, write = os.pipe()

        def connect():  # the browser's descriptors 3 and 4
            spare = os.dup(read), os.dup(write)
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self.number, self.unread, self.session = 0, b"", None

    def message(self):
        while b"\0" not in self.unread:
            more = os.read(self.read_end, 1 << 20)
            if not more:
                raise SystemExit("the browser has ended")
            self.unread += more
        line, _, self.unread = self.unread.partition(b"\0")
        return json.loads(line)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.write_end, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setScriptExecutionDisabled", value=True)

    def load(self, path, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Page.navigate", url=path.as_uri())
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def picture(self, file, colours):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
        picture = self.call("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(picture["data"]))

    def end(self):
        self.process.terminate()
        self.process.wait()


def main():
    folder, pictures = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    split = sys.argv.index("--")
    widths, names = [int(width) for width in sys.argv[3:split]], sys.argv[split + 1:]
    pictures.mkdir(parents=True, exist_ok=True)
    wide = 0
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser("chromium", profile)
        browser.open()
        for name in names:
            for width in widths:
                browser.load(folder / f"{name}.html", width)
                content = browser.call("Page.getLayoutMetrics")["cssContentSize"]["width"]
                if content > width:
                    wide += 1
                    print(f"{name}: {content} pixels wide in a window of {width}")
                stem = f"{name.replace('/', '-')}-{width}"
                browser.picture(pictures / f"{stem}.png", "light")
                browser.picture(pictures / f"{stem}-dark.png", "dark")
        browser.end()
    if wide or not names:
        raise SystemExit(f"FAILED  {wide} pages are too wide")
    print(f"ok      {len(names)} pages fit windows of {' and '.join(map(str, widths))} pixels without JavaScript")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""explore.py BROWSER CGCTAB TABLE OUT [OTHER]: opens the page of `cgctab explore` in a browser
without a window, moves every control, and compares numbers that it shows with `cgctab eval`.

Prints the times of the page and, at the end, how many numbers it compared; raises where something
is wrong.  Screenshots go to the folder OUT."""
import base64
import json
import math
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

RTOL = 1e-12


class Browser:
    """Chromium by its protocol: messages in JSON, each with a zero behind it, through two pipes."""

    def __init__(self, program, folder):
        to_it, self._out = os.pipe()
        self._in, from_it = os.pipe()
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--remote-debugging-pipe", f"--user-data-dir={folder}", "--no-first-run"]

        def place():  # the descriptors 3 and 4, wherever the pipes are now
            a, b = os.dup(to_it), os.dup(from_it)
            os.dup2(a, 3)
            os.dup2(b, 4)
        self._process = subprocess.Popen(command, preexec_fn=place, close_fds=False,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_it)
        os.close(from_it)
        self._rest, self._serial, self.complaints, self._session = b"", 0, [], None
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=page,
                                  flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log":
            self.call(domain + ".enable")
        self.call("Performance.enable", timeDomain="threadTicks")

    def close(self):
        self._process.terminate()
        self._process.wait(20)

    def _message(self):
        while b"\0" not in self._rest:
            got = os.read(self._in, 1 << 20)
            if not got:
                raise RuntimeError("the browser has ended")
            self._rest += got
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def call(self, method, **params):
        self._serial += 1
        message = {"id": self._serial, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            got = self._message()
            event = got.get("method")
            if event == "Runtime.exceptionThrown" or (
                    event == "Runtime.consoleAPICalled" and got["params"]["type"] in
                    ("error", "warning", "assert")) or (
                    event == "Log.entryAdded" and got["params"]["entry"]["level"] == "error"):
                self.complaints.append(got["params"])
            if got.get("id") == self._serial:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']}")
                return got["result"]

    def processor_time(self):
        """Of the page's thread, ms: it does not grow with what else the machine does."""
        metrics = self.call("Performance.getMetrics")["metrics"]
        return 1e3 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    def run(self, script):
        """The value of a script, which may await."""
        got = self.call("Runtime.evaluate", expression=f"(async () => {{ {script} }})()",
                        awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in got:
            raise RuntimeError(f"{script}: {got['exceptionDetails']}")
        return got["result"].get("value")

    def open(self, path, width, height, dark=False, phone=False, address=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="about:blank")
        start = time.time()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + address)
        self.run("""while (typeof times === 'undefined' || !times.draw) {
                      const said = document.getElementById('message')?.textContent;
                      if (said || performance.now() > 60000) throw new Error(said || 'no drawing');
                      await new Promise((go) => setTimeout(go, 5));
                    }""")
        return time.time() - start

    def picture(self, path, whole=False):
        time.sleep(1)  # the bands that are drawn when all rests
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))


READ = """return { commands: document.getElementById('shell').textContent.split('\\n'),
  values: [...document.querySelectorAll('#reading td')].map((td) => Number(td.dataset.value)),
  message: document.getElementById('message').textContent };"""


def compare(browser, cgctab):
    """The numbers of the page at its mark and those of the command that it states."""
    got, compared = browser.run(READ), 0
    if got["message"]:
        raise AssertionError(got["message"])
    shown = iter(got["values"])
    for command in got["commands"]:
        words = shlex.split(command)
        text = subprocess.run([cgctab] + words[1:] + ["--json"], check=True, capture_output=True)
        row = json.loads(text.stdout)["points"][0]
        for pol in "TL":
            value = row.get("I_" + pol, row.get("dsigma_" + pol))
            for want in value, row["err_" + pol], row["ratio_" + pol]:
                have = next(shown)
                if not abs(have - want) <= RTOL * abs(want):
                    raise AssertionError(f"{command}: page {have!r}, command {want!r}")
                compared += 1
    return compared


MOVE = """const s = SLIDERS.find((one) => one.key === '%s'), before = document.body.innerHTML;
  const start = performance.now();
  s.slider.value = %d;
  s.slider.dispatchEvent(new Event('input', { bubbles: true }));
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  const passed = performance.now() - start;
  if (document.body.innerHTML === before) throw new Error(s.key + ' changes nothing');
  return passed;"""


def move_all(browser, cgctab):
    """Every slider and choice: numbers compared, and the times until all is drawn, in ms."""
    compared, passed = 0, {}
    for photon in "Q2", "eps":
        for fixed in "k1", "K":
            for state, value in ("photon", photon), ("fixed", fixed):
                browser.run(f"document.querySelector('[data-state={state}] [value={value}]')"
                            ".click(); await new Promise(requestAnimationFrame);")
            for key in browser.run("return SLIDERS.filter((s) => !s.box.hidden)"
                                   ".map((s) => s.key);"):
                for part in 380, 620, 540:
                    before = browser.processor_time()
                    wall = browser.run(MOVE % (key, part))
                    passed.setdefault(key, []).append((browser.processor_time() - before, wall))
            compared += compare(browser, cgctab)
    browser.run("""for (const button of document.querySelectorAll('.choice button'))
                     if (button.offsetParent) button.click();
                   document.getElementById('theme').click();
                   for (const id of ['map', 'along-q'])
                     if (!(await pngOf(id)).size || !csvOf(id)) throw new Error(id);
                   for (const key of ['ArrowUp', 'ArrowLeft']) document.getElementById('map')
                     .dispatchEvent(new KeyboardEvent('keydown', { key }));
                   await new Promise((go) => setTimeout(go, 300));""")
    return compared + compare(browser, cgctab), passed


def use_pointer(browser, cgctab):
    """A click moves the mark and not what else is set; what lies under the pointer is said."""
    for figure, keys in ("map", ["q", "angle"]), ("along-k", ["k"]), ("harmonics", ["q"]):
        x, y = browser.run(f"""const box = document.querySelector('#{figure} svg')
            .getBoundingClientRect();
            return [box.x + 0.6 * box.width, box.y + 0.4 * box.height];""")
        before = browser.run("return { ...state };")
        for kind in "mouseMoved", "mousePressed", "mouseReleased":
            browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=1,
                         button="none" if kind == "mouseMoved" else "left",
                         buttons=int(kind == "mousePressed"))
            if kind == "mouseMoved":
                tip = browser.run("const tip = document.getElementById('tip');"
                                  "return tip.hidden ? '' : tip.textContent;")
        after = browser.run("await new Promise(requestAnimationFrame); return { ...state };")
        if [key for key in after if after[key] != before[key]] != keys or "GeV" not in tip:
            raise AssertionError((figure, tip, before, after))
    return compare(browser, cgctab)


def check_dipole(browser, cgctab, table):
    """The dipole at a node in x is a column of dipole.N, and its saturation scale, where
    N = 1 - exp(-1/2), lies between the r around."""
    got = subprocess.run([cgctab, "get", table, "dipole.N"], capture_output=True, text=True)
    if got.returncode:
        shown = browser.run("return document.getElementById('dipole').hidden;")
        if not shown:
            raise AssertionError("a picture of a dipole that the table does not have")
        return
    head, *rows = (row.split() for row in got.stdout.split(";"))
    node = len(head) // 2
    shown = browser.run(f"""set({{ x: {head[node]} }});
        await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
        return [...panels.dipole.data.columns[1][1]]
          .concat(saturationOf(dipoleOf(tables[0]).r, dipoleOf(tables[0]).N[{node - 1}]));""")
    Qs2 = shown.pop()
    if shown != [float(row[node]) for row in rows]:
        raise AssertionError(("dipole.N", head[node], shown))
    r = [float(row[0]) for row in rows]
    above = next(i for i, row in enumerate(rows) if float(row[node]) > 1 - math.exp(-0.5))
    if not r[above - 1] < math.sqrt(2 / Qs2) < r[above]:
        raise AssertionError(("saturation scale", Qs2, r[above]))


def check_link_and_files(browser, page, other):
    """The address holds the state; a chosen file takes the table's place; a dropped one that is no
    table is refused with its name, and what was there stays."""
    here = browser.run("set({ x: 0.0023, k: 4.1, angle: 1.2, fixed: 'k1' });"
                       "await new Promise(requestAnimationFrame); return [addressOf(), state];")
    browser.open(page, 1600, 1000, address=here[0])
    there = browser.run("return state;")
    if there != here[1]:
        raise AssertionError(("link", here, there))
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    node = browser.call("DOM.querySelector", nodeId=root, selector="#open")["nodeId"]
    browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(pathlib.Path(other).resolve())])
    got = browser.run("""const until = async (done) => { while (!done())
        await new Promise((go) => setTimeout(go, 5)); };
      await until(() => tables[0].serial > 1);
      const opened = tables[0].file, data = new DataTransfer();
      data.items.add(new File(['no table'], 'wrong.cgct'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
      await until(() => !document.getElementById('message').hidden);
      return [opened, tables[0].file, document.getElementById('message').textContent];""")
    name = pathlib.Path(other).name
    if got[:2] != [name, name] or not got[2].startswith("wrong.cgct: "):
        raise AssertionError(("files", got))


def main():
    program, cgctab, table, out = sys.argv[1:5]
    out, other = pathlib.Path(out), sys.argv[5:]
    one, two = out / "explore.html", out / "explore-two.html"
    subprocess.run([cgctab, "explore", table, "-o", one, "--quiet"], check=True)
    subprocess.run([cgctab, "explore", table, *(other or [table]), "-o", two, "--quiet"],
                   check=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, folder)
        try:
            opened = min(browser.open(one, 1600, 1000) for _ in range(2))
            browser.picture(out / "explore-desktop.png")
            compared, passed = move_all(browser, cgctab)
            browser.run("document.activeElement.blur(); scrollTo(0, 0);")
            compared += use_pointer(browser, cgctab)
            check_dipole(browser, cgctab, table)
            check_link_and_files(browser, one, (other or [table])[0])
            browser.open(one, 1600, 1000, dark=True)
            browser.picture(out / "explore-dark.png")
            browser.open(one, 390, 844, phone=True)
            browser.picture(out / "explore-phone.png", whole=True)
            browser.open(two, 1600, 1000)
            browser.run("set({ show: 'ratio', strip: 'ratio' }); "
                        "await new Promise(requestAnimationFrame);")
            compared += compare(browser, cgctab)
            browser.picture(out / "explore-two.png")
        finally:
            browser.close()
    if browser.complaints:
        raise AssertionError(browser.complaints)
    print(f"page opened in {opened:.2f} s; a control moved, until all was drawn, "
          "median of the processor's time and of the clock's:")
    for key, all_of_it in passed.items():
        cpu, wall = (statistics.median(times) for times in zip(*all_of_it))
        print(f"  {key} {cpu:.0f} ms, {wall:.0f} ms")
    print(f"{compared} numbers compared to {RTOL:g}")


if __name__ == "__main__":
    main()

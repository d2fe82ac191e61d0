"""What an interactive shell writes when the tabulator key follows the words of a command line.

usage: shell_completion_test.py SHELL COMMAND FOLDER    FOLDER has the completions
"""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import sys
import tempfile
import termios
import time

shell, command, folder = sys.argv[1], sys.argv[2], os.path.abspath(sys.argv[3])
home = tempfile.mkdtemp()
READY = "ready> "

START = {
    "bash": f"PS1='{READY}'; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; "
            f". {folder}/tessera.bash\n",
    "zsh": f"PS1='{READY}'; unsetopt zle_bracketed_paste 2> /dev/null; fpath=({folder} $fpath); "
           "autoload -Uz compinit; compinit -u -D\n",
    "fish": f"function fish_prompt; echo -n '{READY}'; end; source {folder}/tessera.fish\n",
}
ARGUMENTS = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"], "fish": ["--no-config", "-i"]}
# Each case has the typed text and what the shell adds.
CASES = [
    ("tessera dev", "ices"),
    ("tessera profile sh", "ow"),
    ("tessera tune --max-ev", "aluations"),
    ("tessera devices --device 0", ":0"),
    ("tessera multiply a.npy b.npy --kernel register_t", "iled"),
    ("tessera eigen --method exp", "licit"),
    ("tessera multiply some_f", "ile.npy"),
]


def plain(text):
    """The text without escape sequences."""
    return re.sub(r"\x1b(\[[0-9;?>=]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9]|[=>])", "", text)


def read_until(terminal, is_complete, seconds):
    """What the shell writes until the condition holds, or for that long."""
    text, end = "", time.monotonic() + seconds
    while not is_complete(plain(text)) and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                text += os.read(terminal, 65536).decode(errors="replace")
            except OSError:
                break
    return plain(text)


def start():
    bin_folder = os.path.join(home, "bin")
    os.makedirs(bin_folder)
    os.symlink(command, os.path.join(bin_folder, "tessera"))
    open(os.path.join(home, "some_file.npy"), "w").close()
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(home)
        environment = dict(os.environ, HOME=home, TERM="xterm", POCL_CACHE_DIR=home + "/pocl",
                           XDG_CONFIG_HOME=home, XDG_DATA_HOME=home,
                           PATH=bin_folder + ":" + os.environ["PATH"])
        os.execvpe(shell, [shell, *ARGUMENTS[shell]], environment)
    # 200 columns: no line is wrapped.
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    return terminal


def main():
    terminal = start()
    time.sleep(1)
    os.write(terminal, START[shell].encode())
    os.write(terminal, b'echo "set""up"\n')  # the line as typed does not contain the word
    read_until(terminal, lambda text: "setup" in text, 20)
    failed = 0
    for typed, added in CASES:
        os.write(terminal, b"\x15" + typed.encode() + b"\t")  # ^U: an empty line
        wanted = typed + added
        text = read_until(terminal, lambda text: wanted in text, 20)
        if wanted not in text:
            print(f"{shell}: {typed}<TAB> gave {text!r}, expected {wanted!r}")
            failed += 1
    os.write(terminal, b"\x15exit\n")
    return 1 if failed else 0


try:
    status = main()
finally:
    shutil.rmtree(home, ignore_errors=True)
sys.exit(status)

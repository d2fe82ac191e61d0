"""The page of the command's options, made of its --help and each subcommand's."""
import re
import subprocess


def help_of(command, *subcommand):
    return subprocess.run([command, *subcommand, "--help"], check=True, capture_output=True, text=True).stdout


def escaped(text):
    """Text for Markdown: nothing in it is markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|$~])", r"\\\1", text)


def section(command, *subcommand):
    """The Markdown of a subcommand's help, and of its own subcommands'."""
    text = f"## {' '.join(('tessera', *subcommand))}\n\n"
    nested, pending = [], None

    for line in help_of(command, *subcommand).splitlines():
        row = re.match(r"  (\S.*?)(?:  +(\S.*))?$", line)
        if re.match(r"[A-Z]\w+:$", line):
            text += f"\n**{line[:-1]}**\n\n"
            in_subcommands = line == "Subcommands:"
        elif row:
            if row[2] is None:
                pending = row[1]
                continue
            text += f"`{row[1]}`\n: {escaped(row[2])}\n\n"
            if in_subcommands:
                nested.append(row[1])
        elif pending and line.strip():
            text += f"`{pending}`\n: {escaped(line.strip())}\n\n"
            pending = None
        elif line.strip():
            usage = re.match(r"Usage: (.*)", line)
            text += f"```text\n{usage[1]}\n```\n\n" if usage else f"{escaped(line.strip())}\n\n"
    for name in nested:
        text += section(command, *subcommand, name)
    return text


def page(command):
    return ("# Options of the command\n\nThis is what `tessera --help` and `tessera SUBCOMMAND --help` print. The "
            "[guide](command.md) has examples.\n\n" + section(command))

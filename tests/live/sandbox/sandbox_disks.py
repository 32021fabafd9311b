"""Attacks on files: those of others, and the disk they lie on; see sandbox_attacks.py."""

from __future__ import annotations

try:
    from .sandbox_attacks import Attack
except ImportError:  # where the driver is run
    from sandbox_attacks import Attack

WRITING = [
    Attack(
        "files of Python",
        "import numpy, IPython\nfor folder in {os.path.dirname(path) for path in"
        " (numpy.__file__, IPython.__file__, os.__file__, sys.executable)} | set(sys.path[:-1]):\n"
        " for name in ('sitecustomize.py', '__init__.py', '__pycache__/x.pyc'):\n"
        "  if folder and not os.getcwd().startswith(folder):"
        " tried(open, os.path.join(folder, name), 'a')",
        kept=True,
    ),
    Attack(
        "files of the machine, written",
        command="for f in /x /usr/x /usr/bin/x /etc/x /etc/passwd"
        " /opt/x /opt/packages/numpy.py /opt/sandbox/x.py /home/x /var/tmp/x /run/x /session/x"
        " /proc/x <env>/x.py <installed>/x.py <server_file>; do"
        " (echo x >> $f) 2>/dev/null && echo REACHED $f; done; true",
        exit=0,
        kept=True,
    ),
    Attack(
        "packages removed",
        command="rm -rf /opt /usr/lib/python3 <env> <installed> <server_file>"
        " 2>/dev/null; chmod 777 / /opt <env>;"
        " stat -c '%a %n' / /opt <env> | grep ^777 && echo REACHED; true",
        kept=True,
    ),
    Attack(
        "modules of the next kernel",
        "import numpy\nnumpy.array = None\n"
        "sys.modules['keeper'] = sys.modules['random'] = None\n"
        "import builtins; builtins.len = None\nos._exit(0)",
        status="lost",
    ),
    Attack(
        "hooks in its home",
        "home = os.environ['HOME']\nspot = 'print(\"HOOKED\")\\n'\n"
        "import site\nfor name in ('.pythonrc.py', 'sitecustomize.py', 'usercustomize.py',"
        " 'json.py', 'frames.py', 'kernel.py', '.ipython/profile_default/startup/x.py',"
        " site.getusersitepackages() + '/usercustomize.py',"
        " site.getusersitepackages() + '/x.pth'):\n"
        " path = os.path.join(home, name); os.makedirs(os.path.dirname(path), exist_ok=True)\n"
        " open(path, 'w').write(spot if '.pth' not in name else 'import os; ' + spot)\n"
        "for name in ('.bashrc', '.bash_profile', '.profile', '.bash_logout', '.inputrc'):\n"
        " open(os.path.join(home, name), 'w').write('echo HOOKED\\n')\n"
        "for name in ('BASH_ENV', 'ENV', 'LD_PRELOAD', 'PYTHONSTARTUP', 'PYTHONPATH'):\n"
        " os.environ[name] = home\n"
        "for name in ('bash', 'python'):\n"
        " open(os.path.join(home, name), 'w').write('#!/bin/sh\\necho HOOKED\\n')\n"
        " os.chmod(os.path.join(home, name), 0o755)\n"
        "os.environ['PATH'] = home\nos._exit(0)",
        status="lost",
        shows_no=("HOOKED",),
    ),
]

DISK = [
    Attack("one large file", "open('x', 'wb').write(bytes(99 << 20))", status="error", kept=True),
    Attack(
        "one large file of bash",
        command="head -c 900M /dev/zero > x; ls -s x",
        kept=True,
        shows_no=("9216",),
    ),
    Attack(
        "many files",
        "for number in range(300):\n with open(f'f{number}', 'wb') as file:"
        " file.write(bytes(1 << 20))",
        status="ok|error|lost",
        timed=True,
    ),
    Attack(
        "many empty files",
        "for number in range(300000): open(f'f{number}', 'w').close()",
        status="ok|error|lost",
        timed=True,
    ),
    Attack(
        "files without names",
        "held = []\nfor number in range(300):\n"
        " file = open('x', 'wb', buffering=0); os.unlink('x'); file.write(bytes(1 << 20))\n"
        " held.append(file)\ntime.sleep(9)",
        status="ok|error|lost",
        timed=True,
    ),
    Attack(
        "files out of sight",
        "for number in range(20):\n os.mkdir(f'd{number}')\n"
        " with open(f'd{number}/x', 'wb') as file: file.write(bytes(15 << 20))\n"
        " os.chmod(f'd{number}', 0); time.sleep(0.05)\ntime.sleep(0.5)",
        status="ok|error|lost",
        timed=True,
    ),
    Attack(
        "a file of holes",
        "with open('x', 'wb') as file: file.truncate(1 << 40)",
        status="error",
        kept=True,
    ),
    Attack(
        "folders in folders", "for number in range(4000): os.mkdir('d'); os.chdir('d')", timed=True
    ),
    Attack(
        "links to one file",
        "open('x', 'w').close()\nfor number in range(300000): os.link('x', f'l{number}')",
        status="ok|error|lost",
        timed=True,
    ),
    Attack(
        "the disk of other folders",
        command="for d in /tmp /dev/shm $TMPDIR $HOME; do head -c 15M /dev/zero > $d/x; done; true",
    ),
    Attack("no home", command="rm -rf $HOME; rmdir $HOME; ls"),
    Attack("a closed home", command="mkdir a a/b; touch a/b/c; chmod 000 a/b a $HOME", exit=0),
    Attack(
        "another home",
        command="cd /; mv $HOME /tmp/h || mv $HOME ${HOME}2; ln -s /etc $HOME; ls $HOME",
    ),
    Attack(
        "strange names",
        "for name in ('a\\nb', '-rf', '*', '\\x1b[31m', 'x' * 255):\n"
        " open(name, 'w').close()\nopen(b'\\xff\\xfe', 'w').close(); os.mkdir(b'\\xff')",
        status="ok",
        kept=True,
    ),
]

DISKS = [*WRITING, *DISK]

"""Starts processes: for tests of what the environment decides before TensorFlow is imported, or of how a program ends."""

import os
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The source tree's package comes first.
WITH_PACKAGE = {"PYTHONPATH": os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])}


def environment_with(**variables):
    """Our own environment and these variables; None takes one away."""
    return {name: value for name, value in {**os.environ, **variables}.items() if value is not None}


def ended(command, **variables):
    """The process of a command with these variables, well ended or not."""
    return subprocess.run(command, env=environment_with(**variables), capture_output=True, text=True, timeout=600, check=False)


def succeeded(command, **variables):
    """The process of a command, which must end well."""
    done = ended(command, **variables)
    assert done.returncode == 0, f"rc {done.returncode}\n{done.stderr[-4000:]}"
    return done


def python(code):
    """The command that runs this code in a Python of its own."""
    return [sys.executable, "-c", textwrap.dedent(code)]


def run(code, **variables):
    """The last line and the stderr of code that must end well."""
    done = succeeded(python(code), **variables)
    return done.stdout.strip().rpartition("\n")[2], done.stderr

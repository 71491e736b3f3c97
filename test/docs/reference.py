"""reference.py ROOT REFERENCE LIBRARY CC: the reference covers the public headers, and nothing that no longer exists.

REFERENCE is the output of tools/make-reference. Doxygen must not have warned. The names in it are compared with those
that the library exports, and with those that the preprocessor finds in the public headers: functions, macros, types and
enumerators of weir that do not end with an underscore, and macros that the headers test but do not define.
"""
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

NAME = re.compile(r"\b((?:weir_|WEIR_)\w*[A-Za-z0-9])\b(?!_)")
# Functions of single kinds, which a header of all kinds generates.
OF_KINDS = re.compile(r"weir_\w+_lock_by$")
# Headers that the reference leaves out: those of single machines and kinds, and their parts.
PRIVATE = re.compile(r"weir/(machine/|diagnosis/|(diagnose|dsmem|last|leave|release|site|device_single|weir_compat)\.h)")
# Declarations that Doxygen reads instead of definitions.
FOR_REFERENCE = re.compile(r"^#ifdef WEIR_REFERENCE\n.*?^#(?:else|endif)\b", re.M | re.S)
# Macros that only weir's own sources and machines define.
OWN = re.compile(r"WEIR_(LIBRARY_SERIES|REFERENCE|OBEYS_ABORT|HAS_\w+)")
UNITS = ("weir/weir.h", "weir/kind.h", "weir/profile.h", "weir/ranks.h", "weir/config.h", "weir/device.h",
         "weir/crew/engines.h")


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def is_described(entry):
    return any("".join(entry.find(part).itertext()).strip() for part in ("briefdescription", "detaileddescription"))


def documented(folder, faults):
    """Each name in the reference, with its header. Doxygen does not warn about every entry without a description."""
    names = {}
    for path in folder.glob("*.xml"):
        if path.name == "index.xml":
            continue
        for compound in ElementTree.parse(path).getroot().iter("compounddef"):
            owner = compound.findtext("compoundname")
            entries = []
            if compound.get("kind") in ("struct", "union", "class"):
                names[owner] = compound.find("location").get("file")
                entries.append((owner, names[owner], compound))
            for member in compound.iter("memberdef"):
                name, header = member.findtext("name"), member.find("location").get("file")
                if owner not in names:
                    names[name] = header
                entries.append((name if owner not in names else f"{owner}.{name}", header, member))
                for value in member.iter("enumvalue"):
                    names[value.findtext("name")] = header
                    entries.append((value.findtext("name"), header, value))
            faults += [f"{header}: {name} has no description" for name, header, entry in entries
                       if not is_described(entry)]
    return names


def kinds(include):
    """The headers of single kinds."""
    for path in include.glob("weir/*/kinds.h"):
        for header in re.findall(r'#include "(weir/\w+/\w+\.h)"', path.read_text()):
            if not header.endswith("/object.h"):
                yield header
    yield from ("weir/semaphore/line.h", "weir/event/copies.h")


def outermost(text):
    """A source without the contents of braces, except those of an enumeration."""
    out, depth = [], 0
    for piece in re.split(r"([{}])", text):
        if piece == "{":
            is_enum = re.search(r"\benum(\s+\w+)?\s*$", out[-1] if out else "")
            depth += 0 if is_enum and depth == 0 else 1
            out.append("{")
        elif piece == "}":
            depth = max(0, depth - 1)
            out.append("}")
        elif depth == 0:
            out.append(piece)
    return "".join(out)


def declared(root, cc, hidden):
    """The public names of the headers, by header."""
    unit = "".join(f'#include "{header}"\n' for header in UNITS)
    include = root / "include"
    texts, macros, header = {}, {}, ""
    for line in run(cc, "-E", "-dD", "-x", "c", "-std=c11", f"-I{include}", "-", text=unit).splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            path = marker[1]
            header = path.split("/include/")[-1] if path.startswith(str(include)) else ""
            continue
        if not header or PRIVATE.match(header) or header in hidden:
            continue
        macro = re.match(r"#define (\w+)", line)
        if macro:
            macros.setdefault(macro[1], header)
        elif not line.startswith("#"):
            texts[header] = texts.get(header, "") + line + "\n"
    names = {name: header for name, header in macros.items() if NAME.fullmatch(name)
             and not re.fullmatch(r"WEIR_\w+_H", name)}
    for header, text in texts.items():
        text = outermost(re.sub(r'"(\\.|[^"\\])*"', '""', text))
        found = re.findall(r"\b(\w+)\s*\((?=[^;{}]*\)\s*(?:;|\{|__attribute__))", text)  # functions
        found += re.findall(r"[}*\s](\w+)\s*;", text)  # types
        found += re.findall(r"[{,]\s*(WEIR_\w+)", text)  # enumerators
        for name in found:
            if NAME.fullmatch(name):
                names.setdefault(name, header)
    return names


def asked_for(texts):
    """The macros that public headers test and none defines, which users set, with the header of each."""
    defined = {name for text in texts.values() for name in re.findall(r"^# *define +(\w+)", text, re.M)}
    for header, text in texts.items():
        for line in re.findall(r"^# *(?:if|ifdef|ifndef|elif)\b.*", text, re.M):
            for name in NAME.findall(line):
                if name not in defined and not OWN.fullmatch(name):
                    yield name, header


def main():
    if not Path(sys.argv[2], "xml").is_dir():
        print("no Doxygen here: there is no reference")
        return 77
    root, folder, library, cc = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    faults = (folder / "warnings").read_text().splitlines()
    known = documented(folder / "xml", faults)

    exported = {line.split()[-1].partition("@")[0] for line in run("nm", "-D", "--defined-only", library).splitlines()}
    exported = {name for name in exported if NAME.fullmatch(name)}
    public = declared(root, cc, set(kinds(root / "include")))
    faults += [f"{public.get(name, 'no header')}: {name} is exported, and not in the reference"
               for name in sorted(exported - known.keys())]
    faults += [f"{header}: {name} is not in the reference" for name, header in sorted(public.items())
               if name not in known and not OF_KINDS.match(name)]
    texts = {str(path.relative_to(root / "include")): path.read_text() for path in (root / "include").rglob("*.h*")}
    code = {header: FOR_REFERENCE.sub("", text) for header, text in texts.items()}
    faults += [f"{header}: users may set {name}, and it is not in the reference"
               for name, header in asked_for({header: text for header, text in code.items()
                                              if not PRIVATE.match(header)}) if name not in known]
    used = set(NAME.findall("".join(re.sub(r"/\*.*?\*/", "", text, flags=re.S) for text in code.values())))
    faults += [f"{header}: {name} is documented, and no header uses it" for name, header in sorted(known.items())
               if header != "weir/machine.h" and FOR_REFERENCE.search(texts.get(header, "")) and name not in used]
    faults += [f"weir/weir.hpp: weir::{name} is not in the reference"
               for name in re.findall(r"^WEIR_SCOPED_\((\w+)", texts["weir/weir.hpp"], re.M)
               if f"weir::{name}" not in known]
    main_page = (folder / "xml/indexpage.xml").read_text()
    faults += [f"tools/reference-main.md does not lead to {path.stem.replace('group__', '').replace('__', '_')}"
               for path in (folder / "xml").glob("group__*.xml") if f'refid="{path.stem}"' not in main_page]
    # Machines define what machine.h declares for the reference.
    machines = "".join(path.read_text() for path in (root / "include/weir/machine").glob("*.h"))
    machines += (root / "include/weir/machine.h").read_text().partition("\n#else\n")[2]
    defined = set(NAME.findall(machines + run(cc, "-E", "-dD", "-x", "c", "-std=c11", f"-I{root / 'include'}",
                                              "-", text='#include "weir/device.h"\n')))
    faults += [f"{header}: {name} is documented, and no machine has it"
               for name, header in sorted(known.items())
               if header == "weir/machine.h" and NAME.fullmatch(name) and name not in defined]

    print(f"{len(known)} names in the reference, {len(exported)} exported, {len(public)} in public headers,"
          f" {len(faults)} faults")
    for fault in faults:
        print(fault)
    return bool(faults) or len(exported) < 50 or len(public) < 300


if __name__ == "__main__":
    sys.exit(main())

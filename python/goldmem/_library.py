"""The shared library: finds it, and lays out what the package passes to it.

Each layout is compared with what the library says of its own (goldmem/abi.h) before it is used, so that a package and a
library of different versions do not meet unnoticed.
"""
import ctypes
import ctypes.util
import os
import sysconfig
from ctypes import (POINTER, Structure, byref, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64,
                    c_void_p, create_string_buffer)


class Error(Exception):
    """What is wrong, in goldmem's words. `code`: the command's exit code, or the library's negative errno value."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


class GmError(Structure):
    _name_ = "gm_error"
    _fields_ = [("code", c_int), ("text", c_char * 512)]


class MemoryOptions(Structure):
    _name_ = "gm_memory_options"
    _fields_ = [("level", c_int), ("clock", c_uint64), ("in_flight", c_uint32), ("shared_bytes", c_uint64),
                ("no_skip", c_bool)]


class MemoryRequest(Structure):
    _name_ = "gm_memory_request"
    _fields_ = [("id", c_uint64), ("address", c_uint64), ("bytes", POINTER(c_uint32)), ("sectors", c_uint32),
                ("port", c_uint32), ("warp", c_uint32), ("kind", c_int), ("local", c_bool), ("unkept", c_bool)]


class MemoryAnswer(Structure):
    _name_ = "gm_memory_answer"
    _fields_ = [("id", c_uint64), ("cycle", c_uint64), ("port", c_uint32)]


class PortParameter(Structure):
    _name_ = "gm_port_parameter"
    _fields_ = [("name", c_char_p), ("width", c_char_p), ("value", c_uint64), ("what", c_char_p)]


class Port(Structure):
    _name_ = "gm_port"
    _fields_ = [("name", c_char_p), ("width", c_char_p), ("what", c_char_p)]


class PortConstant(Structure):
    _name_ = "gm_port_constant"
    _fields_ = [("field", c_char_p), ("name", c_char_p), ("value", c_uint64), ("what", c_char_p)]


class Ports(Structure):
    _name_ = "gm_ports"
    _fields_ = [("block", c_char_p), ("parameters", c_uint), ("derivations", c_uint), ("requests", c_uint),
                ("responses", c_uint), ("constants", c_uint), ("states", c_uint), ("parameter", POINTER(PortParameter)),
                ("derived", c_void_p), ("request", POINTER(Port)), ("response", POINTER(Port)),
                ("constant", POINTER(PortConstant)), ("state", c_void_p), ("shape", c_void_p)]


LAYOUTS = (GmError, MemoryOptions, MemoryRequest, MemoryAnswer, PortParameter, Port, PortConstant, Ports)

# name: result, arguments
FUNCTIONS = {
    "gm_abi_size": (c_size_t, [c_char_p]),
    "gm_abi_offset": (c_size_t, [c_char_p]),
    "gm_config_preset": (c_int, [c_void_p, c_char_p, POINTER(GmError)]),
    "gm_config_read": (c_int, [c_void_p, c_char_p, c_void_p, POINTER(GmError)]),
    "gm_config_set": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(GmError)]),
    "gm_config_check": (c_int, [c_void_p, POINTER(GmError)]),
    "gm_block_ports": (POINTER(Ports), [c_uint]),
    "gm_block_open": (c_int, [POINTER(c_void_p), POINTER(Ports), POINTER(c_uint64), c_char_p, POINTER(GmError)]),
    "gm_block_close": (None, [c_void_p]),
    "gm_block_access": (c_int, [c_void_p, POINTER(c_uint64), POINTER(c_uint64), c_size_t, POINTER(GmError)]),
    "gm_block_check": (c_int, [c_void_p, POINTER(GmError)]),
    "gm_memory_open": (c_int, [POINTER(c_void_p), c_void_p, POINTER(MemoryOptions), POINTER(GmError)]),
    "gm_memory_close": (None, [c_void_p]),
    "gm_memory_ports": (c_uint32, [c_void_p]),
    "gm_memory_line": (c_uint32, [c_void_p]),
    "gm_memory_cover": (c_uint64, [c_void_p, POINTER(MemoryRequest), POINTER(c_uint32), c_uint64, c_uint64]),
    "gm_memory_send": (c_int, [c_void_p, POINTER(MemoryRequest), POINTER(GmError)]),
    "gm_memory_now": (c_uint64, [c_void_p]),
    "gm_memory_tick": (None, [c_void_p]),
    "gm_memory_advance": (None, [c_void_p, c_uint64]),
    "gm_memory_next": (c_uint64, [c_void_p]),
    "gm_memory_pop": (c_bool, [c_void_p, POINTER(MemoryAnswer)]),
    "gm_memory_idle": (c_bool, [c_void_p]),
    "gm_memory_end_kernel": (c_int, [c_void_p, POINTER(GmError)]),
    "gm_memory_statistics": (None, [c_void_p, c_void_p]),
    "gm_memory_check": (c_int, [c_void_p, POINTER(GmError)]),
    "gm_report_counters": (c_int, [c_char_p, c_size_t, c_void_p, c_void_p]),
}


def _installed(*way):
    """A file of the installation that has this package (PREFIX/lib/python3/dist-packages/goldmem), or None."""
    prefix = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))
    path = os.path.join(prefix, *way)
    return path if os.path.exists(path) else None


def command():
    """The goldmem command: $GOLDMEM, that of this installation, or that in PATH."""
    return os.environ.get("GOLDMEM") or _installed("bin", "goldmem") or "goldmem"


def check_layouts(library, layouts=LAYOUTS):
    """Raises Error if a structure here is not laid out as in the library."""
    def differ(name):
        raise Error(f"{library._name}: {name} is laid out otherwise than in this package: another version", -1)
    for layout in layouts:
        name = layout._name_
        if library.gm_abi_size(name.encode()) != ctypes.sizeof(layout):
            differ(name)
        for field in layout._fields_:
            member = f"{name}.{field[0]}"
            place = getattr(layout, field[0])
            if (library.gm_abi_size(member.encode()), library.gm_abi_offset(member.encode())) != (place.size,
                                                                                                  place.offset):
                differ(member)


def load(path):
    """Loads a library and declares its functions. Raises Error if it lacks one or lays out a structure otherwise."""
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise Error(str(error), -1) from None
    for name, (result, arguments) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise Error(f"{path}: no function {name}: another version", -1) from None
        function.restype, function.argtypes = result, arguments
    check_layouts(library)
    return library


_loaded = None


def library():
    """The library: $GOLDMEM_LIBRARY, that of this installation, or the system's. Loaded once."""
    global _loaded
    if _loaded is None:
        multiarch = sysconfig.get_config_var("MULTIARCH") or ""  # of Debian's packages
        path = os.environ.get("GOLDMEM_LIBRARY") or _installed("lib", "libgoldmem.so.0") or \
            _installed("lib", multiarch, "libgoldmem.so.0") or ctypes.util.find_library("goldmem")
        if path is None:
            raise Error("libgoldmem.so.0 is not found; GOLDMEM_LIBRARY may name it", -1)
        _loaded = load(path)
    return _loaded


def ok(code, error):
    """Returns the code; raises Error if it is negative."""
    if code < 0:
        raise Error(error.text.decode(), code)
    return code


def make_config(preset, keys):
    """A gm_config, checked."""
    lib, error = library(), GmError()
    config = create_string_buffer(lib.gm_abi_size(b"gm_config"))
    ok(lib.gm_config_preset(config, preset.encode(), byref(error)), error)
    for key, value in (keys or {}).items():
        ok(lib.gm_config_set(config, key.encode(), text_of(value).encode(), byref(error)), error)
    ok(lib.gm_config_check(config, byref(error)), error)
    return config


def text_of(value):
    """A key's value as goldmem reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

"""The cycle engine's memory system under a simulator in Python (goldmem/memory.h)."""
import json
import operator
from collections import namedtuple
from ctypes import byref, c_uint32, c_void_p, create_string_buffer

from ._library import Error, GmError, MemoryAnswer, MemoryOptions, MemoryRequest, library, make_config, ok

LEVELS = ("below-sm", "below-l1")
KINDS = ("load", "strong-load", "store", "atomic", "reduction")
NEVER = 2**64 - 1
MASKS = 32  # of a line's sectors, at most

MOST_CYCLES = 5 * 10**12  # of gm_memory_advance

Answer = namedtuple("Answer", "id cycle port")


def _whole(name, value, low, high):
    """Returns a whole number of this range; raises Error for anything else."""
    try:
        number = operator.index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise Error(f"{name}={value}: must be {low} to {high}", -22)
    return number


class Memory:
    """A memory system, idle and empty, at cycle 0.

    `set`: keys of the configuration. `level`: "below-sm", where requests go into the SMs' L1s, or "below-l1".
    `clock`: MHz of the simulator's clock; 0: clock.core.
    """

    _handle = None

    def __init__(self, preset="gtx480", set=None, level="below-sm", clock=0, in_flight=0, shared_bytes=0,
                 no_skip=False):
        lib, error = library(), GmError()
        if level not in LEVELS:
            raise Error(f"level '{level}': must be {' or '.join(LEVELS)}", -22)
        self._config = make_config(preset, set)
        options = MemoryOptions(LEVELS.index(level), clock, in_flight, shared_bytes, no_skip)
        handle = c_void_p()
        ok(lib.gm_memory_open(byref(handle), self._config, byref(options), byref(error)), error)
        self._handle = handle
        self.ports, self.line = lib.gm_memory_ports(handle), lib.gm_memory_line(handle)

    def send(self, address, size=4, kind="load", port=0, id=0, warp=0, local=False, unkept=False):
        """Sends a request for bytes of one line. Returns False if there is no room now."""
        lib, error, request = library(), GmError(), MemoryRequest()
        if kind not in KINDS:
            raise Error(f"kind '{kind}': must be one of {', '.join(KINDS)}", -22)
        address, id = _whole("address", address, 0, 2**64 - 1), _whole("id", id, 0, 2**64 - 1)
        size, port, warp = (_whole(name, value, low, 2**32 - 1)
                            for name, value, low in (("size", size, 1), ("port", port, 0), ("warp", warp, 0)))
        masks = (c_uint32 * MASKS)()
        if lib.gm_memory_cover(self._handle, byref(request), masks, address, size) != size:
            raise Error(f"address={address:#x} size={size}: more than one line of {self.line} bytes", -22)
        request.id, request.port, request.warp, request.kind = id, port, warp, KINDS.index(kind)
        request.local, request.unkept = local, unkept
        return ok(lib.gm_memory_send(self._handle, byref(request), byref(error)), error) == 1

    def tick(self, cycles=1):
        """Computes the next cycles."""
        cycles = _whole("cycles", cycles, 0, MOST_CYCLES - self.now)
        library().gm_memory_advance(self._handle, self.now + cycles)

    def answers(self):
        """The answers that are due by now, in their order; each is given once."""
        lib, answer = library(), MemoryAnswer()
        while lib.gm_memory_pop(self._handle, byref(answer)):
            yield Answer(answer.id, answer.cycle, answer.port)

    def drain(self):
        """Computes until nothing is in flight. Returns the answers."""
        library().gm_memory_advance(self._handle, NEVER)
        return list(self.answers())

    def end_kernel(self):
        """Ends a kernel: flushes L1s where the configuration says so. Requires that every request has been answered."""
        error = GmError()
        ok(library().gm_memory_end_kernel(self._handle, byref(error)), error)

    def check(self):
        """Raises Error if a conservation law is broken. Requires an idle memory system."""
        error = GmError()
        ok(library().gm_memory_check(self._handle, byref(error)), error)

    @property
    def now(self):
        """The simulator's cycle."""
        return library().gm_memory_now(self._handle)

    @property
    def idle(self):
        """Nothing waits or is in flight."""
        return library().gm_memory_idle(self._handle)

    def statistics(self):
        """The counters since the beginning, with the names of the JSON reports."""
        lib = library()
        statistics = create_string_buffer(lib.gm_abi_size(b"gm_statistics"))
        lib.gm_memory_statistics(self._handle, statistics)
        length = lib.gm_report_counters(None, 0, self._config, statistics)
        if length < 0:
            raise Error("out of memory", length)
        text = create_string_buffer(length + 1)
        lib.gm_report_counters(text, length + 1, self._config, statistics)
        return json.loads(text.value)

    def __del__(self):
        if self._handle is not None:
            library().gm_memory_close(self._handle)
            self._handle = None

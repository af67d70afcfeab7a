"""The hardware blocks: the C models that the RTL is held to, a transaction a call."""
from ctypes import byref, c_uint64, c_void_p

from ._library import Error, GmError, library, ok


def _lists():
    number = 0
    while True:
        ports = library().gm_block_ports(number)
        if not ports:
            return
        yield ports
        number += 1


def blocks():
    """The names of the blocks."""
    return [ports.contents.block.decode() for ports in _lists()]


class Block:
    """A block in its state after reset.

    Parameters are those of the block's port list, with its defaults: Block("mshr", Entries=4). `index` is an index
    function in place of Polynomial. `block.access(op="REQUEST", line=5)` does a transaction; a field that is not given is
    0. Constants of a field may be given by name, and `constants` has them: constants["op"]["REQUEST"].
    """

    _handle = None

    def __init__(self, name, index=None, **parameters):
        lib, error = library(), GmError()
        found = [ports for ports in _lists() if ports.contents.block.decode() == name]
        if not found:
            raise Error(f"no block '{name}'; there are {', '.join(blocks())}", -22)
        ports = found[0].contents
        rows = [ports.parameter[i] for i in range(ports.parameters)]
        values = {row.name.decode(): row.value for row in rows}
        for key, value in parameters.items():
            if key not in values:
                raise Error(f"{name}: no parameter {key}; there are {', '.join(values)}", -22)
            values[key] = _number(name, key, value)
        if index is not None:
            values["Polynomial"] = 0
        self.name, self.parameters = name, values
        self.request = [ports.request[i].name.decode() for i in range(ports.requests)]
        self.response = [ports.response[i].name.decode() for i in range(ports.responses)]
        self.constants = {}
        for i in range(ports.constants):
            row = ports.constant[i]
            text = row.name.decode().removeprefix(f"GM_{name.upper()}_").removesuffix("_OP")
            self.constants.setdefault(row.field.decode(), {})[text] = row.value
        handle = c_void_p()
        array = (c_uint64 * len(values))(*values.values())
        ok(lib.gm_block_open(byref(handle), found[0], array, None if index is None else index.encode(), byref(error)),
           error)
        self._handle = handle

    def access(self, **fields):
        """Does one transaction. Returns the response, a dictionary."""
        return self.access_all([fields])[0]

    def access_all(self, requests):
        """Does transactions in sequence, in one call of the library. Returns the responses."""
        lib, error = library(), GmError()
        asked = (c_uint64 * (len(self.request) * len(requests)))()
        answered = (c_uint64 * (len(self.response) * len(requests)))()
        for i, fields in enumerate(requests):
            if not isinstance(fields, dict):
                raise Error(f"{self.name}: request {fields!r}: must be a dictionary of fields", -22)
            for key, value in fields.items():
                if key not in self.request:
                    raise Error(f"{self.name}: no field {key}; there are {', '.join(self.request)}", -22)
                value = self.constants.get(key, {}).get(value, value) if isinstance(value, str) else value
                asked[i * len(self.request) + self.request.index(key)] = _number(self.name, key, value)
        ok(lib.gm_block_access(self._handle, asked, answered, len(requests), byref(error)), error)
        width = len(self.response)
        return [dict(zip(self.response, answered[i * width:(i + 1) * width])) for i in range(len(requests))]

    def check(self):
        """Raises Error if an invariant of the block is broken."""
        error = GmError()
        ok(library().gm_block_check(self._handle, byref(error)), error)

    def __del__(self):
        if self._handle is not None:
            library().gm_block_close(self._handle)
            self._handle = None


class SetIndex:
    """An index function: SetIndex("ipoly:37", sets=32)[line] is the set of a line address."""

    def __init__(self, function, sets=32, address_bits=42):
        if sets < 1 or sets & (sets - 1):
            raise Error(f"sets={sets}: must be a power of two", -22)
        self.function, self.sets = function, sets
        self._block = Block("set_index", index=function, IndexW=sets.bit_length() - 1, LineW=address_bits)

    def __getitem__(self, line):
        return self._block.access(op="FORWARD", line=line)["index"]

    def map(self, lines):
        """The sets of many lines."""
        answers = self._block.access_all([{"op": 0, "line": line} for line in lines])
        return [answer["index"] for answer in answers]

    def line(self, tag, index):
        """The line address of a tag and a set."""
        return self._block.access(op="INVERSE", tag=tag, index=index)["line"]


def _number(name, key, value):
    if not isinstance(value, int) or not 0 <= value < 1 << 64:
        raise Error(f"{name}: {key}={value!r}: must be a whole number from 0 to 2**64 - 1", -22)
    return int(value)

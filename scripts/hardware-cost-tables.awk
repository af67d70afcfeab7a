# The tables of docs/reproduction/hardware-cost.md, from the data of hardware-cost.sh.
# Usage: page.sh docs/reproduction/hardware-cost PAGE hardware-cost-tables.awk

BEGIN {
    # Areas at 45 nm [square micrometres]; the page names their sources.
    CELL_CACTI = 146 * 0.045 * 0.045
    CELL_INTEL = 0.346
    NAND = 0.798
    INVERTER = 0.532
    FLOP = 4.522
    DIE = 529 # square millimetres
    SMS = 15
    CONVENTIONAL = "conventional_tags LineW 42"
    DECOUPLED = "tag_store LineW 42"
    PROBED = "tag_store LineW 42 ProbeStage 1"
    DUELING = "sm_dueling"
    does["atomic_buffer"] = "holds the line of an L2 bank's atomics and strong loads [anssari, 3.4, 3.5]"
    does["contention_bypass"] = "lets loads of many lines bypass an L1 [anssari, 3.3]"
    does["sharing_lru"] = "keeps private lines in an L1 [tabbakh, VI]"
    does["sharing_lru Level 1 Dead 0 IndexW 7 Ways 8"] = "keeps shared lines in an L2 bank [tabbakh, VI]"
    does["cta_queues Mode 0"] = "hands out CTAs one by one: RR"
    does["cta_queues"] = "hands out groups of CTAs [tabbakh, IV]"
    does["cta_queues Adaptive 1"] = "hands out groups of CTAs, adaptive [tabbakh, IV]"
    does["stream_gate"] = "closes an L1 or an L2 bank that streams"
    does["warp_limiter"] = "lets a scheduler's oldest warps issue: static limit, DWT-CS"
    does["cores_sampling"] = "finds a kernel's limit: DWT-CS"
    does["victim_tags"] = "finds lost locality in an SM: CCWS"
    does["locality_score"] = "ranks an SM's warps by lost locality: CCWS"
    split("tag valid waiting rank rc committed position free_line", order, " ")
    meaning["tag"] = "tags"
    meaning["valid"] = "valid"
    meaning["waiting"] = "waits for its fill"
    meaning["rank"] = "LRU order of the data lines"
    meaning["rc"] = "RC"
    meaning["committed"] = "Position is valid"
    meaning["position"] = "Position"
    meaning["free_line"] = "Free_Lines"
}

# row_bits[design, line bits, field]: of a row; bits[design, line bits]: of all rows
function read_memories(    i, f) {
    read_csv("memories")
    delete bits
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        if (f[6] != 1 || f[7] != 1) fail("the memory has other ports than one for reading and one for writing")
        if (!(f[3] in meaning)) fail("field " f[3] " is not known")
        sets = f[4]
        row_bits[f[1], f[2], f[3]] = f[5]
        bits[f[1], f[2]] += f[4] * f[5]
    }
}

function read_logic(    i, f) {
    read_csv("logic")
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        flops[f[1]] = f[2]
        nands[f[1]] = f[3]
        inverters[f[1]] = f[4]
    }
}

function gate_area(design) { return nands[design] * NAND + inverters[design] * INVERTER }
function nand2(design) { return int(gate_area(design) / NAND + 0.5) }
function logic_area(design) { return gate_area(design) + flops[design] * FLOP }

function table_memories(    i, name, c, d) {
    read_memories()
    printf "| field of one of %d rows | conventional | decoupled |\n| --- | --- | --- |\n", sets
    for (i = 1; i in order; i++) {
        name = order[i]
        c = row_bits["conventional_tags", 42, name]
        d = row_bits["tag_store", 42, name]
        printf "| `%s`: %s | %s | %s |\n", name, meaning[name], c == "" ? "" : c " bits", d " bits"
    }
    c = bits["conventional_tags", 42]
    d = bits["tag_store", 42]
    printf "| a row | %d bits | %d bits |\n", c / sets, d / sets
    printf "| all | %d bits, %.2f KB | %d bits, %.2f KB: %.2f times |\n", c, c / 8192, d, d / 8192, d / c
}

# Bits of an entry, without its share of the order of lines.
function entry(design, line_bits, entries,    name, i, sum) {
    for (i = 1; i in order; i++) {
        name = order[i]
        if (name != "rank" && name != "free_line") sum += row_bits[design, line_bits, name]
    }
    return sum / entries
}

function table_entries(    width, c, d) {
    read_memories()
    print "| byte addresses | conventional | decoupled |\n| --- | --- | --- |"
    for (width = 42; width <= 57; width += 15) {
        c = entry("conventional_tags", width, 4)
        d = entry("tag_store", width, 8)
        printf "| %d bits | %d bits, %.1f bytes | %d bits, %.1f bytes |\n", width + 7, c, c / 8, d, d / 8
    }
}

function logic_row(what, count) {
    printf "| %s | %d | %d | %d | %d | %d |\n", what, count[CONVENTIONAL], count[DECOUPLED],
        count[DECOUPLED] - count[CONVENTIONAL], count[PROBED], count[DUELING]
}

function table_logic(    design, equivalents) {
    read_logic()
    for (design in nands) equivalents[design] = nand2(design)
    print "| | conventional | decoupled | more | decoupled, with a probe stage | sm_dueling |"
    print "| --- | --- | --- | --- | --- | --- |"
    logic_row("flops", flops)
    logic_row("NANDs of two inputs", nands)
    logic_row("inverters", inverters)
    logic_row("both as NAND2 equivalents", equivalents)
}

function levels_row(what, stage) {
    printf "| %s | %s | %s | %s | %s |\n", what, levels[CONVENTIONAL, stage], levels[DECOUPLED, stage],
        levels[PROBED, stage], levels[DUELING, stage]
}

function table_levels(    i, f) {
    read_csv("levels")
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        levels[f[1], f[2]] = f[3]
    }
    print "| path from | conventional | decoupled | decoupled, with a probe stage | sm_dueling |"
    print "| --- | --- | --- | --- | --- |"
    levels_row("the request: set index, addresses of the SRAM", "request")
    levels_row("the probe stage: row, look-up", "probe")
    levels_row("the decision: (row, look-up,) decision, write ports of the SRAM", "decision")
    levels_row("the response: line address of what is evicted", "response")
}

function table_contention(    i, f, design, equivalents, one) {
    read_csv("contention")
    print "| block | what it does | in the GPU | flops | NAND2 equivalents | bits of memories | area of one | of all |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        design = f[1]
        flops[design] = f[2]
        nands[design] = f[3]
        inverters[design] = f[4]
        if (!(design in does)) fail("block " design " is not known")
        one = logic_area(design) + f[5] * CELL_CACTI
        printf "| %s | %s | %d | %d | %d | %d | %.5f mm2 | %.4f mm2 |\n", design, does[design], f[6], f[2], nand2(design),
            f[5], one / 1e6, one * f[6] / 1e6
    }
}

function area_row(what, one) {
    printf "| %s | %.4f mm2 | %.3f mm2 | %.4f%% |\n", what, one / 1e6, one * SMS / 1e6,
        100 * one * SMS / 1e6 / DIE
}

function table_area(    more, logic) {
    read_memories()
    read_logic()
    more = bits["tag_store", 42] - bits["conventional_tags", 42]
    logic = logic_area(DECOUPLED) - logic_area(CONVENTIONAL)
    printf "| what the decoupled tags have more | one SM | %d SMs | of %d mm2 |\n", SMS, DIE
    print "| --- | --- | --- | --- |"
    area_row(sprintf("%d bit cells of 0.296 um2", more), more * CELL_CACTI)
    area_row("the same of 0.346 um2", more * CELL_INTEL)
    area_row("gates and flops", logic)
    area_row("gates, flops, cells of 0.296 um2", logic + more * CELL_CACTI)
    area_row("gates, flops, cells of 0.346 um2", logic + more * CELL_INTEL)
    area_row("a probe stage", logic_area(PROBED) - logic_area(DECOUPLED))
    area_row("sm_dueling, one for all SMs", logic_area(DUELING) / SMS)
    area_row("the paper's 0.008 mm2, as of all SMs", 8000 / SMS)
    area_row("the paper's 0.008 mm2, as of one SM", 8000)
}

function floor_row(what, count, paper,    one) {
    one = count * CELL_CACTI / 1e6
    printf "| %s: %d bits | %.4f mm2 | %.3f mm2 | %.3f mm2 | %.1f times |\n", what, count, one, SMS * one,
        paper, SMS * one / paper
}

# Bit cells alone of the paper's design, with its entries of 8 and 9 bytes.
function table_floor() {
    printf "| bit cells of 0.296 um2 | one SM | %d SMs | the paper | %d SMs to the paper |\n", SMS, SMS
    print "| --- | --- | --- | --- | --- |"
    floor_row("what 128 tag entries of 8 bytes lack of 256 of 9", (256 * 9 - 128 * 8) * 8, 0.008)
    floor_row("16 KB of data and 256 tag entries of 9 bytes", (16 * 1024 + 256 * 9) * 8, 0.244)
}

function table(name) {
    if (name == "memories") table_memories()
    else if (name == "entries") table_entries()
    else if (name == "logic") table_logic()
    else if (name == "levels") table_levels()
    else if (name == "area") table_area()
    else if (name == "floor") table_floor()
    else if (name == "contention") table_contention()
    else fail("no table " name)
}

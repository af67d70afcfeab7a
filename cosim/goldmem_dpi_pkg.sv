// The golden model of each block for SystemVerilog testbenches, through DPI-C: load or link
// build/libgoldmem_dpi.so. Written from the port lists by make dpi-package; a test holds it equal to
// them. docs/dpi.md shows it in a testbench.
package goldmem_dpi_pkg;

  // A model, by block and options ("sets=32 index=ipoly:37"); null: gm_dpi_error says why.
  import "DPI-C" function chandle gm_dpi_open(input string block, input string options);
  import "DPI-C" function void gm_dpi_close(input chandle model);
  // The state as after gm_dpi_open. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_reset(input chandle model);
  // Begins the random requests of gm_dpi_next_NAME anew; a model opens with seed 1.
  import "DPI-C" function void gm_dpi_seed(input chandle model, input longint unsigned seed);
  // What the last function that failed found wrong.
  import "DPI-C" function string gm_dpi_error();

  // atomic_buffer
  localparam bit [63:0] GM_ATOMIC_BUFFER_ATOMIC = 0;  // op: an atomic is performed: the buffer holds its line
  localparam bit [63:0] GM_ATOMIC_BUFFER_ACCESS = 1;  // op: another access follows: puts its line back
  localparam bit [63:0] GM_ATOMIC_BUFFER_FLUSH = 2;  // op: puts the held line back
  localparam bit [63:0] GM_ATOMIC_BUFFER_LOAD = 3;  // op: a coherent load is performed: the buffer holds its line

  typedef struct packed {
    bit [63:0] op;  // width 2: ATOMIC, ACCESS, FLUSH, LOAD
    bit [63:0] line;  // width LineW: ATOMIC, LOAD, ACCESS: line address
    bit [63:0] sectors;  // width Sectors: ATOMIC, LOAD: sectors that it operates on
    bit [63:0] valid;  // width Sectors: ATOMIC, LOAD: the line's sectors in the L2 bank, which a miss takes
    bit [63:0] dirty;  // width Sectors: ATOMIC, LOAD: those of them that are dirty; others are ignored
  } atomic_buffer_request_t;

  typedef struct packed {
    bit [63:0] hit;  // width 1: ATOMIC, LOAD: the buffer has the sectors; else it takes the line from the L2
    bit [63:0] puts;  // width 1: all: the line that was held goes into the L2 bank
    bit [63:0] line;  // width LineW: puts: that line
    bit [63:0] valid;  // width Sectors: puts: its valid sectors
    bit [63:0] dirty;  // width Sectors: puts: its dirty sectors
  } atomic_buffer_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_atomic_buffer(
      input chandle model, input atomic_buffer_request_t request,
      output atomic_buffer_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_atomic_buffer(
      input chandle model, output atomic_buffer_request_t request);

  // contention_bypass
  localparam bit [63:0] GM_CONTENTION_BYPASS_FILLS = 0;  // bypass: the load may fill the L1
  localparam bit [63:0] GM_CONTENTION_BYPASS_BYPASSES = 1;  // bypass: the load bypasses the L1

  typedef struct packed {
    bit [63:0] touched;  // width TouchedW: lines that the instruction touches, 0 to 2^TouchedW - 1
    bit [63:0] warps;  // width WarpW: warps that share the L1, 0 to 2^WarpW - 1
    bit [63:0] lines;  // width LineW: lines of the L1, 0 to 2^LineW - 1
  } contention_bypass_request_t;

  typedef struct packed {
    bit [63:0] bypass;  // width 1: FILLS; BYPASSES: touches two lines or more, and a warp's share or more
  } contention_bypass_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_contention_bypass(
      input chandle model, input contention_bypass_request_t request,
      output contention_bypass_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_contention_bypass(
      input chandle model, output contention_bypass_request_t request);

  // cores_sampling
  localparam bit [63:0] GM_CORES_SAMPLING_REPORT = 0;  // op: the next SM reports a period
  localparam bit [63:0] GM_CORES_SAMPLING_KERNEL = 1;  // op: a kernel begins, without a limit
  localparam bit [63:0] GM_CORES_SAMPLING_RESTART = 2;  // op: as after the reset; 3: likewise

  typedef struct packed {
    bit [63:0] op;  // width 2: REPORT, KERNEL, RESTART
    bit [63:0] misses;  // width MissW: REPORT: load misses of the SM's L1 in the period
    bit [63:0] issued;  // width IssueW: REPORT: thread instructions that the SM issued in the period, in 32s
    bit [63:0] idle;  // width 1: REPORT: the SM has no warps
    bit [63:0] closed;  // width 1: REPORT: the SM's L1 is closed
    bit [63:0] kernel;  // width KernelW: KERNEL: names the kernel
  } cores_sampling_request_t;

  typedef struct packed {
    bit [63:0] ended;  // width 1: REPORT: that of the last SM, which ends the period
    bit [63:0] hot;  // width HotW: hot count of the kernel, after
    bit [63:0] sampling;  // width 1: SMs are sampled
    bit [63:0] limit;  // width LimitW: sampling: the limit of SM 0; else that of all SMs, 0: none
  } cores_sampling_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_cores_sampling(
      input chandle model, input cores_sampling_request_t request,
      output cores_sampling_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_cores_sampling(
      input chandle model, output cores_sampling_request_t request);

  // cta_queues
  localparam bit [63:0] GM_CTA_QUEUES_ASK = 0;  // op: the CTAs that SM sm gets now, of the free ones it can take
  localparam bit [63:0] GM_CTA_QUEUES_START = 1;  // op: a kernel of ctas CTAs begins; GROUPS: SM k gets group k

  typedef struct packed {
    bit [63:0] op;  // width 1: ASK, START
    bit [63:0] sm;  // width SmW: ASK: the SM; one below Sms
    bit [63:0] free;  // width 2: ASK: CTAs that the SM has room for; 2: two or more, 3: likewise
    bit [63:0] ctas;  // width CtaW: START: CTAs of the kernel
    bit [63:0] size;  // width CtaW: START: GROUPS: CTAs of a group; BCS: of an SM's first run; 0: 1
    bit [63:0] tail;  // width CtaW: START: GROUPS: CTAs of Sms - 1 groups, at most 2^CtaW - 1
  } cta_queues_request_t;

  typedef struct packed {
    bit [63:0] count;  // width 2: ASK: CTAs to place on the SM, 0 to 2; 0: no change but of single
    bit [63:0] cta;  // width CtaW: ASK, count above 0: the first of them; the second is the next one
    bit [63:0] taken;  // width 1: ASK: the SM has taken a group, or begun its first run
    bit [63:0] single;  // width 1: all: from now on the scheduler is RR
    bit [63:0] empty;  // width 1: all: each CTA of the kernel has been placed or is of an SM's group or run
  } cta_queues_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_cta_queues(
      input chandle model, input cta_queues_request_t request,
      output cta_queues_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_cta_queues(
      input chandle model, output cta_queues_request_t request);

  // gwct
  localparam bit [63:0] GM_GWCT_ISSUE = 0;  // op: the warp sends a load, or a store
  localparam bit [63:0] GM_GWCT_ACK = 1;  // op: a load or store is answered; raises the warp's GWCT
  localparam bit [63:0] GM_GWCT_RAISE = 2;  // op: raises the warp's GWCT to the timestamp, if that is later
  localparam bit [63:0] GM_GWCT_ROLLOVER = 3;  // op: time begins anew: GWCTs become 0, the epoch changes
  localparam bit [63:0] GM_GWCT_FENCE = 4;  // op: asks for warps warp to last; changes nothing; 5 to 7: likewise
  localparam bit [63:0] GM_GWCT_ANSWERS = 1;  // waits: an operation is not acknowledged
  localparam bit [63:0] GM_GWCT_TIME = 2;  // waits: a GWCT is not past

  typedef struct packed {
    bit [63:0] op;  // width 3: ISSUE, ACK, RAISE, ROLLOVER, FENCE
    bit [63:0] warp;  // width WarpW: ISSUE, ACK, RAISE: the warp; FENCE: the first warp that it covers
    bit [63:0] last;  // width WarpW: FENCE: the last warp that it covers
    bit [63:0] store;  // width 1: ISSUE, ACK: 1 store, atomic or reduction; 0 load
    bit [63:0] has_gwct;  // width 1: ACK: the answer carries a GWCT
    bit [63:0] epoch;  // width 1: ACK: the epoch of the GWCT
    bit [63:0] timestamp;  // width TimeW: ACK: the GWCT; RAISE: the time [core cycles]
    bit [63:0] now;  // width TimeW: FENCE: the time, at least 1 [core cycles]
  } gwct_request_t;

  typedef struct packed {
    bit [63:0] ready;  // width 1: FENCE: nothing is outstanding, and all GWCTs are past
    bit [63:0] waits;  // width 2: FENCE: ANSWERS and TIME, or either
    bit [63:0] left;  // width TimeW: FENCE that waits for time: cycles until the GWCTs are past
    bit [63:0] refused;  // width 1: ISSUE: the count is at its limit; nothing changes
    bit [63:0] error;  // width 1: ISSUE, ACK, RAISE: no such warp; ACK: nothing is outstanding; nothing changes
  } gwct_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_gwct(
      input chandle model, input gwct_request_t request,
      output gwct_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_gwct(
      input chandle model, output gwct_request_t request);

  // lease_store
  localparam bit [63:0] GM_LEASE_STORE_PUT = 0;  // op: stores the lease of an evicted line
  localparam bit [63:0] GM_LEASE_STORE_TAKE = 1;  // op: returns and removes the lease of a line that is fetched
  localparam bit [63:0] GM_LEASE_STORE_EXPIRE = 2;  // op: only removes the leases that are past
  localparam bit [63:0] GM_LEASE_STORE_CLEAR = 3;  // op: removes all: time begins anew

  typedef struct packed {
    bit [63:0] op;  // width 2: PUT, TAKE, EXPIRE, CLEAR
    bit [63:0] line;  // width LineW: PUT, TAKE: line address
    bit [63:0] lease;  // width TimeW: PUT: the lease, the last cycle at which an L1 may use a copy
    bit [63:0] now;  // width TimeW: PUT, TAKE, EXPIRE: the time [core cycles]
    bit [63:0] may;  // width 1: PUT: the L2's MSHR entries leave room for one more lease
  } lease_store_request_t;

  typedef struct packed {
    bit [63:0] done;  // width 1: PUT: the lease is stored, or needs no storage
    bit [63:0] found;  // width 1: TAKE: the line had an unexpired lease, which is now removed
    bit [63:0] lease;  // width TimeW: TAKE that found it: the lease
    bit [63:0] used;  // width UsedW: all: leases stored after the operation
    bit [63:0] next;  // width TimeW: all: the earliest of them; 0: there is none
  } lease_store_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_lease_store(
      input chandle model, input lease_store_request_t request,
      output lease_store_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_lease_store(
      input chandle model, output lease_store_request_t request);

  // lifetime_predictor
  localparam bit [63:0] GM_LIFETIME_PREDICTOR_LOAD = 0;  // op: a load; +Hit if either copy was expired
  localparam bit [63:0] GM_LIFETIME_PREDICTOR_EVICT = 1;  // op: an L2 eviction; -Evict if unexpired
  localparam bit [63:0] GM_LIFETIME_PREDICTOR_STORE = 2;  // op: a store or atomic; -Write if unexpired, once a fence has completed
  localparam bit [63:0] GM_LIFETIME_PREDICTOR_FENCED = 3;  // op: an SM has completed a fence of GPU scope
  localparam bit [63:0] GM_LIFETIME_PREDICTOR_RESET = 4;  // op: as after the reset; 5 to 7: likewise

  typedef struct packed {
    bit [63:0] op;  // width 3: LOAD, EVICT, STORE, FENCED, RESET
    bit [63:0] expired_l1;  // width 1: LOAD: the L1's copy was expired
    bit [63:0] expired_l2;  // width 1: LOAD: the L2's line was expired
    bit [63:0] unexpired;  // width 1: EVICT, STORE: the L2's line is unexpired
  } lifetime_predictor_request_t;

  typedef struct packed {
    bit [63:0] life;  // width LifeW: all: the lifetime from now on [core cycles]
  } lifetime_predictor_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_lifetime_predictor(
      input chandle model, input lifetime_predictor_request_t request,
      output lifetime_predictor_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_lifetime_predictor(
      input chandle model, output lifetime_predictor_request_t request);

  // locality_score
  localparam bit [63:0] GM_LOCALITY_SCORE_ADVANCE = 0;  // op: time passes: scores fall to Base
  localparam bit [63:0] GM_LOCALITY_SCORE_HIT = 1;  // op: the warp has lost locality: sets its score
  localparam bit [63:0] GM_LOCALITY_SCORE_START = 2;  // op: a new warp: score Base, last in the order
  localparam bit [63:0] GM_LOCALITY_SCORE_END = 3;  // op: the warp has ended
  localparam bit [63:0] GM_LOCALITY_SCORE_RESTART = 4;  // op: as after the reset; 5 to 7: likewise

  typedef struct packed {
    bit [63:0] op;  // width 3: ADVANCE, HIT, START, END, RESTART
    bit [63:0] warp;  // width WarpW: HIT, START, END: the warp
    bit [63:0] cycles;  // width ScoreW: ADVANCE: core cycles that pass
    bit [63:0] issued;  // width IssuedW: ADVANCE: warp instructions that were issued in them
  } locality_score_request_t;

  typedef struct packed {
    bit [63:0] allowed;  // width Warps: all: bit w: warp w is there and may issue loads from now on
    bit [63:0] score;  // width ScoreW: HIT, START: the warp's score; 0: it is not there
  } locality_score_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_locality_score(
      input chandle model, input locality_score_request_t request,
      output locality_score_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_locality_score(
      input chandle model, output locality_score_request_t request);

  // mshr
  localparam bit [63:0] GM_MSHR_REQUEST_OP = 0;  // op: a miss: merges into the open entry of its line, or takes the lowest free entry
  localparam bit [63:0] GM_MSHR_RESPONSE_OP = 1;  // op: data of an entry arrived: answers its oldest requester; the last frees it
  localparam bit [63:0] GM_MSHR_CLOSE_OP = 2;  // op: the open entry of the line takes no more requesters, and does not install
  localparam bit [63:0] GM_MSHR_FLUSH_OP = 3;  // op: CLOSE of every line
  localparam bit [63:0] GM_MSHR_PROBE_OP = 4;  // op: what REQUEST would answer; changes nothing; 5 to 7: likewise
  localparam bit [63:0] GM_MSHR_MERGED = 0;  // outcome: the open entry of the line has one requester more
  localparam bit [63:0] GM_MSHR_NEW = 1;  // outcome: the lowest free entry is the line's
  localparam bit [63:0] GM_MSHR_FAIL = 2;  // outcome: nothing changed; reason says why
  localparam bit [63:0] GM_MSHR_FAIL_ENTRY = 0;  // reason: no entry is free, or the line has two
  localparam bit [63:0] GM_MSHR_FAIL_MERGE = 1;  // reason: the open entry of the line is full
  localparam bit [63:0] GM_MSHR_FAIL_MISS_QUEUE = 2;  // reason: a new entry is needed, and may_allocate is 0

  typedef struct packed {
    bit [63:0] op;  // width 3: REQUEST, RESPONSE, CLOSE, FLUSH, PROBE
    bit [63:0] line;  // width LineW: REQUEST, PROBE, CLOSE: line address
    bit [63:0] requester;  // width RequesterW: REQUEST: who waits
    bit [63:0] id;  // width IdW: RESPONSE: entry
    bit [63:0] may_allocate;  // width 1: REQUEST, PROBE: the miss queue takes the miss of a new entry
  } mshr_request_t;

  typedef struct packed {
    bit [63:0] outcome;  // width 2: REQUEST, PROBE: MERGED, NEW, FAIL
    bit [63:0] reason;  // width 2: FAIL: ENTRY, MERGE, MISS_QUEUE
    bit [63:0] id;  // width IdW: MERGED, NEW, RESPONSE, CLOSE: the entry
    bit [63:0] count;  // width MergeW + 1: MERGED, NEW: requesters with this one; RESPONSE: left after it
    bit [63:0] requester;  // width RequesterW: RESPONSE: the next one, in the order of their REQUESTs
    bit [63:0] line;  // width LineW: RESPONSE: line address
    bit [63:0] install;  // width 1: RESPONSE: the first of an open entry: the data go into the cache
    bit [63:0] closed;  // width 1: CLOSE, FLUSH: an entry was open and is closed now
    bit [63:0] error;  // width 1: RESPONSE: the id is free; nothing changes
  } mshr_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_mshr(
      input chandle model, input mshr_request_t request,
      output mshr_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_mshr(
      input chandle model, output mshr_request_t request);

  // replacement
  localparam bit [63:0] GM_REPLACEMENT_TOUCH = 0;  // op: the line in way of the set index was hit
  localparam bit [63:0] GM_REPLACEMENT_REPLACE = 1;  // op: a line comes into an eligible way, which the response names
  localparam bit [63:0] GM_REPLACEMENT_REMOVE = 2;  // op: the line in way goes, for a reason that teaches nothing
  localparam bit [63:0] GM_REPLACEMENT_FLUSH = 3;  // op: all lines go
  localparam bit [63:0] GM_REPLACEMENT_PEEK = 4;  // op: what REPLACE would answer; changes nothing; 5 to 7: likewise

  typedef struct packed {
    bit [63:0] op;  // width 3: TOUCH, REPLACE, REMOVE, FLUSH, PEEK
    bit [63:0] index;  // width IndexW: all but FLUSH: set
    bit [63:0] way;  // width WayW: TOUCH, REMOVE: way; one below Ways
    bit [63:0] eligible;  // width Ways: REPLACE, PEEK: ways that may be taken
    bit [63:0] signature;  // width SignatureW: REPLACE, PEEK: of the line that comes in (SHIP)
  } replacement_request_t;

  typedef struct packed {
    bit [63:0] way;  // width WayW: REPLACE, PEEK: way that is taken, unless none
    bit [63:0] evicted;  // width 1: REPLACE, PEEK: it was in use
    bit [63:0] none;  // width 1: REPLACE, PEEK: no way is eligible; nothing changes
    bit [63:0] distant;  // width 1: REPLACE, PEEK, SHIP: the signature has no reuse; RRPV is its maximum
    bit [63:0] error;  // width 1: TOUCH, REMOVE: the way is not in use; nothing changes
  } replacement_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_replacement(
      input chandle model, input replacement_request_t request,
      output replacement_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_replacement(
      input chandle model, output replacement_request_t request);

  // set_index
  localparam bit [63:0] GM_SET_INDEX_FORWARD = 0;  // op: line to tag and index
  localparam bit [63:0] GM_SET_INDEX_INVERSE = 1;  // op: tag and index to line

  typedef struct packed {
    bit [63:0] op;  // width 1: FORWARD, INVERSE
    bit [63:0] line;  // width LineW: FORWARD: line address
    bit [63:0] tag;  // width LineW - IndexW: INVERSE: tag
    bit [63:0] index;  // width IndexW: INVERSE: set index
  } set_index_request_t;

  typedef struct packed {
    bit [63:0] line;  // width LineW: line address
    bit [63:0] tag;  // width LineW - IndexW: its tag: the line without its low IndexW bits
    bit [63:0] index;  // width IndexW: its set index
  } set_index_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_set_index(
      input chandle model, input set_index_request_t request,
      output set_index_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_set_index(
      input chandle model, output set_index_request_t request);

  // sharing_lru
  localparam bit [63:0] GM_SHARING_LRU_TOUCH = 0;  // op: the line in way of the set index was hit
  localparam bit [63:0] GM_SHARING_LRU_REPLACE = 1;  // op: a line asks for an eligible way, which the response names
  localparam bit [63:0] GM_SHARING_LRU_REMOVE = 2;  // op: the line in way goes
  localparam bit [63:0] GM_SHARING_LRU_FLUSH = 3;  // op: all lines go
  localparam bit [63:0] GM_SHARING_LRU_RESET = 4;  // op: all lines stay, private, alive and without owner
  localparam bit [63:0] GM_SHARING_LRU_PEEK = 5;  // op: what REPLACE would answer; changes nothing; 6 and 7: likewise

  typedef struct packed {
    bit [63:0] op;  // width 3: TOUCH, REPLACE, REMOVE, FLUSH, RESET, PEEK
    bit [63:0] index;  // width IndexW: all but FLUSH, RESET: set
    bit [63:0] way;  // width WayW: TOUCH, REMOVE: way; one below Ways
    bit [63:0] eligible;  // width Ways: REPLACE, PEEK: ways that may be taken
    bit [63:0] incoming;  // width 1: REPLACE, PEEK: L1: the line is shared; L2: it is certainly private
    bit [63:0] sm;  // width SmW: L2: TOUCH, REPLACE: the SM
    bit [63:0] known;  // width 1: L2: TOUCH, REPLACE: an SM asks
  } sharing_lru_request_t;

  typedef struct packed {
    bit [63:0] way;  // width WayW: REPLACE, PEEK: way that is taken, unless none or bypass
    bit [63:0] evicted;  // width 1: REPLACE, PEEK: it was in use
    bit [63:0] none;  // width 1: REPLACE, PEEK: no way is eligible; nothing changes
    bit [63:0] bypass;  // width 1: REPLACE, PEEK: the line may not come in, by its class
    bit [63:0] shared;  // width 1: TOUCH: the line is shared, from now on; REPLACE, PEEK: the evicted one was
    bit [63:0] became;  // width 1: TOUCH: L2: it became shared now
    bit [63:0] dead;  // width 1: REPLACE, PEEK: the evicted line was dead
    bit [63:0] died;  // width 1: REPLACE, PEEK: a line that stays becomes dead
    bit [63:0] error;  // width 1: TOUCH, REMOVE: the way is not in use; nothing changes
  } sharing_lru_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_sharing_lru(
      input chandle model, input sharing_lru_request_t request,
      output sharing_lru_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_sharing_lru(
      input chandle model, output sharing_lru_request_t request);

  // sharing_tracker
  localparam bit [63:0] GM_SHARING_TRACKER_LOOKUP = 0;  // op: the L1 of cu missed: who has the line? With will_fill: marks cu
  localparam bit [63:0] GM_SHARING_TRACKER_FILL = 1;  // op: the L1 of cu installed the line: a sharer, if its mark still stands
  localparam bit [63:0] GM_SHARING_TRACKER_EVICT = 2;  // op: the L1 of cu evicted the line
  localparam bit [63:0] GM_SHARING_TRACKER_WRITE = 3;  // op: a CU writes the line: frees its entry, with sharers and marks
  localparam bit [63:0] GM_SHARING_TRACKER_COHERENT = 4;  // op: an atomic or another coherent operation on the line: as WRITE
  localparam bit [63:0] GM_SHARING_TRACKER_FLUSH = 5;  // op: the L1s are flushed: frees all entries; 7: likewise
  localparam bit [63:0] GM_SHARING_TRACKER_ASK = 6;  // op: the L1 of a CU of another tracker missed: who has the line?

  typedef struct packed {
    bit [63:0] op;  // width 3: LOOKUP, FILL, EVICT, WRITE, COHERENT, FLUSH, ASK
    bit [63:0] line;  // width LineW: all but FLUSH: line address
    bit [63:0] cu;  // width CuW: LOOKUP, FILL, EVICT: whose L1 it is, below Cus
    bit [63:0] will_fill;  // width 1: LOOKUP: the L1 will install the line, and say so by FILL
  } sharing_tracker_request_t;

  typedef struct packed {
    bit [63:0] index;  // width IndexW: all but FLUSH: set of the line
    bit [63:0] found;  // width 1: all but FLUSH: the line had an entry
    bit [63:0] hit;  // width 1: LOOKUP: another CU is known to have the line; ASK: a CU is
    bit [63:0] supplier;  // width CuW: hit: which one is to supply it
    bit [63:0] filled;  // width 1: FILL: the CU's mark stood; the CU is a sharer now
    bit [63:0] displaced;  // width 1: filled: all pointers were in use, the oldest gave way
    bit [63:0] displaced_cu;  // width CuW: displaced: the CU that it named
    bit [63:0] removed;  // width 1: EVICT: the CU was a known sharer
    bit [63:0] last_sharer;  // width 1: removed: and no other was known
    bit [63:0] freed;  // width 1: EVICT: the entry is free, with nobody left; WRITE, COHERENT: it was found
    bit [63:0] dropped;  // width 1: LOOKUP that takes an entry: the oldest of a full set was given up for it
    bit [63:0] dropped_line;  // width LineW: dropped: its line address
  } sharing_tracker_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_sharing_tracker(
      input chandle model, input sharing_tracker_request_t request,
      output sharing_tracker_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_sharing_tracker(
      input chandle model, output sharing_tracker_request_t request);

  // sm_dueling
  localparam bit [63:0] GM_SM_DUELING_ACCESS = 0;  // op: of SM sm (0 or 1); miss: missed or bypassed
  localparam bit [63:0] GM_SM_DUELING_ADVANCE = 1;  // op: amount cycles or accesses elapse; the end of a sampling interval decides
  localparam bit [63:0] GM_SM_DUELING_RESTART = 2;  // op: as after the reset: a sampling interval begins, conventional; 3: likewise

  typedef struct packed {
    bit [63:0] op;  // width 2: ACCESS, ADVANCE, RESTART
    bit [63:0] sm;  // width 1: ACCESS: 0 of SM0, 1 of SM1
    bit [63:0] miss;  // width 1: ACCESS: it missed; a bypass is a miss
    bit [63:0] amount;  // width IntervalW: ADVANCE: cycles or accesses that pass
  } sm_dueling_request_t;

  typedef struct packed {
    bit [63:0] decided;  // width 1: ADVANCE: a sampling interval ended with accesses of both SMs
    bit [63:0] decoupled;  // width 1: all: what is decided from now on: the decoupled L1D
    bit [63:0] sampling;  // width 1: all: from now on the interval is a sampling one
    bit [63:0] left;  // width IntervalW: all: cycles or accesses until the interval ends
  } sm_dueling_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_sm_dueling(
      input chandle model, input sm_dueling_request_t request,
      output sm_dueling_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_sm_dueling(
      input chandle model, output sm_dueling_request_t request);

  // stream_gate
  localparam bit [63:0] GM_STREAM_GATE_ACCESS = 0;  // op: counts an access
  localparam bit [63:0] GM_STREAM_GATE_PERIOD = 1;  // op: a period ends: decides, and counts from 0 again
  localparam bit [63:0] GM_STREAM_GATE_RESTART = 2;  // op: as after the reset; 3: likewise

  typedef struct packed {
    bit [63:0] op;  // width 2: ACCESS, PERIOD, RESTART
    bit [63:0] miss;  // width 1: ACCESS: it misses
    bit [63:0] hot;  // width 1: PERIOD: warps contend for the cache, which stays open
  } stream_gate_request_t;

  typedef struct packed {
    bit [63:0] closed;  // width 1: all: accesses bypass the cache from now on
    bit [63:0] accesses;  // width CountW: ACCESS: of the period so far; PERIOD: of the one that ends
    bit [63:0] misses;  // width CountW: the misses among them; both are 0 after RESTART
  } stream_gate_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_stream_gate(
      input chandle model, input stream_gate_request_t request,
      output stream_gate_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_stream_gate(
      input chandle model, output stream_gate_request_t request);

  // tag_store
  localparam bit [63:0] GM_TAG_STORE_PROBE = 0;  // op: an access to line with the permissions may_miss and may_bypass
  localparam bit [63:0] GM_TAG_STORE_FILL = 1;  // op: the data of the MISS that got position arrived: one FILL for each MISS
  localparam bit [63:0] GM_TAG_STORE_WRITE = 2;  // op: a store to global memory: write-evict, no-allocate
  localparam bit [63:0] GM_TAG_STORE_INVALIDATE = 3;  // op: frees the entry of the line; marks a line that waits dead
  localparam bit [63:0] GM_TAG_STORE_FLUSH = 4;  // op: INVALIDATE of every line; 5 to 7: likewise
  localparam bit [63:0] GM_TAG_STORE_HIT = 0;  // outcome: the data line is valid
  localparam bit [63:0] GM_TAG_STORE_HIT_PENDING = 1;  // outcome: the line waits for its FILL; needs may_miss
  localparam bit [63:0] GM_TAG_STORE_MISS = 2;  // outcome: the line gets position, and waits; needs may_miss
  localparam bit [63:0] GM_TAG_STORE_BYPASS = 3;  // outcome: the line gets no data line; needs may_bypass
  localparam bit [63:0] GM_TAG_STORE_RESERVATION_FAIL = 4;  // outcome: nothing changed; reason says why
  localparam bit [63:0] GM_TAG_STORE_FAIL_LINE = 0;  // reason: all data lines of the set wait
  localparam bit [63:0] GM_TAG_STORE_FAIL_MISS = 1;  // reason: may_miss is 0
  localparam bit [63:0] GM_TAG_STORE_FAIL_BYPASS = 2;  // reason: may_bypass is 0

  typedef struct packed {
    bit [63:0] op;  // width 3: PROBE, FILL, WRITE, INVALIDATE, FLUSH
    bit [63:0] line;  // width LineW: all but FLUSH: line address
    bit [63:0] position;  // width PositionW: FILL: data line
    bit [63:0] may_miss;  // width 1: PROBE: MSHRs and miss queue can take it: a MISS or HIT_PENDING may be
    bit [63:0] may_bypass;  // width 1: PROBE: the bypass path can take it: a BYPASS may be
    bit [63:0] conventional;  // width 1: PROBE: the threshold counts as 0 [li, 4.3]
    bit [63:0] signature;  // width SignatureW: PROBE: the line's, for SHIP
  } tag_store_request_t;

  typedef struct packed {
    bit [63:0] outcome;  // width 3: PROBE: HIT, HIT_PENDING, MISS, BYPASS, RESERVATION_FAIL
    bit [63:0] reason;  // width 2: RESERVATION_FAIL: LINE, MISS, BYPASS, tested in this order
    bit [63:0] index;  // width IndexW: all but FLUSH: set of the line
    bit [63:0] position;  // width PositionW: HIT, HIT_PENDING, MISS: data line; FILL without error: the same
    bit [63:0] evicted;  // width 1: a data line that did not wait was given up, by PROBE, WRITE, INVALIDATE
    bit [63:0] evicted_line;  // width LineW: evicted: its line address
    bit [63:0] evicted_position;  // width PositionW: evicted: where it was
    bit [63:0] dead;  // width 1: HIT_PENDING: the line is dead; WRITE, INVALIDATE: it waits and is dead now
    bit [63:0] dropped;  // width 1: FILL: the line was dead; its entry and data line are free now
    bit [63:0] error;  // width 1: FILL: no entry of this line waits at this position; nothing changes
    bit [63:0] rc;  // width RcW: HIT, HIT_PENDING of a line not dead, MISS, BYPASS: RC of the entry after it
    bit [63:0] replaced;  // width 1: MISS, BYPASS: no entry was free, one in use gave way
    bit [63:0] tie;  // width 1: replaced: another candidate had the same RC
    bit [63:0] saturated;  // width 1: MISS, BYPASS with a match: RC was at its maximum already
    bit [63:0] aged;  // width 1: some entry's RC went down by age
    bit [63:0] emptied;  // width 1: some entry's RC went down to 0 by age
    bit [63:0] distant;  // width 1: MISS, SHIP: the signature has no reuse; RRPV is its maximum
  } tag_store_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_tag_store(
      input chandle model, input tag_store_request_t request,
      output tag_store_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_tag_store(
      input chandle model, output tag_store_request_t request);

  // tc_l1
  localparam bit [63:0] GM_TC_L1_LOAD = 0;  // op: hits an unexpired copy; else merges, or sends a GETS
  localparam bit [63:0] GM_TC_L1_STORE = 1;  // op: writes an unexpired copy and sends an UPGR; else a GETX
  localparam bit [63:0] GM_TC_L1_ATOMIC = 2;  // op: atomic or reduction: drops the copy, sends an ATOMIC
  localparam bit [63:0] GM_TC_L1_BYPASS = 3;  // op: load that bypasses: drops the copy, sends a GETS
  localparam bit [63:0] GM_TC_L1_FILL = 4;  // op: DATA of a GETS: installs under an open entry and a lease
  localparam bit [63:0] GM_TC_L1_ACK = 5;  // op: ACK of an UPGR, with or without a new lease
  localparam bit [63:0] GM_TC_L1_DATA_G = 6;  // op: DATA-G of an UPGR: the line, a GWCT and a lease
  localparam bit [63:0] GM_TC_L1_EVICT = 7;  // op: the slot is wanted for another line
  localparam bit [63:0] GM_TC_L1_FLUSH = 8;  // op: rollover, host copy: drops all copies; 9 to 15: likewise
  localparam bit [63:0] GM_TC_L1_NONE = 0;  // message: nothing is sent
  localparam bit [63:0] GM_TC_L1_GETS = 1;  // message: a read, in a new MSHR entry
  localparam bit [63:0] GM_TC_L1_MERGE = 2;  // message: the load joins the line's open MSHR entry
  localparam bit [63:0] GM_TC_L1_GETX = 3;  // message: a write of a line without a copy
  localparam bit [63:0] GM_TC_L1_UPGR = 4;  // message: a write of a line with a copy, with its lease
  localparam bit [63:0] GM_TC_L1_ATOMIC_MESSAGE = 5;  // message: an atomic or reduction
  localparam bit [63:0] GM_TC_L1_I = 0;  // was: no copy, or an expired one
  localparam bit [63:0] GM_TC_L1_V = 1;  // was: an unexpired copy
  localparam bit [63:0] GM_TC_L1_V_M = 2;  // was: an unexpired copy, UPGRs without an answer
  localparam bit [63:0] GM_TC_L1_I_I = 3;  // was: no unexpired copy, UPGRs without an answer

  typedef struct packed {
    bit [63:0] op;  // width 4: LOAD, STORE, ATOMIC, BYPASS, FILL, ACK, DATA_G, EVICT, FLUSH
    bit [63:0] slot;  // width SlotW: all but FLUSH: the slot
    bit [63:0] present;  // width 1: all but EVICT, FLUSH: the slot holds the line
    bit [63:0] open;  // width 1: LOAD, STORE, ATOMIC, BYPASS: an MSHR entry of the line is open; FILL: its own is
    bit [63:0] lease_given;  // width 1: FILL, ACK: the answer carries a lease
    bit [63:0] timestamp;  // width TimeW: FILL, ACK, DATA_G: the lease [core cycles]
    bit [63:0] visible;  // width TimeW: FILL: the line's GWCT; ACK, DATA_G: the write's GWCT; 0: none
    bit [63:0] now;  // width TimeW: all but EVICT, FLUSH: the time [core cycles]
  } tc_l1_request_t;

  typedef struct packed {
    bit [63:0] hit;  // width 1: LOAD: the copy answers it; STORE: it writes the copy
    bit [63:0] expired;  // width 1: LOAD that sends a GETS: the lease of the line's copy is past
    bit [63:0] message;  // width 3: LOAD, STORE, ATOMIC, BYPASS: NONE, GETS, MERGE, GETX, UPGR, ATOMIC
    bit [63:0] timestamp;  // width TimeW: UPGR: the copy's lease
    bit [63:0] visible;  // width TimeW: LOAD that hits: the line's GWCT
    bit [63:0] install;  // width 1: FILL, DATA_G: the data go into the slot
    bit [63:0] close;  // width 1: STORE, ATOMIC, BYPASS: the line's open MSHR entry takes no more loads
    bit [63:0] keep;  // width 1: EVICT: UPGRs are without an answer; the slot is no victim, nothing changes
    bit [63:0] refused;  // width 1: STORE: the count of UPGRs is at its limit; nothing changes
    bit [63:0] error;  // width 1: FILL, ACK, DATA_G that cannot be; nothing changes
    bit [63:0] was;  // width 2: all but EVICT, FLUSH: I, V, V_M, I_I, before the operation
  } tc_l1_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_tc_l1(
      input chandle model, input tc_l1_request_t request,
      output tc_l1_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_tc_l1(
      input chandle model, output tc_l1_request_t request);

  // tc_l2
  localparam bit [63:0] GM_TC_L2_GETS = 0;  // op: a load
  localparam bit [63:0] GM_TC_L2_GETX = 1;  // op: a store of an SM without an unexpired copy
  localparam bit [63:0] GM_TC_L2_UPGR = 2;  // op: a store of an SM that has written its copy
  localparam bit [63:0] GM_TC_L2_ATOMIC = 3;  // op: an atomic or reduction
  localparam bit [63:0] GM_TC_L2_INSTALL = 4;  // op: the line's data have come from memory
  localparam bit [63:0] GM_TC_L2_EVICT = 5;  // op: the slot is wanted for another line; changes nothing
  localparam bit [63:0] GM_TC_L2_ROLLOVER = 6;  // op: time begins anew: no line has a lease; 7: likewise
  localparam bit [63:0] GM_TC_L2_NONE = 0;  // answer: INSTALL, EVICT, ROLLOVER
  localparam bit [63:0] GM_TC_L2_DATA = 1;  // answer: the line, or an atomic's old values
  localparam bit [63:0] GM_TC_L2_ACK = 2;  // answer: the write is visible to every SM
  localparam bit [63:0] GM_TC_L2_ACK_G = 3;  // answer: the write is visible when gwct is past
  localparam bit [63:0] GM_TC_L2_DATA_G = 4;  // answer: ACK_G with the line, or with an atomic's old values
  localparam bit [63:0] GM_TC_L2_WAIT = 5;  // answer: TC-Strong: nothing changed; again in cycle earliest
  localparam bit [63:0] GM_TC_L2_E = 0;  // was: no unexpired lease
  localparam bit [63:0] GM_TC_L2_P = 1;  // was: one reader, or written since it was read
  localparam bit [63:0] GM_TC_L2_S = 2;  // was: several readers
  localparam bit [63:0] GM_TC_L2_NO_READER = 0;  // readers: not read since it was installed
  localparam bit [63:0] GM_TC_L2_PRIVATE = 1;  // readers: P while the lease is unexpired
  localparam bit [63:0] GM_TC_L2_SHARED = 2;  // readers: S while the lease is unexpired

  typedef struct packed {
    bit [63:0] op;  // width 3: GETS, GETX, UPGR, ATOMIC, INSTALL, EVICT, ROLLOVER
    bit [63:0] slot;  // width SlotW: all but ROLLOVER: the slot, which holds the line
    bit [63:0] sm;  // width SmW: GETS, UPGR: the requester
    bit [63:0] no_lease;  // width 1: GETS: of a load that bypasses the L1; changes nothing
    bit [63:0] timestamp;  // width TimeW: UPGR: the lease of the L1's copy [core cycles]
    bit [63:0] now;  // width TimeW: all but INSTALL, ROLLOVER: the time [core cycles]
    bit [63:0] life;  // width TimeW: GETS: the predicted lifetime [core cycles]
    bit [63:0] kept;  // width 1: INSTALL: a lease was kept when the line was evicted
    bit [63:0] kept_lease;  // width TimeW: INSTALL: that lease [core cycles]
    bit [63:0] write;  // width 1: INSTALL: the line was fetched for a write or an atomic
  } tc_l2_request_t;

  typedef struct packed {
    bit [63:0] answer;  // width 3: GETS, GETX, UPGR, ATOMIC: DATA, ACK, ACK_G, DATA_G, WAIT
    bit [63:0] lease_given;  // width 1: the answer carries a lease (with ACK: L)
    bit [63:0] lease;  // width TimeW: lease_given, and EVICT that keeps: the lease [core cycles]
    bit [63:0] gwct;  // width TimeW: ACK_G, DATA_G: the time by which the write is visible [core cycles]
    bit [63:0] visible;  // width TimeW: DATA: the largest GWCT of the line's writes
    bit [63:0] was;  // width 2: GETS, GETX, UPGR, ATOMIC, EVICT: E, P, S, before the operation
    bit [63:0] is_private;  // width 1: UPGR: a private write
    bit [63:0] earliest;  // width TimeW: WAIT: the cycle from which the write can be done
    bit [63:0] keep;  // width 1: EVICT: the lease is unexpired, and must be stored
  } tc_l2_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_tc_l2(
      input chandle model, input tc_l2_request_t request,
      output tc_l2_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_tc_l2(
      input chandle model, output tc_l2_request_t request);

  // victim_tags
  localparam bit [63:0] GM_VICTIM_TAGS_INSERT = 0;  // op: a line that the warp took is replaced
  localparam bit [63:0] GM_VICTIM_TAGS_PROBE = 1;  // op: a load of the warp misses
  localparam bit [63:0] GM_VICTIM_TAGS_CLEAR = 2;  // op: a new warp: it has no tags
  localparam bit [63:0] GM_VICTIM_TAGS_RESTART = 3;  // op: no warp has tags, as after the reset

  typedef struct packed {
    bit [63:0] op;  // width 2: INSERT, PROBE, CLEAR, RESTART
    bit [63:0] warp;  // width WarpW: all but RESTART: the warp
    bit [63:0] line;  // width LineW: INSERT, PROBE: line address
  } victim_tags_request_t;

  typedef struct packed {
    bit [63:0] found;  // width 1: INSERT, PROBE: the warp's tags have the line
    bit [63:0] replaced;  // width 1: INSERT: the set was full and lost its oldest tag
  } victim_tags_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_victim_tags(
      input chandle model, input victim_tags_request_t request,
      output victim_tags_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_victim_tags(
      input chandle model, output victim_tags_request_t request);

  // warp_limiter
  localparam bit [63:0] GM_WARP_LIMITER_KEEP = 0;  // sets: the limit stays
  localparam bit [63:0] GM_WARP_LIMITER_SET = 1;  // sets: limit becomes the limit

  typedef struct packed {
    bit [63:0] admit;  // width Warps: warps that become the youngest, of these lower numbers the older, and count
    bit [63:0] resume;  // width Warps: warps that count from now on
    bit [63:0] hold;  // width Warps: warps that do not, even if admitted or resumed
    bit [63:0] sets;  // width 1: KEEP, SET
    bit [63:0] limit;  // width LimitW: SET: number of warps that may issue, 0 to 2^LimitW - 1
  } warp_limiter_request_t;

  typedef struct packed {
    bit [63:0] allowed;  // width Warps: warps that may issue: fewer than the limit of those that count are older
  } warp_limiter_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_warp_limiter(
      input chandle model, input warp_limiter_request_t request,
      output warp_limiter_response_t response);
  // The next random request of lockstep's stimulus (gm_dpi_seed).
  import "DPI-C" function int gm_dpi_next_warp_limiter(
      input chandle model, output warp_limiter_request_t request);

endpackage

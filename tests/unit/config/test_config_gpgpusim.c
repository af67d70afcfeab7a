/* Configurations of GPGPU-Sim: what each option becomes, what is refused and how, and the file of
 * the reference counts. */
#include "config/config_gpgpusim.h"
#include "support/config/gpgpusim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BANKS                                                                                      \
    "-gpgpu_n_sub_partition_per_mchannel (neighbouring L2 lines lie in different banks; no bit "   \
    "of -gpgpu_mem_addr_mapping chooses)\n"
#define HASH                                                                                       \
    "-gpgpu_memory_partition_indexing (partitions take turns, by the bits of "                     \
    "-gpgpu_mem_addr_mapping without a hash)\n"
#define MERGE "MSHRs merge by line: l2.merge_by=sector needs sm.coalesce=sector"
#define PARTS "several stores make no sector whole: l2.dirty=parts needs sm.coalesce=sector"
#define BYPASSED                                                                                   \
    "sm.atomic_passes=yes", "sm.atomic_wait=yes", "sm.coalesce_bypassed=sector",                   \
        "sm.coalesce_narrow=yes"
#define KEPT    "l1.keep_bypassed=yes", "l1.bypass_early=yes", "l1.load_places=2"
#define KERNELS "gpu.cta_paced=yes", "gpu.kernel_end=answered"
#define FENCES  "sm.fence=registers", "l1.fence_drops=yes", KERNELS, "memory.local_map=ctas"
#define LAZY    "a store miss fetches at once, not at a later read"

/* A file, assignments that make the same configuration from the defaults, and what is told. */
static const test_gpgpusim_row options[] = {
    {"-gpgpu_n_clusters 20\n-gpgpu_n_cores_per_cluster 4\n", {"gpu.sms=80"}, NULL},
    {"-gpgpu_n_cores_per_cluster 2 -gpgpu_n_clusters 10", {"gpu.sms=20"}, NULL},
    {"-gpgpu_shader_core_pipeline 2048:32", {"sm.threads=2048", "sm.warps=64"}, NULL},
    {"-gpgpu_shader_core_pipeline 1000:32", {"sm.threads=1000", "sm.warps=32"}, NULL},
    {"-gpgpu_shader_cta 32", {"sm.ctas=32"}, NULL},
    {"-gpgpu_shader_registers 65536", {"sm.registers=65536"}, NULL},
    {"-gpgpu_shmem_size 98304", {"sm.shared_bytes=96KB"}, NULL},
    {"-gpgpu_shmem_num_banks 16", {"sm.shared_banks=16"}, NULL},
    {"-gpgpu_perf_sim_memcpy 1", {"l2.copy_fills=yes"}, NULL},
    {"-gpgpu_perf_sim_memcpy 0", {"l2.copy_fills=no"}, NULL},
    {"-gpgpu_flush_l1_cache 0", {"l1.flush=no"}, NULL},
    /* kernels at once: the window of Accel-Sim's reader of traces */
    {"-gpgpu_max_concurrent_kernel 128", {NULL}, NULL},
    {"-gpgpu_concurrent_kernel_sm 0 -gpgpu_max_concurrent_kernel 128", {NULL}, NULL},
    {"-gpgpu_concurrent_kernel_sm 1", {"gpu.kernels=32", "gpu.kernels_share_sm=yes"}, NULL},
    {"-gpgpu_max_concurrent_kernel 5 -gpgpu_concurrent_kernel_sm 1",
     {"gpu.kernels=5", "gpu.kernels_share_sm=yes"},
     NULL},
    {"-gpgpu_concurrent_kernel_sm 1 -gpgpu_max_concurrent_kernel 999",
     {"gpu.kernels=256", "gpu.kernels_share_sm=yes"},
     "-gpgpu_max_concurrent_kernel (gpu.kernels is 256, the most that it can be)\n"},
    {"-gpgpu_n_mem 8", {"memory.partitions=8"}, NULL},
    {"-gpgpu_n_sub_partition_per_mchannel 2", {"memory.banks=2"}, BANKS},
    {"-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_n_sub_partition_per_mchannel 1", {NULL}, NULL},
    /* the lowest bank bit of QV100 and RTX3070, of the two lowest of four banks, and of banks
     * that lie apart or below the line's offset; the order of options does not matter */
    {"-gpgpu_n_sub_partition_per_mchannel 2 "
     "-gpgpu_mem_addr_mapping dramid@8;RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS",
     {"memory.banks=2", "memory.interleave=256", "memory.bank_interleave=256", "dram.row=2KB",
      "dram.low_banks=2", "dram.rows=8192"},
     NULL},
    {"-gpgpu_mem_addr_mapping dramid@8;RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS "
     "-gpgpu_n_sub_partition_per_mchannel 2",
     {"memory.banks=2", "memory.interleave=256", "memory.bank_interleave=128", "dram.row=2KB",
      "dram.rows=8192", "dram.low_banks=2", "dram.low_bytes=128"},
     NULL},
    {"-gpgpu_n_sub_partition_per_mchannel 4 "
     "-gpgpu_mem_addr_mapping dramid@8;RRRR.RRRRRRRR.RBBCCCBB.CCCSSSSS",
     {"memory.banks=4", "memory.interleave=256", "memory.bank_interleave=256", "dram.row=2KB",
      "dram.low_banks=4", "dram.rows=8192"},
     NULL},
    {"-gpgpu_n_sub_partition_per_mchannel 4 "
     "-gpgpu_mem_addr_mapping dramid@8;RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS",
     {"memory.banks=4", "memory.interleave=256", "dram.row=2KB", "dram.low_banks=2",
      "dram.rows=8192"},
     BANKS},
    {"-gpgpu_n_sub_partition_per_mchannel 2 "
     "-gpgpu_mem_addr_mapping dramid@8;RRRR.RRRRRRRR.RBBBCCCC.CBCSSSSS",
     {"memory.banks=2", "memory.interleave=256", "dram.row=2KB", "dram.rows=8192"},
     BANKS},
    {"-gpgpu_memory_partition_indexing 0", {NULL}, NULL},
    {"-gpgpu_memory_partition_indexing 1 -gpgpu_n_mem 8",
     {"memory.partition_index=xor", "memory.partitions=8"},
     NULL},
    {"-gpgpu_memory_partition_indexing 2", {"memory.partition_index=ipoly"}, NULL},
    {"-gpgpu_memory_partition_indexing 2 -gpgpu_memory_partition_indexing 4", {NULL}, HASH},
    {"-gpgpu_memory_partition_indexing 4 -gpgpu_memory_partition_indexing 2",
     {"memory.partition_index=ipoly"},
     NULL},
    {"-gpgpu_gmem_skip_L1D 0", {NULL}, NULL},
    {"-gpgpu_gmem_skip_L1D 1",
     {"l1.enabled=no"},
     "-gpgpu_gmem_skip_L1D (local accesses bypass the L1 as well)\n"},
    /* 6 burst and 6 column bits: rows of 4 KB; then 6 and 8 of 16 KB */
    {"-gpgpu_mem_addr_mapping "
     "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS",
     {"memory.interleave=256", "dram.row=4KB", "dram.low_banks=2", "dram.rows=4096"},
     NULL},
    {"-gpgpu_mem_addr_mapping dramid@10;RRRRBBBBCCCCCCCCSSSSSS",
     {"memory.interleave=1KB", "dram.row=16KB", "dram.rows=16"},
     NULL},
    /* bank bits that do not lie on the interleave are taken for the highest */
    {"-gpgpu_mem_addr_mapping dramid@8;RRRR.BBCCCBBC.CCSSSSSS",
     {"memory.interleave=256", "dram.rows=16"},
     NULL},
    {"-gpgpu_mem_addr_mapping dramid@8;RRRRRRBB.CCCCCCBB.CCSSSSSS",
     {"memory.interleave=256", "dram.row=16KB", "dram.low_banks=4", "dram.rows=64"},
     NULL},
    /* L1: version 3.2.0, 3.2.1, and 4 */
    {"-gpgpu_cache:dl1 64:128:6,L:L:m:N,A:32:8,8", {"l1.size=48KB", "l1.ways=6"}, NULL},
    {"-gpgpu_cache:dl1 N:32:128:4,L:L:f:N:L,S:64:5,7",
     {"l1.allocation=on_fill", "l1.mshrs=64", "l1.merges=5", "l1.miss_queue=7"},
     NULL},
    {"-gpgpu_cache:dl1 N:32:128:4,L:L:s:N:L", {"l1.allocation=streaming"}, NULL},
    {"-gpgpu_l1_banks 4 -gpgpu_l1_banks_byte_interleaving 64 -gpgpu_l1_banks_hashing_function 1",
     {"l1.banks=4", "l1.bank_interleave=64", "l1.bank_index=xor"},
     NULL},
    {"-gpgpu_l1_banks_hashing_function 2",
     {"l1.bank_index=linear"},
     "-gpgpu_l1_banks_hashing_function (the L1's banks take turns (linear))\n"},
    /* memory that L1 and shared memory divide: in KB, options in any order, before or after */
    {"-gpgpu_shmem_option 96,0,8,8 -gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 128 "
     "-gpgpu_cache:dl1 N:4:128:64,L:L:m:N:L",
     {"l1.size=32KB", "l1.ways=64", "l1.unified=128KB", "l1.shared_options=0,8KB,96KB"},
     NULL},
    {"-gpgpu_shmem_option 0,96 -gpgpu_adaptive_cache_config 0 -gpgpu_unified_l1d_size 128 "
     "-gpgpu_cache:dl1 N:4:128:64,L:L:m:N:L",
     {"l1.size=32KB", "l1.ways=64"},
     NULL},
    {"-gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 128 -gpgpu_cache:dl1 none",
     {"l1.enabled=no"},
     NULL},
    {"-gpgpu_adaptive_cache_config 1 -gpgpu_cache:dl1 N:32:128:4,L:L:m:N:L",
     {NULL},
     "-gpgpu_adaptive_cache_config (the L1 keeps the size of -gpgpu_cache:dl1: there is no "
     "-gpgpu_unified_l1d_size)\n"},
    {"-gpgpu_cache:dl1 64:128:6,L:L:m:N:H,A:128:8,16", /* Pascal's P100 */
     {"l1.size=48KB", "l1.ways=6", "l1.index=fermi", "l1.mshrs=128", "l1.miss_queue=16"},
     NULL},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N:H,A:32:8,8", {"l1.index=fermi"}, NULL},
    {"-gpgpu_cache:dl1 N:32:128:4,F:L:m:N:P,A:32:8,8",
     {"l1.index=ipoly:37", "l1.replacement=fifo"},
     NULL},
    {"-gpgpu_cache:dl1 N:64:128:4,L:L:m:N:P", {"l1.size=32KB", "l1.index=ipoly:67"}, NULL},
    {"-gpgpu_cache:dl1 N:16:128:8,L:L:m:N:P", {"l1.ways=8", "l1.index=ipoly:19"}, NULL},
    {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:X", {"l1.index=xor"}, NULL},
    {"-gpgpu_cache:dl1 N:1:128:128,L:L:m:N:H", {"l1.ways=128"}, NULL}, /* no index */
    {"-gpgpu_cache:dl1 N:32:128:4,L:T:m:N:L",                          /* through */
     {"l1.global_write=through", "l1.local_write=through"},
     NULL},
    {"-gpgpu_cache:dl1 N:32:128:4,L:E:m:N:L", {"l1.local_write=evict"}, NULL},
    {"-gpgpu_cache:dl1 N:32:128:4,L:B:m:W:L",
     {"l1.global_write=back", "l1.global_allocate=yes", "l1.local_allocate=yes"},
     NULL},
    /* the V100 of Accel-Sim: 4 sets * 128 bytes * 64 ways = 32 KB */
    {"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32",
     {"l1.size=32KB", "l1.ways=64", "l1.sectored=yes", "l1.global_write=through",
      "l1.local_write=through", "l1.global_allocate=yes", "l1.local_allocate=yes", "l1.mshrs=512",
      "l1.miss_queue=16", "l1.merge_by=sector", "l1.fetch_on_write=lazy"},
     "-gpgpu_cache:dl1 (l1 data have no port of 32 bytes: tags alone limit a cycle)\n"},
    {"-gpgpu_cache:dl1 S:32:128:4,L:T:m:L:L",
     {"l1.sectored=yes", "l1.global_write=through", "l1.local_write=through",
      "l1.global_allocate=yes", "l1.local_allocate=yes", "l1.merge_by=sector",
      "l1.fetch_on_write=lazy"},
     NULL},
    {"-gpgpu_cache:dl1 N:32:128:4,L:B:m:L:L",
     {"l1.global_write=back", "l1.global_allocate=yes", "l1.local_allocate=yes"},
     "-gpgpu_cache:dl1 (" LAZY ")\n"},
    {"-gpgpu_cache:dl1 none", {"l1.enabled=no"}, NULL},
    {"-gpgpu_cache:dl1 none -gpgpu_cache:dl1 32:128:4,L:L:m:N", {NULL}, NULL}, /* last wins */
    /* L2: of one bank, times 6 partitions of the defaults or as given, before or after */
    {"-gpgpu_cache:dl2 64:128:8,L:B:m:W,A:32:4,4:0,32",
     {"l2.size=384KB", "l2.ways=8", "l2.fetch_on_write=through", "l2.port=32",
      "l2.answer_beside=yes", BYPASSED, KEPT, FENCES},
     NULL},
    {"-gpgpu_local_mem_map 0 -gpgpu_cache:dl2 64:128:8,L:B:m:W,A:32:4,4:0,128",
     {"l2.size=384KB", "l2.ways=8", "l2.fetch_on_write=through", "l2.answer_beside=yes", BYPASSED,
      KEPT, "sm.fence=registers", "l1.fence_drops=yes", KERNELS},
     NULL},
    /* a port of a line limits nothing */
    {"-gpgpu_cache:dl2 64:128:8,L:B:m:W,A:32:4,4:0,128",
     {"l2.size=384KB", "l2.ways=8", "l2.fetch_on_write=through", "l2.answer_beside=yes", BYPASSED,
      KEPT, FENCES},
     NULL},
    {"-gpgpu_cache:dl2 N:32:128:16,L:B:m:F:P,A:32:4,4:0,32 -gpgpu_n_mem 8 "
     "-gpgpu_n_sub_partition_per_mchannel 2",
     {"l2.size=1MB", "memory.partitions=8", "memory.banks=2", "l2.index=ipoly:37",
      "l2.fetch_on_write=partial", "l2.port=32", "l2.answer_beside=yes", BYPASSED, KEPT, FENCES},
     BANKS},
    /* Tesla's: 16 sets * 256 bytes * 8 ways * 8 partitions * 1; no L1 is none there */
    {"-gpgpu_n_mem 8\n-gpgpu_cache:dl2 16:256:8,L:B:m:W:L,A:16:4,4",
     {"l2.size=256KB", "l2.ways=8", "l2.line=256", "l2.fetch_on_write=through", "l2.mshrs=16",
      "memory.partitions=8", "l1.line=256", "l1.enabled=no", "l2.answer_beside=yes", BYPASSED,
      "sm.fence=registers", KERNELS, "memory.local_map=ctas"},
     "-gpgpu_cache:dl2 (there is no L1 (no -gpgpu_cache:dl1), and requests are coalesced to "
     "l1.line, the L2's line)\n"},
    {"-gpgpu_n_mem 32 -gpgpu_n_sub_partition_per_mchannel 2 "
     "-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32", /* V100: 6 MB */
     {"l2.size=6MB", "l2.ways=24", "l2.sectored=yes", "l2.index=ipoly:37", "l2.fetch_on_write=lazy",
      "memory.partitions=32", "memory.banks=2", "l2.mshrs=192", "l2.port=32",
      "l2.answer_beside=yes", BYPASSED, KEPT, FENCES},
     BANKS "-gpgpu_cache:dl2 (" MERGE ")\n-gpgpu_cache:dl2 (" PARTS ")\n"},
    {"-gpgpu_cache:dl2 N:64:128:8,L:B:m:L:L",
     {"l2.size=384KB", "l2.ways=8", "l2.fetch_on_write=partial", "l2.answer_beside=yes", BYPASSED,
      KEPT, FENCES},
     "-gpgpu_cache:dl2 (" LAZY ")\n"},
    /* not taken: with a value, without, with several; numbers below 0 are values */
    {"-gpgpu_n_mem 6\n-gpgpu_coalesce_arch 13 # why\n-gpgpu_deadlock_detect\n-l2_ideal -1 2 \"x "
     "y\"\n-b\n",
     {"sm.descending=yes"},
     "-gpgpu_coalesce_arch (the lanes of a whole warp are coalesced, not those of "
     "half-warps)\n-gpgpu_deadlock_detect\n-l2_ideal (the L2 misses)\n-b ?\n"},
    /* as goldmem does; the last counts */
    {"-gpgpu_n_mem 6 -gpgpu_coalesce_arch 20 -gpgpu_l1_banks 1 -gpgpu_l1_banks_hashing_function 0 "
     "-l2_ideal 1 -l2_ideal 0 -gpgpu_num_sfu_units 1 -gpgpu_num_int_units 0",
     {"sm.descending=yes"},
     NULL},
    /* as another option says: as many units as schedulers, before or after it */
    {"-gpgpu_num_sp_units 4\n-gpgpu_num_sched_per_core 4\n-gpgpu_num_int_units 2\n"
     "-gpgpu_num_dp_units 4\n-gpgpu_num_sfu_units 8\n-gpgpu_num_tensor_core_units 0",
     {"sm.schedulers=4", "unit.integer_units=2", "unit.fp64_units=each", "unit.special_units=each"},
     "-gpgpu_num_sfu_units (a scheduler has one unit at most)\n"},
    /* more units than schedulers: a pool, where collectors have queues of reads and no sub-cores */
    {"-gpgpu_operand_collector_num_units_gen 8\n-gpgpu_num_reg_banks 16\n-gpgpu_num_sfu_units 4\n"
     "-specialized_unit_3 1,9,32,4,4,TENSOR",
     {"sm.collectors=8", "sm.fetch=2", "unit.control=1", "sm.opcode_units=accel_sim",
      "unit.integer_units=0", "sm.drain=4", "sm.turns=occupied", "sm.shared_atomic_passes=no",
      "sm.shared_wide=no", "sm.register_banks=16", "sm.register_queues=yes", "unit.special_units=4",
      "unit.tensor_units=8"},
     "-specialized_unit_3 (unit.tensor_units is 8, the most that it can be)\n"},
    /* sub-cores, whichever option is first: their shares of collectors and register banks */
    {"-gpgpu_sub_core_model 1\n-gpgpu_num_reg_banks 16\n-gpgpu_reg_file_port_throughput 2\n"
     "-gpgpu_operand_collector_num_units_gen 8\n-gpgpu_num_sched_per_core 4\n"
     "-gpgpu_inst_fetch_throughput 4",
     {"sm.subcores=yes", "sm.register_banks=4", "sm.register_reads=2", "sm.register_queues=yes",
      "sm.collectors=8", "sm.schedulers=4", "sm.fetch=2", "sm.fetch_warps=4", "unit.control=1",
      "sm.opcode_units=accel_sim", "unit.integer_units=0", "sm.drain=4", "sm.turns=occupied",
      "sm.shared_atomic_passes=no", "sm.shared_wide=no"},
     NULL},
    {"-gpgpu_sub_core_model 1\n-gpgpu_num_reg_banks 128\n"
     "-gpgpu_operand_collector_num_units_gen 5",
     {"sm.register_banks=64", "sm.register_queues=yes", "sm.collectors=5", "sm.fetch=2",
      "unit.control=1", "sm.opcode_units=accel_sim", "unit.integer_units=0", "sm.drain=4",
      "sm.turns=occupied", "sm.shared_atomic_passes=no", "sm.shared_wide=no"},
     "-gpgpu_sub_core_model (the collectors cannot be divided equally among the schedulers)\n"
     "-gpgpu_num_reg_banks (sm.register_banks is 64, the most that it can be)\n"},
    {"-gpgpu_sub_core_model 1\n-gpgpu_num_reg_banks 16", {NULL}, NULL}, /* no collectors */
    /* more banks than can have queues; no units for double precision, with collectors */
    {"-gpgpu_sub_core_model 1\n-gpgpu_num_reg_banks 66\n-gpgpu_num_dp_units 0\n"
     "-gpgpu_operand_collector_num_units_gen 8",
     {"sm.subcores=yes", "sm.register_banks=33", "sm.special_fp64=yes", "sm.collectors=8",
      "sm.fetch=2", "unit.control=1", "sm.opcode_units=accel_sim", "unit.integer_units=0",
      "sm.drain=4", "sm.turns=occupied", "sm.shared_atomic_passes=no", "sm.shared_wide=no"},
     NULL},
    /* a write port, where all that it needs is given; its cycles are the SM's and the L2's */
    {"-gpgpu_cache:dl2 64:128:8,L:B:m:W,A:32:4,4:0,128 -gpgpu_local_mem_map 0\n"
     "-gpgpu_operand_collector_num_units_gen 8\n-gpgpu_sub_core_model 1\n-gpgpu_smem_latency 24\n"
     "-gpgpu_l1_latency 20\n-gpgpu_l2_rop_latency 160\n-network_mode 2",
     {"l2.size=384KB",
      "l2.ways=8",
      "l2.fetch_on_write=through",
      "l2.answer_beside=yes",
      BYPASSED,
      KEPT,
      "sm.fence=registers",
      "l1.fence_drops=yes",
      KERNELS,
      "sm.collectors=8",
      "sm.fetch=2",
      "unit.control=1",
      "sm.opcode_units=accel_sim",
      "unit.integer_units=0",
      "sm.drain=4",
      "sm.turns=occupied",
      "sm.shared_atomic_passes=no",
      "sm.shared_wide=no",
      "sm.subcores=yes",
      "l1.latency=20",
      "l1.lookup=last",
      "sm.write_port=yes",
      "l1.hit_delay=0",
      "unit.shared=25",
      "l2.latency=161",
      "noc.latency=2",
      "noc.arbitration=series"},
     NULL},
    {"-gpgpu_coalesce_arch 39", {"sm.descending=yes"}, NULL},
    {"-gpgpu_coalesce_arch 40", {"sm.coalesce=sector", "sm.descending=yes"}, NULL},
    /* buffers of the crossbar, not beside an interconnect file */
    {"-icnt_in_buffer_limit 512\n-icnt_out_buffer_limit 2000\n-network_mode 2",
     {"noc.buffer=512", "noc.ejection=1024", "noc.latency=4", "noc.arbitration=series"},
     "-icnt_out_buffer_limit (noc.ejection is 1024, the most that it can be)\n"},
    {"-icnt_in_buffer_limit 512\n-network_mode 1", {NULL}, NULL},
    {"-gpgpu_shmem_sizeDefault 65536 -gpgpu_shmem_size 65536", {"sm.shared_bytes=64KB"}, NULL},
    /* told beside another only, or but for another */
    {"-gpgpu_n_mem 6\n-gpgpu_cache:il1 8:128:4\n-gpgpu_perfect_inst_const_cache 1", {NULL}, NULL},
    {"-gpgpu_n_mem 6\n-gpgpu_cache:il1 8:128:4",
     {NULL},
     "-gpgpu_cache:il1 (instructions are always there; operand collectors would make it the L1I: "
     "l1i.*)\n"},
    /* the instruction cache, unless the file says that instructions are always there */
    {"-gpgpu_cache:il1 N:4:128:4,L:R:f:N:L,A:2:32,4\n-gpgpu_operand_collector_num_units_gen 8",
     {"l1i.size=2KB", "l1i.fetch=behind", "l1i.shared_code=yes", "sm.collectors=8", "sm.fetch=2",
      "sm.drain=4", "sm.turns=occupied", "sm.shared_atomic_passes=no", "sm.shared_wide=no",
      "unit.control=1", "sm.opcode_units=accel_sim", "unit.integer_units=0"},
     NULL},
    {"-gpgpu_cache:il1 N:64:128:16,L:R:f:N:L,S:2:48,4\n-gpgpu_perfect_inst_const_cache 0\n"
     "-gpgpu_operand_collector_num_units_gen 8",
     {"l1i.size=128KB", "l1i.ways=16", "l1i.line=128", "l1i.fetch=behind", "l1i.shared_code=yes",
      "l1i.mshrs=2", "l1i.merges=48", "sm.collectors=8", "sm.fetch=2", "sm.drain=4",
      "sm.turns=occupied", "sm.shared_atomic_passes=no", "sm.shared_wide=no", "unit.control=1",
      "sm.opcode_units=accel_sim", "unit.integer_units=0"},
     "-gpgpu_perfect_inst_const_cache (constants are always there; instructions are fetched "
     "through -gpgpu_cache:il1)\n"},
    {"-gpgpu_cache:il1 none\n-gpgpu_perfect_inst_const_cache 0\n"
     "-gpgpu_operand_collector_num_units_gen 8",
     {"sm.collectors=8", "sm.fetch=2", "sm.drain=4", "sm.turns=occupied",
      "sm.shared_atomic_passes=no", "sm.shared_wide=no", "unit.control=1",
      "sm.opcode_units=accel_sim", "unit.integer_units=0"},
     "-gpgpu_perfect_inst_const_cache (constants are always there; instructions are fetched "
     "through -gpgpu_cache:il1)\n"},
    /* names of which only the beginning is in the table */
    {"-gpgpu_n_mem 6\n-power_trace_zlevel 6\n-gpgpu_ptx_sim_mode 0",
     {NULL},
     "-power_trace_zlevel\n-gpgpu_ptx_sim_mode\n"},
    {"-gpgpu_kernel_launch_latency 5 -ptx_opcode_latency_tesnor 64 -ptx_opcode_initiation_tensor 3",
     {"sm.launch=5", "unit.tensor=64", "unit.tensor_interval=3"},
     NULL},
    {"#-gpgpu_n_mem 3\n   -gpgpu_n_mem\n  #\n  5#x\n", {"memory.partitions=5"}, NULL},
    {"-gpgpu_n_mem \"7\"", {"memory.partitions=7"}, NULL},
    {"-gpgpu_n_mem 3 -gpgpu_n_mem 5", {"memory.partitions=5"}, NULL},
    {"-gpgpu_n_mem 6 -gpgpu_n_memory 7 -gpgpu_n_me 8",
     {NULL},
     "-gpgpu_n_memory ?-gpgpu_n_mem\n-gpgpu_n_me ?-gpgpu_n_mem\n"},
};

static void test_options(void **state)
{
    (void)state;
    test_gpgpusim_rows(options, sizeof options / sizeof options[0]);
}

#define JOINED                                                                                     \
    ": a newline is missing, as where a file without one at its end was joined to another"

static const test_gpgpusim_refusal refusals[] = {
    {"\n-gpgpu_n_mem 0", "g.config:2: -gpgpu_n_mem 0: memory.partitions=0: must be 1 to 1024 "
                         "partitions"},
    {"-gpgpu_cache:il1 S:4:128:4,L:R:f:N:L\n-gpgpu_perfect_inst_const_cache 0\n"
     "-gpgpu_operand_collector_num_units_gen 8",
     "g.config:1: -gpgpu_cache:il1 S:4:128:4,L:R:f:N:L: an instruction cache must be N:...,"
     "L:R:f:N:L"},
    {"-gpgpu_n_mem six", "g.config:1: -gpgpu_n_mem six: must be a number"},
    {"-gpgpu_n_mem -6", "g.config:1: -gpgpu_n_mem -6: must be a number"},
    {"-gpgpu_n_mem 6,5", "g.config:1: -gpgpu_n_mem 6,5: must be a number"},
    {"-gpgpu_n_mem 4294967302", "g.config:1: -gpgpu_n_mem 4294967302: must be a number"},
    {"-gpgpu_n_mem \"\"", "g.config:1: -gpgpu_n_mem : must be a number"},
    {"-gpgpu_n_mem", "g.config:1: -gpgpu_n_mem: has no value"},
    {"\n\n-gpgpu_n_mem\n-x 1", "g.config:3: -gpgpu_n_mem: has no value"},
    {"-gpgpu_n_mem 6 7", "g.config:1: '7': expected an option such as -gpgpu_n_mem"},
    {"6", "g.config:1: '6': expected an option such as -gpgpu_n_mem"},
    {"# x\n- 6", "g.config:2: '-': expected an option such as -gpgpu_n_mem"},
    {"-x 1\n-gpgpu_n_mem \"6\n\n", "g.config:2: a quoted value has no closing '\"'"},
    {"", "g.config: none of its options concerns the memory system"},
    {"-trace_components X\n", "g.config: none of its options concerns the memory system"},
    {"-gpgpu_n_mem 6\n-x \x01", "g.config:2: not text: it has a byte 0x01"},
    {"-gpgpu_n_mem 6\n-gpgpu_n_clusters 15",
     "g.config:2: -gpgpu_n_clusters and -gpgpu_n_cores_per_cluster must be given together"},
    {"-gpgpu_n_cores_per_cluster 15",
     "g.config:1: -gpgpu_n_clusters and -gpgpu_n_cores_per_cluster must be given together"},
    {"-gpgpu_n_cores_per_cluster 64\n-gpgpu_n_clusters 64",
     "g.config:2: -gpgpu_n_clusters (64 * 64): gpu.sms=4096: must be 1 to 1024 SMs"},
    {"-gpgpu_n_sub_partition_per_mchannel 3",
     "g.config:1: -gpgpu_n_sub_partition_per_mchannel 3: memory.banks=3: must be a power of "
     "two, 1 to 64 banks"},
    {"-gpgpu_shader_core_pipeline 1536",
     "g.config:1: -gpgpu_shader_core_pipeline 1536: must be THREADS:WARP_SIZE"},
    {"-gpgpu_shader_core_pipeline 1536:64",
     "g.config:1: -gpgpu_shader_core_pipeline 1536:64: warps must have 32 threads"},
    {"-gpgpu_shader_core_pipeline 1:32",
     "g.config:1: -gpgpu_shader_core_pipeline 1:32: sm.threads=1: must be 32 to 8192 threads"},
    {"-gpgpu_n_mem 24\n-gpgpu_memory_partition_indexing 1\n-gpgpu_n_mem 12",
     "g.config:2: -gpgpu_memory_partition_indexing 1: needs a power of two of -gpgpu_n_mem, not "
     "12"},
    {"-gpgpu_mem_addr_mapping RRRRBBBBCCCC",
     "g.config:1: -gpgpu_mem_addr_mapping RRRRBBBBCCCC: must begin with dramid@BIT;"},
    {"-gpgpu_mem_addr_mapping dramid@8",
     "g.config:1: -gpgpu_mem_addr_mapping dramid@8: must begin with dramid@BIT;"},
    {"-gpgpu_mem_addr_mapping "
     "dramid@8;CBBBBBBBBBBBBBBBB.BBBBBBBBBBBBBBBB.BBBBBBBBBBBBBBBB.BBBBBBBBBBBBBBBB",
     "g.config:1: -gpgpu_mem_addr_mapping "
     "dramid@8;CBBBBBBBBBBBBBBBB.BBBBBBBBBBBBBBBB.BBBBBBBBBBBBBBBB.BBBBBBBBBBBBBBBB: must have 64 "
     "address bits at most"},
    {"-gpgpu_mem_addr_mapping dramid@64;C",
     "g.config:1: -gpgpu_mem_addr_mapping dramid@64;C: must begin with dramid@BIT;"},
    {"-gpgpu_mem_addr_mapping dramid@21;CCCCCCCCCCCC",
     "g.config:1: -gpgpu_mem_addr_mapping dramid@21;CCCCCCCCCCCC: memory.interleave=2097152: "
     "must be a power of two, 32 bytes to 1MB"},
    {"-gpgpu_mem_addr_mapping dramid@8;RX",
     "g.config:1: -gpgpu_mem_addr_mapping dramid@8;RX: address bits must be R, B, C, S or 0"},
    {"-gpgpu_mem_addr_mapping dramid@8;RRBB",
     "g.config:1: -gpgpu_mem_addr_mapping dramid@8;RRBB: must have column bits (C, S)"},
    /* files joined without a newline between them: in a value, a name, a comment */
    {"-gpgpu_n_mem 6-gpgpu_l1_latency 4",
     "g.config:1: '6-gpgpu_l1_latency': an option begins within a word" JOINED},
    {"-gpgpu_n_mem 6\n#-trace_sampling_core 0-trace_opcode_latency_initiation_int 2,2",
     "g.config:2: '0-trace_opcode_latency_initiation_int': an option begins within a word" JOINED},
    {"-gpgpu_n_mem 6\n-gpgpu_l2_rop_latency-gpgpu_l1_latency 4",
     "g.config:2: '-gpgpu_l2_rop_latency-gpgpu_l1_latency': an option begins within a word" JOINED},
    /* cache descriptors, field by field */
    {"-gpgpu_adaptive_cache_config 2",
     "g.config:1: -gpgpu_adaptive_cache_config 2: must be 0 or 1"},
    {"-gpgpu_unified_l1d_size x", "g.config:1: -gpgpu_unified_l1d_size x: must be a number"},
    {"-gpgpu_shmem_option 0,x", "g.config:1: -gpgpu_shmem_option 0,x: must be up to 16 numbers, "
                                "separated by ','"},
    {"-gpgpu_shmem_option 0;8", "g.config:1: -gpgpu_shmem_option 0;8: must be up to 16 numbers, "
                                "separated by ','"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N\n-gpgpu_unified_l1d_size 32768\n"
     "-gpgpu_adaptive_cache_config 1",
     "g.config:3: -gpgpu_adaptive_cache_config 1: l1.unified=33554432: must be 0 bytes to 16MB"},
    {"-gpgpu_cache:dl1 T:32:128:4,L:L:m:N", "g.config:1: -gpgpu_cache:dl1 T:32:128:4,L:L:m:N: "
                                            "must begin with SETS:LINE:WAYS, after N: or S:"},
    {"-gpgpu_cache:dl1 32:128", "g.config:1: -gpgpu_cache:dl1 32:128: must begin with "
                                "SETS:LINE:WAYS, after N: or S:"},
    {"-gpgpu_cache:dl1 33:128:4,L:L:m:N", "g.config:1: -gpgpu_cache:dl1 33:128:4,L:L:m:N: the "
                                          "number of sets must be a power of two, "
                                          "1 to 65536"},
    {"-gpgpu_cache:dl1 32:96:4,L:L:m:N", "g.config:1: -gpgpu_cache:dl1 32:96:4,L:L:m:N: "
                                         "l1.line=96: must be a power of two, 32 bytes to 1KB"},
    {"-gpgpu_cache:dl1 32:128:0,L:L:m:N", "g.config:1: -gpgpu_cache:dl1 32:128:0,L:L:m:N: "
                                          "l1.ways=0: must be 1 to 65536 ways, or full"},
    /* 65536 sets * 1024 bytes * 65536 ways = 2^42 bytes */
    {"-gpgpu_cache:dl1 65536:1024:65536,L:L:m:N",
     "g.config:1: -gpgpu_cache:dl1 65536:1024:65536,L:L:m:N: l1.size=4398046511104: must be 32 "
     "bytes to 1GB, or unbounded"},
    {"-gpgpu_cache:dl1 32:128:4,R:L:m:N", "g.config:1: -gpgpu_cache:dl1 32:128:4,R:L:m:N: the "
                                          "replacement policy must be L or F"},
    {"-gpgpu_cache:dl1 32:128:4,L:Q:m:N", "g.config:1: -gpgpu_cache:dl1 32:128:4,L:Q:m:N: the "
                                          "write policy must be B, T, E or L"},
    {"-gpgpu_cache:dl1 32:128:4,L:R:m:N", "g.config:1: -gpgpu_cache:dl1 32:128:4,L:R:m:N: a "
                                          "data cache cannot be read-only (R)"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:q:N", "g.config:1: -gpgpu_cache:dl1 32:128:4,L:L:q:N: the "
                                          "allocation policy must be m, f or s"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:Q", "g.config:1: -gpgpu_cache:dl1 32:128:4,L:L:m:Q: the "
                                          "write-allocation policy must be N, W, F or L"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:W",
     "g.config:1: -gpgpu_cache:dl1 32:128:4,L:L:m:W: write-evict (E, L) with write-allocate is "
     "not offered"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N:Q", "g.config:1: -gpgpu_cache:dl1 32:128:4,L:L:m:N:Q: "
                                            "the set-index function must be L, X, H or P"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N:C", "g.config:1: -gpgpu_cache:dl1 32:128:4,L:L:m:N:C: a "
                                            "custom set-index function is not offered"},
    {"-gpgpu_cache:dl1 128:128:4,L:L:m:N:H",
     "g.config:1: -gpgpu_cache:dl1 128:128:4,L:L:m:N:H: the hash H is offered for 32 and 64 sets "
     "of 128-byte lines only"},
    {"-gpgpu_cache:dl1 32:64:4,L:L:m:N:H",
     "g.config:1: -gpgpu_cache:dl1 32:64:4,L:L:m:N:H: the hash H is offered for 32 and 64 sets of "
     "128-byte lines only"},
    {"-gpgpu_cache:dl1 8:128:4,L:L:m:N:P",
     "g.config:1: -gpgpu_cache:dl1 8:128:4,L:L:m:N:P: the hash P is offered for 16, 32 and 64 "
     "sets only"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N:L:", "g.config:1: -gpgpu_cache:dl1 32:128:4,L:L:m:N:L:: "
                                             "must end, or go on with ',' and the MSHRs"},
    {"-gpgpu_cache:dl2 none",
     "g.config:1: -gpgpu_cache:dl2 none: there is no memory system without L2 here"},
    {"-gpgpu_cache:dl2 64:128:16,L:T:m:W", "g.config:1: -gpgpu_cache:dl2 64:128:16,L:T:m:W: the "
                                           "L2 must be write-back (B) and write-allocate (W, F "
                                           "or L)"},
    {"-gpgpu_cache:dl2 64:128:16,L:B:m:N", "g.config:1: -gpgpu_cache:dl2 64:128:16,L:B:m:N: the "
                                           "L2 must be write-back (B) and write-allocate (W, F "
                                           "or L)"},
    /* 2^32 bytes in each of 6 banks */
    {"-x 1\n-gpgpu_cache:dl2 65536:128:512,L:B:m:W",
     "g.config:2: -gpgpu_cache:dl2 (4294967296 * 6): l2.size=25769803776: must be 32 bytes to "
     "16GB, or unbounded"},
};

static void test_refuses(void **state)
{
    (void)state;
    test_gpgpusim_refusals(refusals, sizeof refusals / sizeof refusals[0]);
}

/* With its count of what matters or is not known; what is irrelevant is not refused. */
static void test_strict(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* NULL: not refused */
    } rows[] = {
        {"-gpgpu_n_mem 6\n-gpgpu_deadlock_detect 1\n-gpgpu_dram_scheduler 1", NULL},
        {"-gpgpu_n_mem 6\n-gpgpu_dram_scheduler 0",
         "g:2: -gpgpu_dram_scheduler 0: not modelled: FR-FCFS"},
        {"-gpgpu_n_mem 6\n-keep\n-gpgpu_n_mums 6\n-gpgpu_dram_scheduler 0",
         "g:3: -gpgpu_n_mums 6: not an option of GPGPU-Sim; the nearest is -gpgpu_n_mem (and 1 "
         "more)"},
        {"-gpgpu_n_mem 6\n-zork", "g:2: -zork: not an option of GPGPU-Sim"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config;
        gm_import import = {0};
        gm_error error = {0};
        test_ok(test_gpgpusim_read(&config, rows[i].text, &import, &error), error);
        int code = gm_import_refuse(&import, "g", &error);
        assert_int_equal(code, rows[i].message == NULL ? 0 : -EINVAL);
        assert_string_equal(error.text, rows[i].message == NULL ? "" : rows[i].message);
        gm_import_free(&import);
    }
}

/* Options that no table has: as many as are kept, and one more. */
static void test_many_unknown(void **state)
{
    (void)state;
    static char text[16 << 10];
    size_t used = (size_t)snprintf(text, sizeof text, "-gpgpu_n_mem 6\n");
    for (unsigned i = 0; i < 513; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "-zork_zork%u\n", i);
    }
    static const test_gpgpusim_refusal row = {text,
                                              "g.config:514: more than 512 options are not known"};
    test_gpgpusim_refusals(&row, 1);
}

/* A value of 255 characters is read, one of 256 is not. */
static void test_long_value(void **state)
{
    (void)state;
    char text[400];
    gm_config config;
    gm_error error = {0};
    size_t used = (size_t)snprintf(text, sizeof text, "-gpgpu_n_mem %0255d", 7);
    test_ok(test_gpgpusim_read(&config, text, NULL, &error), error);
    assert_int_equal(config.memory.partitions, 7);
    snprintf(text + used, sizeof text - used, "0");
    assert_int_equal(test_gpgpusim_read(&config, text, NULL, &error), -EINVAL);
    assert_string_equal(error.text,
                        "g.config:1: -gpgpu_n_mem: its value is longer than 255 characters");
}

/* A file is told from YAML by its content. */
static void test_told_from_yaml(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* NULL: it is read, and names 3 partitions */
    } rows[] = {
        {"-gpgpu_n_mem 3\n", NULL},
        {"# -x\n\n \t-gpgpu_n_mem 3\n", NULL},
        {"#\n---\nmemory: {partitions: 3}\n", NULL},
        {"memory: {partitions: 3}\n", NULL},
        {"- gpgpu_n_mem 3\n", ":1: a list has no meaning in a configuration"},
        {"--gpgpu_n_mem 3\n", ":1: expected sections with keys, such as l1: {ways: 4}"},
        {"# -gpgpu_n_mem 3\n", ":2: expected sections with keys, such as l1: {ways: 4}"},
        {"", ":1: expected sections with keys, such as l1: {ways: 4}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config;
        gm_error error = {0};
        gm_import import = {0};
        test_folder_make();
        const char *path = test_file_write("c", rows[i].text, strlen(rows[i].text));
        gm_config_defaults(&config);
        int code = gm_config_read(&config, path, &import, &error);
        if (rows[i].message == NULL) {
            test_ok(code, error);
            assert_int_equal(config.memory.partitions, 3);
            assert_string_equal(config.preset.name, path);
        } else {
            assert_int_equal(code, -EINVAL);
            assert_memory_equal(error.text, path, strlen(path));
            assert_string_equal(error.text + strlen(path), rows[i].message);
        }
        gm_import_free(&import);
        test_folder_remove();
    }
}

static void test_unreadable(void **state)
{
    (void)state;
    gm_config config;
    gm_error error = {0};
    gm_config_defaults(&config);
    assert_int_equal(gm_config_read(&config, "/nowhere/c.yaml", NULL, &error), -ENOENT);
    assert_string_equal(error.text, "/nowhere/c.yaml: No such file or directory");
    assert_int_equal(gm_config_read(&config, "/tmp", NULL, &error), -EISDIR);
    assert_string_equal(error.text, "/tmp: Is a directory");
    assert_int_equal(gm_config_read(&config, "/dev/zero", NULL, &error), -EINVAL);
    assert_string_equal(error.text, "/dev/zero: not a configuration: it has 4194304 bytes or more");
}

/* The file of the reference counts: GTX480 with the Fermi hash, host copies that fill the L2, store
 * misses that go on to DRAM, an L1 that looks up last, a slower interconnect with wider flits, a
 * longer DRAM queue and two low banks; else
 * [khairy, Table 1]. Values read from the file by eye. */
static void test_reference(void **state)
{
    (void)state;
    char path[512];
    gm_config config;
    gm_config expected;
    gm_error error = {0};
    gm_import import = {0};
    snprintf(path, sizeof path, "%s/config/gpgpusim.config", test_shared_data("GOLDMEM_REFERENCE"));
    gm_config_defaults(&config);
    test_ok(gm_config_read(&config, path, &import, &error), error);
    test_ok(gm_config_check(&config, &error), error);
    test_ok(gm_config_preset(&expected, "gtx480", &error), error);
    test_ok(gm_config_assign(&expected, "l1.index=fermi", &error), error);
    test_ok(gm_config_assign(&expected, "l1.lookup=last", &error), error);
    test_ok(gm_config_assign(&expected, "l1.hit_delay=1", &error), error);
    test_ok(gm_config_assign(&expected, "l2.copy_fills=yes", &error), error);
    test_ok(gm_config_assign(&expected, "l2.fetch_on_write=through", &error), error);
    test_ok(gm_config_assign(&expected, "l2.port=32", &error), error);
    test_ok(gm_config_assign(&expected, "clock.noc=700", &error), error);
    test_ok(gm_config_assign(&expected, "noc.flit=40", &error), error);
    test_ok(gm_config_assign(&expected, "noc.buffer=64", &error),
            error); /* its interconnect file */
    test_ok(gm_config_assign(&expected, "noc.ejection=64", &error), error);
    test_ok(gm_config_assign(&expected, "noc.speedup=2", &error), error);
    test_ok(gm_config_assign(&expected, "noc.allocation=1", &error), error);
    test_ok(gm_config_assign(&expected, "noc.latency=9", &error), error);
    test_ok(gm_config_assign(&expected, "unit.shared=28", &error), error);
    test_ok(gm_config_assign(&expected, "dram.low_banks=2", &error), error);
    test_ok(gm_config_assign(&expected, "dram.rows=4096", &error), error);
    test_ok(gm_config_assign(&expected, "dram.tRCDW=7", &error), error);
    test_ok(gm_config_assign(&expected, "l2.answer_beside=yes", &error), error);
    test_ok(gm_config_assign(&expected, "sm.atomic_passes=yes", &error), error);
    test_ok(gm_config_assign(&expected, "sm.atomic_wait=yes", &error), error);
    test_ok(gm_config_assign(&expected, "sm.coalesce_bypassed=sector", &error), error);
    test_ok(gm_config_assign(&expected, "sm.coalesce_narrow=yes", &error), error);
    test_ok(gm_config_assign(&expected, "sm.fence=registers", &error), error);
    test_ok(gm_config_assign(&expected, "gpu.cta_paced=yes", &error), error);
    test_ok(gm_config_assign(&expected, "gpu.kernel_end=answered", &error), error);
    test_ok(gm_config_assign(&expected, "memory.local_map=ctas", &error), error);
    test_ok(gm_config_assign(&expected, "l1.fence_drops=yes", &error), error);
    test_ok(gm_config_assign(&expected, "l1.keep_bypassed=yes", &error), error);
    test_ok(gm_config_assign(&expected, "l1.bypass_early=yes", &error), error);
    test_ok(gm_config_assign(&expected, "l1.load_places=2", &error), error);
    test_ok(gm_config_assign(&expected, "dram.commit_row=yes", &error), error);
    test_ok(gm_config_assign(&expected, "dram.entry_turns=yes", &error), error);
    test_ok(gm_config_assign(&expected, "sm.descending=yes", &error), error);
    test_ok(gm_config_assign(&expected, "dram.queue=64", &error), error);
    expected.preset = config.preset;
    assert_memory_equal(&config, &expected, sizeof config);
    /* By eye, of its 79 options: a coalescer as Fermi's is as here, and none is unknown. */
    assert_true(import.count > 0);
    for (size_t i = 0; i < import.count; i++) {
        assert_int_not_equal(import.note[i].kind, GM_IMPORT_UNKNOWN);
        assert_string_not_equal(import.note[i].option, "-gpgpu_coalesce_arch");
    }
    gm_import_free(&import);
}

static bool tells(const gm_import *import, const char *option, const char *text)
{
    for (size_t i = 0; i < import->count; i++) {
        const gm_import_note *note = &import->note[i];
        if (note->kind == GM_IMPORT_UNMODELLED && strcmp(note->option, option) == 0 &&
            (text == NULL || strcmp(note->text, text) == 0)) {
            return true;
        }
    }
    return false;
}

/* Two machines of today: read whole, and each cause of a difference that their counts showed is
 * told. */
static void test_modern(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *l1_mshrs, *l1_merges, *bank_interleave, *shared_options, *dual_bus,
            *low_banks, *low_bytes, *partition_bits, *write, *group_precharge, *at_l2, *shared;
    } rows[] = {{"qv100", "l1.mshrs=512", "l1.merges=8", "memory.bank_interleave=256",
                 "l1.shared_options=0,8KB,16KB,32KB,64KB,96KB", "dram.dual_bus=yes",
                 "dram.low_banks=2", "dram.low_bytes=0", "memory.partition_bits=19", "dram.tRCDW=9",
                 "dram.tRTPL=3", "l2.latency=161", "unit.shared=21"},
                {"rtx3070", "l1.mshrs=384", "l1.merges=48", "memory.bank_interleave=128",
                 "l1.shared_options=0,8KB,16KB,32KB,64KB,100KB", "dram.dual_bus=no",
                 "dram.low_banks=2", "dram.low_bytes=128", "memory.partition_bits=15",
                 "dram.tRCDW=15", "dram.tRTPL=0", "l2.latency=188", "unit.shared=30"}};
    static const struct {
        const char *option, *text;
    } causes[] = {
        {"-gpgpu_cache:dl1", NULL},
        {"-gpgpu_l1_cache_write_ratio", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[512];
        gm_config config;
        gm_error error = {0};
        gm_import import = {0};
        snprintf(path, sizeof path, "%s/%s/gpgpusim.config", test_shared_data("GOLDMEM_REFERENCE"),
                 rows[i].folder);
        gm_config_defaults(&config);
        test_ok(gm_config_read(&config, path, &import, &error), error);
        test_ok(gm_config_check(&config, &error), error);
        gm_config taken = config;
        test_ok(gm_config_assign(&taken, rows[i].l1_mshrs, &error), error);
        test_ok(gm_config_assign(&taken, rows[i].l1_merges, &error), error);
        test_ok(gm_config_assign(&taken, rows[i].bank_interleave, &error), error);
        test_ok(gm_config_assign(&taken, "memory.partition_index=ipoly", &error), error);
        test_ok(gm_config_assign(&taken, "l1.unified=128KB", &error), error);
        test_ok(gm_config_assign(&taken, "l1.merge_by=sector", &error), error);
        test_ok(gm_config_assign(&taken, "l1.banks=4", &error), error);
        test_ok(gm_config_assign(&taken, "l2.fetch_on_write=lazy", &error), error);
        test_ok(gm_config_assign(&taken, "l1.fetch_on_write=lazy", &error), error);
        test_ok(gm_config_assign(&taken, rows[i].shared_options, &error), error);
        test_ok(gm_config_assign(&taken, rows[i].dual_bus, &error), error);
        test_ok(gm_config_assign(&taken, rows[i].low_banks, &error), error);
        test_ok(gm_config_assign(&taken, rows[i].low_bytes, &error), error);
        test_ok(gm_config_assign(&taken, rows[i].write, &error), error);
        test_ok(gm_config_assign(&taken, rows[i].partition_bits, &error), error);
        test_ok(gm_config_assign(&taken, "dram.rows=8192", &error), error);
        test_ok(gm_config_assign(&taken, "l2.answer_beside=yes", &error), error);
        test_ok(gm_config_assign(&taken, "sm.atomic_passes=yes", &error), error);
        test_ok(gm_config_assign(&taken, "sm.atomic_wait=yes", &error), error);
        test_ok(gm_config_assign(&taken, "sm.fence=registers", &error), error);
        test_ok(gm_config_assign(&taken, "gpu.cta_paced=yes", &error), error);
        test_ok(gm_config_assign(&taken, "gpu.kernel_end=answered", &error), error);
        test_ok(gm_config_assign(&taken, "memory.local_map=ctas", &error), error);
        test_ok(gm_config_assign(&taken, "l1.fence_drops=yes", &error), error);
        test_ok(gm_config_assign(&taken, "l1.keep_bypassed=yes", &error), error);
        test_ok(gm_config_assign(&taken, "l1.bypass_early=yes", &error), error);
        test_ok(gm_config_assign(&taken, "l1.load_places=2", &error), error);
        test_ok(gm_config_assign(&taken, "sm.subcores=yes", &error), error);
        test_ok(gm_config_assign(&taken, "sm.coalesce=sector", &error), error);
        test_ok(gm_config_assign(&taken, "l2.dirty=parts", &error), error);
        test_ok(gm_config_assign(&taken, "l1.parts=yes", &error), error);
        test_ok(gm_config_assign(&taken, "l1.lookup=banks", &error), error);
        test_ok(gm_config_assign(&taken, "dram.commit_row=yes", &error), error);
        test_ok(gm_config_assign(&taken, "dram.entry_turns=yes", &error), error);
        test_ok(gm_config_assign(&taken, "sm.descending=yes", &error), error);
        taken.dram.bank_turns = taken.dram.dual_bus;
        test_ok(gm_config_assign(&taken, rows[i].group_precharge, &error), error);
        test_ok(gm_config_assign(&taken, "l2.merge_by=sector", &error), error);
        test_ok(gm_config_assign(&taken, "noc.buffer=512", &error), error);
        test_ok(gm_config_assign(&taken, "noc.ejection=512", &error), error);
        test_ok(gm_config_assign(&taken, "noc.latency=2", &error), error);
        test_ok(gm_config_assign(&taken, rows[i].at_l2, &error), error);
        test_ok(gm_config_assign(&taken, rows[i].shared, &error), error);
        test_ok(gm_config_assign(&taken, "l1.hit_delay=0", &error), error);
        test_ok(gm_config_assign(&taken, "sm.write_port=yes", &error), error);
        test_ok(gm_config_assign(&taken, "noc.arbitration=series", &error), error);
        test_ok(gm_config_assign(&taken, "l2.port=32", &error), error);
        test_ok(gm_config_assign(&taken, "unit.fp64_units=each", &error), error);
        assert_memory_equal(&taken, &config, sizeof config);
        for (size_t k = 0; k < sizeof causes / sizeof causes[0]; k++) {
            if (!tells(&import, causes[k].option, causes[k].text)) {
                fail_msg("%s: %s is not told", path, causes[k].option);
            }
        }
        for (size_t k = 0; k < import.count; k++) {
            assert_int_not_equal(import.note[k].kind, GM_IMPORT_UNKNOWN);
        }
        /* as goldmem does */
        assert_false(tells(&import, "-gpgpu_memory_partition_indexing", NULL));
        assert_false(tells(&import, "-gpgpu_n_sub_partition_per_mchannel", NULL));
        assert_false(tells(&import, "-gpgpu_dram_scheduler", NULL));
        assert_false(tells(&import, "-gpgpu_adaptive_cache_config", NULL));
        assert_false(tells(&import, "-gpgpu_num_sp_units", NULL));
        assert_false(tells(&import, "-icnt_arbiter_algo", NULL));
        gm_import_free(&import);
    }
}

/* A name is in the table once, and what an option refers to is there too. */
static void test_table(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_gpgpusim_option *options = gm_gpgpusim_options(&count);
    assert_true(count > 180);
    for (unsigned i = 0; i < count; i++) {
        const gm_gpgpusim_option *option = &options[i];
        const char *others[] = {option->only_with, option->unless};
        print_message("%s\n", option->name);
        for (unsigned k = 0; k < i; k++) {
            assert_string_not_equal(option->name, options[k].name);
        }
        assert_non_null(option->meaning);
        assert_int_equal(option->role == GM_OPTION_TAKEN, option->apply != NULL);
        assert_int_equal(option->role == GM_OPTION_UNMODELLED, option->equal != NULL);
        assert_true(strlen(option->name) < sizeof((gm_import_note *)0)->option);
        assert_true(option->role == GM_OPTION_TAKEN ||
                    strlen(option->meaning) < sizeof((gm_import_note *)0)->text);
        for (unsigned k = 0; k < 2; k++) {
            assert_true(others[k] == NULL ||
                        strcmp(gm_gpgpusim_find(others[k], strlen(others[k]))->name, others[k]) ==
                            0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),    cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_strict),     cmocka_unit_test(test_many_unknown),
        cmocka_unit_test(test_long_value), cmocka_unit_test(test_told_from_yaml),
        cmocka_unit_test(test_unreadable), cmocka_unit_test(test_reference),
        cmocka_unit_test(test_modern),     cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

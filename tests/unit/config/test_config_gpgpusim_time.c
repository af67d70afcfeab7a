/* Configurations of GPGPU-Sim: the options that concern time. */
#include "support/config/gpgpusim.h"

static const test_gpgpusim_row options[] = {
    /* DRAM timing: by name in version 4, in order in version 3 */
    {"-gpgpu_dram_timing_opt nbk=8:CCD=2:RRD=6", {"dram.banks=8", "dram.tRCDW=7"}, NULL},
    /* without bank groups when their values are not given, as there */
    {"-gpgpu_dram_timing_opt 32:2:6:12:28:12:40",
     {"dram.banks=32", "dram.bank_groups=1", "dram.tCCDL=0", "dram.tRTP=0", "dram.tRCDW=7"},
     NULL},
    {"-gpgpu_dram_timing_opt 8:3:7:13:29:14:41:15:16:17:18",
     {"dram.banks=8", "dram.tCCD=3", "dram.tRRD=7", "dram.tRCD=13", "dram.tRAS=29", "dram.tRP=14",
      "dram.tRC=41", "dram.tCL=15", "dram.tWL=16", "dram.tCDLR=17", "dram.tWR=18",
      "dram.bank_groups=1", "dram.tCCDL=0", "dram.tRTP=0", "dram.tRCDW=1"},
     NULL},
    {"-gpgpu_dram_timing_opt 8:2:6:12:28:12:40:12:4:5:12:2:9:10",
     {"dram.banks=8", "dram.bank_groups=2", "dram.tCCDL=9", "dram.tRTP=10", "dram.tRCDW=7"},
     NULL},
    {"-gpgpu_dram_timing_opt nbk=8:CCD=3:RRD=7:RCD=13:RAS=29:RP=14:RC=41:CL=15:WL=16:CDLR=17:"
     "WR=18:nbkgrp=2:CCDL=19:RTPL=20",
     {"dram.banks=8", "dram.tCCD=3", "dram.tRRD=7", "dram.tRCD=13", "dram.tRAS=29", "dram.tRP=14",
      "dram.tRC=41", "dram.tCL=15", "dram.tWL=16", "dram.tCDLR=17", "dram.tWR=18",
      "dram.bank_groups=2", "dram.tCCDL=19", "dram.tRTP=20", "dram.tRCDW=1"},
     NULL},
    /* banks in turn with two command buses, whichever option is first */
    {"-gpgpu_dram_scheduler 1 -gpgpu_dram_timing_opt nbk=16:RTPL=3 -dram_dual_bus_interface 1",
     {"dram.commit_row=yes", "dram.entry_turns=yes", "dram.banks=16", "dram.tRTP=3", "dram.tRCDW=7",
      "dram.dual_bus=yes", "dram.bank_turns=yes", "dram.tRTPL=3"},
     NULL},
    {"-dram_dual_bus_interface 0 -gpgpu_dram_timing_opt nbk=16:RTPL=3 -gpgpu_dram_scheduler 1",
     {"dram.commit_row=yes", "dram.entry_turns=yes", "dram.banks=16", "dram.tRTP=3",
      "dram.tRCDW=7"},
     NULL},
    /* clocks, schedulers, latencies, queues */
    {"-gpgpu_clock_domains 1132.0:1131.5:1131.49:850",
     {"clock.core=1132", "clock.noc=1132", "clock.l2=1131", "clock.dram=850"},
     NULL},
    {"-gpgpu_num_sched_per_core 4", {"sm.schedulers=4"}, NULL},
    {"-gpgpu_scheduler lrr", {"sm.scheduler=lrr"}, NULL},
    {"-gpgpu_scheduler gto", {NULL}, NULL},
    {"-gpgpu_scheduler two_level_active:6:0:1", {"sm.scheduler=two_level", "sm.group=6"}, NULL},
    {"-gpgpu_kernel_launch_latency 5000 -gpgpu_l1_latency 82 -gpgpu_smem_latency 24 "
     "-gpgpu_l2_rop_latency 160 -dram_latency 200 -icnt_flit_size 40",
     {"sm.launch=5000", "l1.latency=82", "l1.lookup=last", "l1.hit_delay=1", "unit.shared=26",
      "l2.latency=160", "dram.latency=200", "noc.flit=40"},
     NULL},
    {"-rop_latency 121", {"l2.latency=121"}, NULL},
    {"-gpgpu_dram_partition_queues 1:2:3:4",
     {"l2.queue=1", "l2.dram_queue=2", "l2.reply_queue=4"},
     NULL},
    /* the memory fields of the GTX480's file, of version 3's, and of one with tensor cores */
    {"-gpgpu_pipeline_widths 2,0,0,1,1,2,0,0,1,1,8", {"sm.memory_queue=3"}, NULL},
    {"-gpgpu_pipeline_widths 2,1,3,2,1,4,2", {"sm.memory_queue=8"}, NULL},
    {"-gpgpu_pipeline_widths 4,0,0,1,2,4,0,0,1,5,8,4,4", {"sm.memory_queue=8"}, NULL},
    {"-gpgpu_operand_collector_num_units_gen 8",
     {"sm.collectors=8", "sm.fetch=2", "sm.drain=4", "sm.turns=occupied",
      "sm.shared_atomic_passes=no", "sm.shared_wide=no", "unit.control=1",
      "sm.opcode_units=accel_sim", "unit.integer_units=0"},
     NULL},
    {"-gpgpu_operand_collector_num_units_gen 0", {NULL}, NULL},
    {"-gpgpu_operand_collector_num_units_gen 33",
     {"sm.collectors=32", "sm.fetch=2", "sm.drain=4", "sm.turns=occupied",
      "sm.shared_atomic_passes=no", "sm.shared_wide=no", "unit.control=1",
      "sm.opcode_units=accel_sim", "unit.integer_units=0"},
     "-gpgpu_operand_collector_num_units_gen (sm.collectors is 32, the most that it can be)\n"},
    /* branches: units, and their interval in whatever order, which means nothing without
     * collectors */
    {"-trace_opcode_latency_initiation_spec_op_1 4,3 -specialized_unit_1 1,4,4,4,4,BRA "
     "-gpgpu_operand_collector_num_units_gen 8",
     {"sm.collectors=8", "sm.fetch=2", "sm.drain=4", "sm.turns=occupied",
      "sm.shared_atomic_passes=no", "sm.shared_wide=no", "unit.control=1",
      "sm.opcode_units=accel_sim", "unit.integer_units=0", "sm.branch_units=4",
      "unit.control_interval=3"},
     NULL},
    {"-specialized_unit_1 1,4,4,4,4,BRA -trace_opcode_latency_initiation_spec_op_1 4,3",
     {"sm.branch_units=4"},
     NULL},
    {"-specialized_unit_1 0,4,4,4,4,BRA", {NULL}, NULL},
    /* the other specialized units of traces' opcodes; a fifth one has none */
    {"-specialized_unit_2 1,4,200,4,4,TEX -specialized_unit_3 1,2,32,4,4,TENSOR "
     "-specialized_unit_4 1,4,4,4,4,UDP -gpgpu_num_sched_per_core 4 "
     "-trace_opcode_latency_initiation_spec_op_2 200,4 "
     "-trace_opcode_latency_initiation_spec_op_3 32,31 "
     "-trace_opcode_latency_initiation_spec_op_4 4,2",
     {"sm.schedulers=4", "unit.texture_units=each", "unit.tensor_units=2",
      "unit.uniform_units=each", "unit.texture=203", "unit.texture_interval=4", "unit.tensor=35",
      "unit.tensor_interval=31", "unit.uniform=7", "unit.uniform_interval=2"},
     NULL},
    {"-specialized_unit_4 0,4,4,4,4,UDP -specialized_unit_5 1,4,4,4,4,ANY",
     {NULL},
     "-specialized_unit_5 (no opcode goes to a fifth specialized unit or one behind it)\n"},
    {"-gpgpu_operand_collector_num_units_gen 8 -gpgpu_num_int_units 1",
     {"sm.collectors=8", "sm.fetch=2", "sm.drain=4", "sm.turns=occupied",
      "sm.shared_atomic_passes=no", "sm.shared_wide=no", "unit.control=1",
      "sm.opcode_units=accel_sim", "unit.integer_units=1"},
     NULL},
    {"-specialized_unit_1 1,9,9,4,9,BRA",
     {"sm.branch_units=8"},
     "-specialized_unit_1 (its registers are as many as its units)\n"
     "-specialized_unit_1 (sm.branch_units is 8, the most that it can be)\n"},
    {"-gpgpu_frfcfs_dram_sched_queue_size 64 -gpgpu_dram_return_queue_size 192",
     {"dram.queue=64", "dram.return_queue=192"},
     NULL},
    {"-gpgpu_frfcfs_dram_sched_queue_size 0 -gpgpu_dram_return_queue_size 257",
     {"dram.queue=256", "dram.return_queue=256"},
     "-gpgpu_frfcfs_dram_sched_queue_size (dram.queue is 256, the most that it can be)\n"
     "-gpgpu_dram_return_queue_size (dram.return_queue is 256, the most that it can be)\n"},
    /* 4 bytes * 2 chips * 8 = 64 in 8 / 4 cycles; HBM: 16 * 1 * 2 = 32 in 2 / 2; one option
     * makes the others GPGPU-Sim's 4, 1, 4 and 2 */
    {"-gpgpu_n_mem_per_ctrlr 2 -gpgpu_dram_buswidth 4 -gpgpu_dram_burst_length 8 "
     "-dram_data_command_freq_ratio 4",
     {"dram.burst=64", "dram.burst_cycles=2"},
     NULL},
    {"-gpgpu_n_mem_per_ctrlr 1 -gpgpu_dram_buswidth 16 -gpgpu_dram_burst_length 2 "
     "-dram_data_command_freq_ratio 2",
     {"dram.burst=32", "dram.burst_cycles=1"},
     NULL},
    {"-gpgpu_dram_buswidth 32", {"dram.burst=128", "dram.burst_cycles=2"}, NULL},
    /* units: a trace's numbers count, before or after those of PTX */
    {"-trace_opcode_latency_initiation_int 5,2 -trace_opcode_latency_initiation_sp 6,3 "
     "-trace_opcode_latency_initiation_dp 64,16 -trace_opcode_latency_initiation_sfu 21,9 "
     "-trace_opcode_latency_initiation_tensor 33,31",
     {"unit.integer=8", "unit.integer_interval=2", "unit.fp32=9", "unit.fp32_interval=3",
      "unit.fp64=67", "unit.fp64_interval=16", "unit.special=24", "unit.special_interval=9",
      "unit.tensor=36", "unit.tensor_interval=31"},
     NULL},
    {"-ptx_opcode_latency_int 7,13,4,5,145,32 -ptx_opcode_initiation_int 3,2 "
     "-ptx_opcode_latency_fp 9 -ptx_opcode_initiation_dp 130 -ptx_opcode_latency_sfu 22",
     {"unit.integer=7", "unit.integer_interval=3", "unit.fp32=9", "unit.fp64_interval=130",
      "unit.special=22"},
     NULL},
    {"-ptx_opcode_latency_fp 9 -trace_opcode_latency_initiation_sp 5,2 -ptx_opcode_latency_fp "
     "10 -ptx_opcode_initiation_fp 11",
     {"unit.fp32=8", "unit.fp32_interval=2"},
     NULL},
    {"-gpgpu_dram_timing_opt CCD=2:nbk=64", {"dram.banks=64", "dram.tRCDW=7"}, NULL},
    {"-gpgpu_dram_timing_opt \"CCD=2: # nbk=8\n nbk=64\"", {"dram.banks=64", "dram.tRCDW=7"}, NULL},
    {"-gpgpu_dram_timing_opt \"nbk=16:CCD=2: # a comment with a \" in it\n   RRD=6\"\n"
     "-gpgpu_n_mem 4",
     {"dram.tRCDW=7", "dram.banks=16", "memory.partitions=4"},
     NULL},
};

static void test_options(void **state)
{
    (void)state;
    test_gpgpusim_rows(options, sizeof options / sizeof options[0]);
}

static const test_gpgpusim_refusal refusals[] = {
    {"-gpgpu_dram_timing_opt CCD=2",
     "g.config:1: -gpgpu_dram_timing_opt CCD=2: must name the number of banks (nbk=16)"},
    {"-gpgpu_dram_timing_opt nbk=16x",
     "g.config:1: -gpgpu_dram_timing_opt nbk=16x: must name the number of banks (nbk=16)"},
    {"-gpgpu_dram_timing_opt nbk=16:XYZ=3", "g.config:1: -gpgpu_dram_timing_opt nbk=16:XYZ=3: "
                                            "has a timing that is not known here"},
    {"-gpgpu_dram_timing_opt nbk=16:3", "g.config:1: -gpgpu_dram_timing_opt nbk=16:3: has a "
                                        "timing that is not known here"},
    {"-gpgpu_dram_timing_opt nbk=16:CL=x", "g.config:1: -gpgpu_dram_timing_opt nbk=16:CL=x: "
                                           "every timing must be a number"},
    {"-gpgpu_dram_timing_opt 1:2:3:4:5:6:7:8:9:10:11:1:13:14:15",
     "g.config:1: -gpgpu_dram_timing_opt 1:2:3:4:5:6:7:8:9:10:11:1:13:14:15: has too many "
     "numbers"},
    {"-gpgpu_dram_timing_opt nbk=16:nbkgrp=3",
     "g.config:1: -gpgpu_dram_timing_opt nbk=16:nbkgrp=3: dram.bank_groups=3: must be a power "
     "of two, 1 to 64 groups"},
    {"-gpgpu_pipeline_widths 2,0,0,1,1,2,0,0", "g.config:1: -gpgpu_pipeline_widths "
                                               "2,0,0,1,1,2,0,0: must be 7 numbers, or 11 and "
                                               "more"},
    {"-specialized_unit_1 1,4,4,BRA", "g.config:1: -specialized_unit_1 1,4,4,BRA: must be five "
                                      "numbers and a name, as in 1,4,4,4,4,BRA"},
    {"-trace_opcode_latency_initiation_spec_op_1 4",
     "g.config:1: -trace_opcode_latency_initiation_spec_op_1 4: must be LATENCY,INTERVAL"},
    {"-gpgpu_pipeline_widths 2,0,x", "g.config:1: -gpgpu_pipeline_widths 2,0,x: must be "
                                     "numbers, as in 2,0,0,1,1,2,0,0,1,1,2"},
    {"-gpgpu_clock_domains 700:700:700",
     "g.config:1: -gpgpu_clock_domains 700:700:700: must be CORE:INTERCONNECT:L2:DRAM in MHz"},
    {"-gpgpu_clock_domains 700:700:700:924:1", "g.config:1: -gpgpu_clock_domains "
                                               "700:700:700:924:1: must be "
                                               "CORE:INTERCONNECT:L2:DRAM in MHz"},
    {"-gpgpu_clock_domains 700:0.2:700:924",
     "g.config:1: -gpgpu_clock_domains 700:0.2:700:924: clock.noc=0: must be 1 to 100000 MHz"},
    {"-gpgpu_scheduler old", "g.config:1: -gpgpu_scheduler old: must be gto, lrr or "
                             "two_level_active:WARPS:INNER:OUTER"},
    {"-gpgpu_scheduler two_level_active:x", "g.config:1: -gpgpu_scheduler two_level_active:x: "
                                            "must be two_level_active:WARPS:INNER:OUTER"},
    {"-gpgpu_dram_partition_queues 8:8:8", "g.config:1: -gpgpu_dram_partition_queues 8:8:8: "
                                           "must be four numbers, as in 64:64:64:64"},
    {"-gpgpu_dram_buswidth 3", "g.config:1: -gpgpu_dram_buswidth (3 * 1 chips * 4): "
                               "dram.burst=12: must be a power of two, 32 bytes to 1KB"},
    {"-gpgpu_dram_buswidth 1073741824 -gpgpu_n_mem_per_ctrlr 1073741824",
     "g.config:1: -gpgpu_dram_buswidth (1073741824 * 1073741824 chips * 4): a burst is too "
     "large"},
    {"-gpgpu_dram_buswidth 8 -dram_data_command_freq_ratio 3",
     "g.config:1: -dram_data_command_freq_ratio (4 / 3): must divide the burst length"},
    {"-gpgpu_dram_buswidth 8 -dram_data_command_freq_ratio 0",
     "g.config:1: -dram_data_command_freq_ratio (4 / 0): must divide the burst length"},
    {"-trace_opcode_latency_initiation_int 4", "g.config:1: -trace_opcode_latency_initiation_"
                                               "int 4: must be LATENCY,INTERVAL"},
    {"-ptx_opcode_latency_int x", "g.config:1: -ptx_opcode_latency_int x: must be numbers, of "
                                  "additions first"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N,F:32:8,8",
     "g.config:1: -gpgpu_cache:dl1 32:128:4,L:L:m:N,F:32:8,8: MSHRs of a texture cache (F, T) "
     "are not offered"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N,A:32:8",
     "g.config:1: -gpgpu_cache:dl1 32:128:4,L:L:m:N,A:32:8: the MSHRs must be "
     "TYPE:ENTRIES:MERGES,MISS_QUEUE"},
    {"-gpgpu_cache:dl1 32:128:4,L:L:m:N,A:0:8,8", "g.config:1: -gpgpu_cache:dl1 "
                                                  "32:128:4,L:L:m:N,A:0:8,8: l1.mshrs=0: must "
                                                  "be 1 to 1024 entries"},
};

static void test_refuses(void **state)
{
    (void)state;
    test_gpgpusim_refusals(refusals, sizeof refusals / sizeof refusals[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

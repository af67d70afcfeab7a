# Thresholds for the words of [khairy, 3.2], for classes.awk and page.awk. The paper gives no numbers;
# docs/reproduction/khairy.md gives the reasons, and the distance of each from the values that it divides.
BEGIN {
    streams = 0.9     # "a high miss rate (up to 99%)": an unbounded L1 misses this share of loads
    no_benefit = 0.95 # "don't benefit from caches": without L1 at least this fast, the bounded one 1
    gains = 1.05      # "better": this many times as fast
    near = 1.1        # "nearly achieves the same performance": unbounded is less than this
    thrashes = 50     # "a high level of MPKI": L1 misses per 1000 thread instructions
}

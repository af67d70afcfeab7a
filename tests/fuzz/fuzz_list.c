/* Fuzz target: any bytes as a kernel list, in a folder with two kernel files that the list may
 * name. */
#include "fuzz/read_trace.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char kernel_text[] = "-kernel name = f\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                                  "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
                                  "0000 ffffffff 0 EXIT 0 0\n#END_TB\n";

/* The folder; made at first use, removed at exit. */
static char folder[] = "/tmp/goldmem-fuzz-XXXXXX";
static bool made;

static void write_file(const char *name, const void *data, size_t size)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    fuzz_require(file != NULL);
    fuzz_require(fwrite(data, 1, size, file) == size);
    fuzz_require(fclose(file) == 0);
}

static void remove_folder(void)
{
    static const char *const names[] = {"kernel-1.traceg", "kernel-2.traceg", "kernelslist.g"};
    char path[128];
    for (int i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!made) {
        fuzz_require(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
        made = true;
        write_file("kernel-1.traceg", kernel_text, sizeof kernel_text - 1);
        write_file("kernel-2.traceg", kernel_text, sizeof kernel_text - 1);
    }
    write_file("kernelslist.g", data, size);
    fuzz_read_trace(folder);
    return 0;
}

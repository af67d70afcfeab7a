/* The goldmem command: picks a subcommand. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        return puts("goldmem " GM_VERSION) < 0;
    }
    fputs("goldmem: no subcommand; try --help\n", stderr);
    return 2;
}

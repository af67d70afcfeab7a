/* Runs a fuzz target over files, without libFuzzer. Usage: replay_NAME FILE... */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 16 * 1024 * 1024 };

int main(int arguments, char **argument)
{
    uint8_t *data = malloc(LARGEST);
    for (int i = 1; i < arguments && data != NULL; i++) {
        FILE *file = fopen(argument[i], "rb");
        if (file == NULL) {
            perror(argument[i]);
            free(data);
            return 1;
        }
        size_t size = fread(data, 1, LARGEST, file);
        (void)fclose(file);
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return 0;
}

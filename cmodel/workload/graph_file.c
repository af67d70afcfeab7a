/* Which form a graph file has. */
#include "workload/graph.h"

#include <string.h>

/* True if the first line that is no comment of METIS ('%') has more than one word. */
static bool has_metis_header(const gm_input_file *file)
{
    const char *at = file->bytes;
    while (*at == '%') {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (at > file->bytes) {
        return true;
    }
    at += strspn(at, " \t");
    at += strcspn(at, " \t\r\n");
    at += strspn(at, " \t\r");
    return *at != '\n' && *at != '\0';
}

int gm_graph_read(gm_graph *graph, const char *path, uint64_t seed, gm_error *error)
{
    *graph = (gm_graph){0};
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    if (code < 0) {
        return code;
    }
    if (file.bytes[0] == '#') {
        code = gm_graph_read_snap(graph, &file, seed, error);
    } else if (has_metis_header(&file)) {
        code = gm_graph_read_metis(graph, &file, seed, error);
    } else {
        code = gm_graph_read_rodinia(graph, &file, error);
    }
    gm_input_file_free(&file);
    return code;
}

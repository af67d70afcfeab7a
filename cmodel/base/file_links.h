/* Symbolic links that lead to files, and names of descriptors. */
#ifndef GOLDMEM_BASE_FILE_LINKS_H
#define GOLDMEM_BASE_FILE_LINKS_H

/* Returns the number of the process's descriptor that a path names ("/proc/self/fd/1",
 * "/dev/fd/1"), or -1. */
int gm_descriptor_of(const char *path);

/* Replaces a path (heap) by the name that symbolic links lead to, since a file renamed over a link
 * would replace the link. The name need not exist. Stops at a descriptor ("/dev/stdout" becomes
 * "/proc/self/fd/1"). Returns 0 or -1 with errno. */
int gm_follow_links(char **path);

#endif

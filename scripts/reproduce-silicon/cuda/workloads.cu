/* Workloads of goldmem with the same addresses, for a profiler's counters: kernels as those of cmodel/workload/kernels/, each
 * launched once. Prints launch;NAME for each, in order: a workload as `goldmem run workload:NAME` takes it, or touch,... for
 * strided accesses. Loops are not unrolled, as the model's are not. */
#include "measure.cuh"

#define inline __host__ __device__ inline /* the hash is that of the device as well */
#include "base/random.h"
#undef inline

/* vectoradd.c */
__global__ void vectoradd(const float *a, const float *b, float *c, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

/* stream.c, width=4, copy=1 */
__global__ void stream_copy(const unsigned *from, unsigned *to, unsigned n)
{
    size_t step = gridDim.x * blockDim.x;
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (; i + 3 * step < n; i += 4 * step) {
        unsigned v0 = from[i];
        unsigned v1 = from[i + step];
        unsigned v2 = from[i + 2 * step];
        unsigned v3 = from[i + 3 * step];
        to[i] = v0;
        to[i + step] = v1;
        to[i + 2 * step] = v2;
        to[i + 3 * step] = v3;
    }
#pragma unroll 1
    for (; i < n; i += step) {
        to[i] = from[i];
    }
}

/* stream.c, width=8, each=1 */
__global__ void stream_read(const uint2 *from, uint2 *to, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uint2 value = from[i];
        if (value.x == 0x9e3779b9) {
            to[0] = value;
        }
    }
}

/* matmul_tiled.c */
enum { TILE = 16 };
__global__ void matmul_cached(const float *a, const float *b, float *c, unsigned n)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    const float *row = a + (size_t)y * n;
    const float *column = b + x;
    float sum = 0;
#pragma unroll 1
    for (unsigned first = 0; first < n; first += TILE) {
#pragma unroll 1
        for (unsigned k = first; k < first + TILE; k++) {
            sum += row[k] * column[(size_t)k * n];
        }
        __syncthreads();
    }
    c[(size_t)y * n + x] = sum;
}
__global__ void matmul_shared(const float *a, const float *b, float *c, unsigned n)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    unsigned x = threadIdx.x;
    unsigned y = threadIdx.y;
    size_t at = (size_t)(blockIdx.y * TILE + y) * n;
    unsigned column = blockIdx.x * TILE + x;
    float sum = 0;
#pragma unroll 1
    for (unsigned first = 0; first < n; first += TILE) {
        left[y][x] = a[at + first + x];
        right[y][x] = b[(size_t)(first + y) * n + column];
        __syncthreads();
#pragma unroll 1
        for (unsigned k = 0; k < TILE; k++) {
            sum += left[y][k] * right[k][x];
        }
        __syncthreads();
    }
    c[at + column] = sum;
}

/* stencil3d.c */
__global__ void stencil3d(const float *from, float *to, unsigned nx, unsigned ny)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    unsigned z = blockIdx.z * blockDim.z + threadIdx.z + 1;
    if (x < nx - 1 && y < ny - 1) {
        size_t row = nx;
        size_t plane = row * ny;
        const float *centre = from + z * plane + y * row + x;
        float sum = centre[plane];
        sum += centre[-(ptrdiff_t)plane];
        sum += centre[row];
        sum += centre[-(ptrdiff_t)row];
        sum += centre[1];
        sum += centre[-1];
        to[centre - from] = sum / 36 - *centre / 6;
    }
}

/* conv2d.c */
__global__ void conv2d(const float *in, float *out, unsigned rows, unsigned columns)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && j > 0 && i < rows - 1 && j < columns - 1) {
        const float *centre = in + (size_t)i * columns + j;
        const float *above = centre - columns;
        const float *below = centre + columns;
        out[(size_t)i * columns + j] = 0.2F * above[-1] - 0.3F * above[0] + 0.4F * above[1] +
                                       0.5F * centre[-1] + 0.6F * centre[0] + 0.7F * centre[1] -
                                       0.8F * below[-1] - 0.9F * below[0] + 0.1F * below[1];
    }
}

/* gather.c, index=0 */
__global__ void gather(const unsigned *table, unsigned *sums, unsigned n, unsigned each,
                       unsigned words, uint64_t seed)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned sum = 0;
#pragma unroll 1
        for (unsigned k = 0; k < each; k++) {
            uint64_t hash =
                gm_hash64(((uint64_t)k * n + i + seed) * UINT64_C(0x9e3779b97f4a7c15));
            sum += table[(unsigned)((hash >> 32) * words >> 32)];
        }
        sums[i] = sum;
    }
}

/* spmv.c */
__global__ void spmv(const int *row, const int *column, const float *value, const float *x,
                     float *y, unsigned rows)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        int first = row[i];
        int end = row[i + 1];
        float sum = 0;
#pragma unroll 1
        for (int k = first; k < end; k++) {
            sum += value[k] * x[column[k]];
        }
        y[i] = sum;
    }
}

/* histo.c, its first kernel */
__global__ void count(const unsigned *value, unsigned *bin, unsigned n)
{
    unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        asm volatile("red.global.add.u32 [%0], 1;" ::"l"(bin + value[i]) : "memory");
    }
}

/* pathfinder.c */
enum { BLOCK = 256 };
__global__ void pathfinder(const int *wall, const int *from, int *to, int columns, int pyramid,
                           int start, int iterations)
{
    __shared__ int previous[BLOCK], result[BLOCK];
    int x = (int)threadIdx.x;
    int first = (BLOCK - 2 * iterations) * (int)blockIdx.x - pyramid;
    int column = first + x;
    int low = max(-first, 0);
    int high = min(columns - 1 - first, BLOCK - 1);
    int west = max(x - 1, low);
    int east = min(x + 1, high);
    bool on_grid = x >= low && x <= high;
    bool computed = false;
    if (on_grid) {
        previous[x] = from[column];
    }
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < iterations; i++) {
        computed = on_grid && x >= i + 1 && x <= BLOCK - i - 2;
        if (computed) {
            int shortest = min(min(previous[west], previous[x]), previous[east]);
            result[x] = shortest + wall[(ptrdiff_t)columns * (start + i) + column];
        }
        __syncthreads();
        if (i == iterations - 1) {
            break;
        }
        if (computed) {
            previous[x] = result[x];
        }
        __syncthreads();
    }
    if (computed) {
        to[column] = result[x];
    }
}

/* scalarprod.c */
__global__ void scalarprod(const float *a, const float *b, float *c, unsigned vectors, unsigned n)
{
    enum { SUMS = 1024 };
    __shared__ float sums[SUMS];
#pragma unroll 1
    for (unsigned vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
        size_t begin = (size_t)vector * n;
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < SUMS; i += BLOCK) {
            float sum = 0;
#pragma unroll 1
            for (unsigned k = i; k < n; k += SUMS) {
                sum += a[begin + k] * b[begin + k];
            }
            sums[i] = sum;
        }
#pragma unroll 1
        for (unsigned half = SUMS / 2; half > 0; half /= 2) {
            __syncthreads();
#pragma unroll 1
            for (unsigned i = threadIdx.x; i < half; i += BLOCK) {
                sums[i] += sums[half + i];
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            c[vector] = sums[0];
        }
    }
}

/* syrk.c */
__global__ void syrk(const float *a, float *c, unsigned n, unsigned m, float alpha, float beta)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float sum = c[(size_t)i * n + j] * beta;
#pragma unroll 1
        for (unsigned k = 0; k < m; k++) {
            sum += alpha * a[(size_t)i * m + k] * a[(size_t)j * m + k];
        }
        c[(size_t)i * n + j] = sum;
    }
}

/* laplace3d.c */
__global__ void laplace3d(const float *from, float *to, unsigned nx, unsigned ny, unsigned nz)
{
    enum { WIDE = 32, HIGH = 4, PLANES = 3, ROUND = 2 * (WIDE + HIGH) };
    __shared__ float planes[PLANES][HIGH + 2][WIDE + 2];
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned i = threadIdx.y * WIDE + threadIdx.x;
#pragma unroll 1
    for (unsigned z = 0; z <= nz; z++) {
        if (z < nz) {
            if (x < nx && y < ny) {
                planes[z % PLANES][threadIdx.y + 1][threadIdx.x + 1] =
                    from[((size_t)z * ny + y) * nx + x];
            }
            if (i < ROUND) {
                unsigned side = i - 2 * WIDE;
                unsigned row = i < WIDE ? 0 : i < 2 * WIDE ? HIGH + 1 : side % HIGH + 1;
                unsigned column = i < 2 * WIDE ? i % WIDE + 1 : side < HIGH ? 0 : WIDE + 1;
                unsigned right = blockIdx.x * WIDE + column;
                unsigned below = blockIdx.y * HIGH + row;
                if (right >= 1 && right <= nx && below >= 1 && below <= ny) {
                    planes[z % PLANES][row][column] =
                        from[((size_t)z * ny + below - 1) * nx + right - 1];
                }
            }
        }
        __syncthreads();
        if (z > 0 && x < nx && y < ny) {
            unsigned p = z - 1;
            unsigned row = threadIdx.y + 1;
            unsigned column = threadIdx.x + 1;
            float *own = to + ((size_t)p * ny + y) * nx + x;
            if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && p > 0 && p < nz - 1) {
                float sum = planes[p % PLANES][row][column - 1];
                sum += planes[p % PLANES][row][column + 1];
                sum += planes[p % PLANES][row - 1][column];
                sum += planes[p % PLANES][row + 1][column];
                sum += planes[(p - 1) % PLANES][row][column];
                sum += planes[(p + 1) % PLANES][row][column];
                *own = sum / 6;
            } else {
                *own = planes[p % PLANES][row][column];
            }
        }
        __syncthreads();
    }
}

/* atomics.c */
__global__ void reduce(unsigned *counter, unsigned each, unsigned words)
{
    unsigned *own = counter + (blockIdx.x * blockDim.x + threadIdx.x) % words;
#pragma unroll 1
    for (unsigned k = 0; k < each; k++) {
        asm volatile("red.global.add.u32 [%0], 1;" ::"l"(own) : "memory");
    }
}

/* bandwidth.c, width=16, shared=0 */
__global__ void bandwidth(const uint4 *data, unsigned window, unsigned passes, unsigned *sums)
{
    unsigned sum = 0;
    unsigned step = blockDim.x;
    const uint4 *own = data + blockIdx.x * window;
#pragma unroll 1
    for (unsigned pass = 0; pass < passes; pass++) {
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < window; i += step) {
            uint4 v;
            asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                         : "l"(own + i));
            sum += v.x + v.y + v.z + v.w;
        }
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Each thread loads, stores, or stores a word and loads the next, `stride` bytes from the next thread's. */
__global__ void touch_load(char *at, size_t stride, unsigned *sink)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = *(unsigned *)(at + i * stride);
    if (value == 0x9e3779b9) {
        sink[0] = value;
    }
}
__global__ void touch_store(char *at, size_t stride, unsigned *sink)
{
    (void)sink;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    *(unsigned *)(at + i * stride) = (unsigned)i;
}
__global__ void touch_store_load(char *at, size_t stride, unsigned *sink)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *word = (unsigned *)(at + i * stride);
    *word = (unsigned)i;
    __threadfence();
    unsigned value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(word + 1) : "memory");
    if (value == 0x9e3779b9) {
        sink[0] = value;
    }
}
/* Reductions, a word each. */
__global__ void touch_red(char *at, size_t stride, unsigned *sink)
{
    (void)sink;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at + i * stride) : "memory");
}
__global__ void nothing(void)
{
}

static unsigned blocks(size_t n, unsigned block)
{
    return (unsigned)((n + block - 1) / block);
}

template <typename T> static T *array(const std::vector<T> &values)
{
    T *copy = (T *)device_memory(values.size() * sizeof(T));
    CHECK(cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return copy;
}

static float *floats(size_t n)
{
    return (float *)device_memory(n * sizeof(float));
}

/* As sparse_matrix.c makes it. */
static void launch_spmv(unsigned rows, unsigned nonzeros)
{
    uint64_t bound = nonzeros * 2 + 1;
    uint64_t random = 1;
    std::vector<int> row(rows + 1);
    for (unsigned i = 0; i < rows; i++) {
        row[i + 1] = row[i] + (int)gm_random_below(&random, bound);
    }
    std::vector<int> column((size_t)row[rows]);
    std::vector<float> value(column.size());
    for (size_t i = 0; i < column.size(); i++) {
        column[i] = (int)gm_random_below(&random, rows);
        value[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    int *device_row = array(row);
    int *device_column = array(column);
    float *device_value = array(value);
    float *x = floats(rows);
    float *y = floats(rows);
    spmv<<<blocks(rows, 128), 128>>>(device_row, device_column, device_value, x, y, rows);
}

/* As histo.c makes the values. */
static void launch_histo(unsigned n, unsigned bins)
{
    uint64_t random = 1;
    std::vector<unsigned> value(n);
    for (unsigned &v : value) {
        uint64_t sum = gm_random_below(&random, bins);
        sum += gm_random_below(&random, bins);
        sum += gm_random_below(&random, bins);
        v = (unsigned)(sum / 3);
    }
    unsigned *device_value = array(value);
    unsigned *bin = (unsigned *)device_memory(bins * sizeof *bin);
    count<<<blocks(blocks(n, 8), 256), 256>>>(device_value, bin, n);
}

static void launched(const std::string &name)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("launch;%s\n", name.c_str());
    fflush(stdout);
}

static void launch_touches(void)
{
    const size_t bytes = (size_t)256 << 20;
    char *memory = (char *)device_memory(bytes);
    unsigned *sink = (unsigned *)device_memory(64);
    struct kind {
        const char *name;
        void (*kernel)(char *, size_t, unsigned *);
    };
    for (kind k : {kind{"load", touch_load}, kind{"store", touch_store},
                   kind{"store_load", touch_store_load}, kind{"red", touch_red}}) {
        for (unsigned mb : {8, 256}) {
            for (unsigned stride : {4, 32, 64, 128, 256}) {
                size_t n = ((size_t)mb << 20) / stride;
                k.kernel<<<(unsigned)(n / 256), 256>>>(memory, stride, sink);
                launched(std::string("touch,kind=") + k.name + ",mb=" + std::to_string(mb) +
                         ",stride=" + std::to_string(stride));
            }
        }
    }
}

int main()
{
    const unsigned n = 1 << 22;
    float *a = floats(n);
    float *b = floats(n);
    float *c = floats(n);
    nothing<<<1, 32>>>();
    launched("nothing");
    vectoradd<<<n / 256, 256>>>(a, b, c, n);
    launched("vectoradd,n=4194304");
    stream_copy<<<blocks(n / 16, 256), 256>>>((unsigned *)a, (unsigned *)b, n);
    launched("stream,n=4194304,copy=1");
    stream_read<<<n / 2 / 1024, 1024>>>((uint2 *)a, (uint2 *)b, n / 2);
    launched("stream,n=2097152,width=8,each=1,threads=1024");
    matmul_cached<<<dim3(16, 16), dim3(TILE, TILE)>>>(a, b, c, 256);
    launched("matmul_tiled,n=256");
    matmul_shared<<<dim3(16, 16), dim3(TILE, TILE)>>>(a, b, c, 256);
    launched("matmul_tiled,n=256,shared=1");
    stencil3d<<<dim3(8, 64, 62), dim3(32, 4)>>>(a, b, 256, 256);
    launched("stencil3d,x=256,y=256,z=64,iterations=1");
    conv2d<<<dim3(64, 256), dim3(32, 8)>>>(a, b, 2048, 2048);
    launched("conv2d,rows=2048,columns=2048");
    unsigned *table = (unsigned *)device_memory((size_t)256 << 20);
    for (unsigned mb : {4, 16, 64, 256}) {
        gather<<<65536 / 256, 256>>>(table, (unsigned *)b, 65536, 16, mb << 18, 1);
        launched("gather,bytes=" + std::to_string((size_t)mb << 20));
    }
    launch_spmv(65536, 32);
    launched("spmv,rows=65536");
    launch_histo(1 << 20, 4096);
    launched("histo,n=1048576");
    const int columns = 262144;
    int *wall = (int *)device_memory(sizeof(int) * columns * 20);
    pathfinder<<<blocks(columns, BLOCK - 40), BLOCK>>>(wall, (int *)a, (int *)b, columns, 20, 0,
                                                       20);
    launched("pathfinder,columns=262144,rows=21");
    scalarprod<<<264, BLOCK>>>(a, b, c, 1024, 4096);
    launched("scalarprod,vectors=1024,ctas=264");
    syrk<<<dim3(4, 16), dim3(32, 8)>>>(a, c, 128, 256, 1.5F, 0.5F);
    launched("syrk,m=256");
    laplace3d<<<dim3(4, 25), dim3(32, 4)>>>(a, b, 100, 100, 100);
    launched("laplace3d,iterations=1");
    for (unsigned words : {1, 32, 65536}) {
        CHECK(cudaMemset(table, 0, 4 * words));
        reduce<<<264, 256>>>(table, 16, words);
        launched("atomics,ctas=264,words=" + std::to_string(words));
    }
    bandwidth<<<132, 1024>>>((uint4 *)table, 4096, 8, (unsigned *)b);
    launched("bandwidth,ctas=132,threads=1024,bytes=8650752,passes=8");
    bandwidth<<<132, 1024>>>((uint4 *)table, 16384, 4, (unsigned *)b);
    launched("bandwidth,ctas=132,threads=1024,bytes=34603008,passes=4");
    launch_touches();
    return 0;
}

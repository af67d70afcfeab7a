#include "support/workload/small_workloads.h"

#include "support/support.h"

#include <stddef.h>
#include <string.h>

static const char *const smaller[] = {
    "atomics,ctas=4",
    "backprop,inputs=512",
    "bandwidth,bytes=65536,ctas=4",
    "barneshut,bodies=200",
    "bfs,nodes=2000",
    "bfs_parboil,nodes=2000",
    "bhtree,bodies=300,ctas=6",
    "blackscholes,n=32768",
    "bptree,records=20000,queries=30,ranges=20",
    "cfd,side=6,body=2",
    "chase,loads=300",
    "cloth,width=16,height=8,ctas=4,iterations=2",
    "conflicts,loads=100",
    "conv2d,rows=128,columns=256",
    "convseparable,width=256,height=64",
    "coulomb,x=70,y=20,atoms=10",
    "cutcp,atoms=64",
    "fft,transforms=8",
    "fwt,log2n=11",
    "gather,n=4096",
    "gaussian,n=24",
    "gesummv,n=64",
    "gridcut,width=12,height=10",
    "gridding,samples=500",
    "heartwall,n=64,points=6,template=4,search=4",
    "histo,n=16384",
    "histo_parboil,width=64,height=40,bins=16384,deviation=20",
    "hotspot,n=64",
    "invertedindex,kilobytes=20",
    "kmeans,points=500",
    "laplace3d,x=40,y=10,z=5,iterations=1",
    "lbm,x=32,y=8,z=8",
    "leukocyte,rows=60,columns=81,cells=1,iterations=2",
    "libor,paths=300,rates=12,steps=5",
    "lud,n=64",
    "matmul_tiled,n=48",
    "mm,n=48",
    "montecarlopi,ctas=1,points=500",
    "mriq,voxels=1024",
    "mummer,reference=2000,reads=300",
    "myocyte,span=1",
    "neuralnet,images=1",
    "nw,n=128",
    "overlap,n=2000,kernels=4,streams=2",
    "particlefilter,particles=100,side=64,frames=3",
    "pathfinder,columns=2048",
    "placement,grid=10,moves=4,ctas=4",
    "raytrace,width=70,height=20",
    "recursivegaussian,width=70,height=40",
    "scalarprod,vectors=4,ctas=2",
    "sgemm,m=128,n=64,k=64",
    "spmv,rows=1000",
    "spmv_parboil,rows=1000",
    "srad,rows=64,columns=64",
    "srad2,rows=64,columns=64",
    "sssp,nodes=1000",
    "stencil3d,x=64,y=16,z=8",
    "storegpu,windows=500",
    "stream,n=262144",
    "streamcluster,points=700,dimensions=4",
    "syrk,n=8",
    "threadfence_reduction,n=8192,ctas=8,vectors=2",
    "wave3d,x=32,y=16,z=3,ctas=4,steps=2",
    "worksteal,n=500,leaf=16,ctas=6",
    "vectoradd,n=32768",
    "weather,x=40,y=17,levels=6",
};

const char *small_workload(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof smaller / sizeof smaller[0]; i++) {
        if (strncmp(smaller[i], name, length) == 0 && smaller[i][length] == ',') {
            return smaller[i];
        }
    }
    fail_msg("workload %s has no small size in %s", name, __FILE__);
    return NULL;
}

/* Constants on which the real kernels and their hosts in command/forms/problems must agree. */
#ifndef WEIR_REAL_SIZES_H
#define WEIR_REAL_SIZES_H

#define BUCKETS_PARTS 16     /* combiners of the table, each for some of its buckets */
#define CHOLESKY_TILE 128    /* rows and columns of a tile */
#define CHOLESKY_THREADS 256 /* of a block on a GPU */
#define CHOLESKY_SLOTS 4096  /* the maximum number of blocks */
#define DECODE_SPLITS 16     /* the maximum number of splits of the cache's tokens */
#define DECODE_TILES 8       /* events of a vector, whose length is a multiple of this */
#define SEARCH_NEVER 0xffffffffu
#define SEARCH_KEPT 64     /* vertices that a block keeps where it has no shared memory */
#define SEARCH_BLOCKS 4096 /* the maximum number of blocks */
#define SOLVE_ENTRIES 8    /* the maximum in a row */
#define SOLVE_WAITS 32     /* the maximum for a set */

#endif

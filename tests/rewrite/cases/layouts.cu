//! padded 128 4 | 4096 | dynamic of use(float*)
//! padded 128 4 | 4096 | bytes(float*)::tile
//! padded 36 4 | 3456 | records(float*)::record
//! swizzled 5 2 5 | 8192 | torn(double*)::tile
//! transposed 32 128 2 | 4096 | halves(float*)::tile
//! padded 128 4 | 4096 | typed(float*)::tile
//! padded 128 4 | 4096 | nothing(float*)::nowhere
//! padded 128 4 | 4000 | bytes(float*)::tile
//! padded 128 4 | 4096 | all
// Layouts that the array's elements or extents do not allow.
typedef float Row[32];
extern __shared__ float dynamic[];
__shared__ float all[32][32];

__global__ void bytes(float *out) {
    __shared__ unsigned char tile[32][128];
    tile[threadIdx.y][threadIdx.x] = dynamic[0];
    all[threadIdx.y][threadIdx.x] = 1;
}

struct Record {
    float x, y, z;
};

__global__ void records(float *out) {
    __shared__ Record record[32][9];
    record[threadIdx.y][0].x = all[1][2];
}

__global__ void torn(double *out) {
    __shared__ double tile[32][32];
    tile[threadIdx.y][threadIdx.x] = 1;
}

__global__ void halves(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = 1;
}

__global__ void typed(float *out) {
    __shared__ Row tile[32];
    tile[threadIdx.y][threadIdx.x] = 1;
}

// The same with an aligned structure.
struct __align__(16) Vertex {
    float x, y, z, u;
    float nx, ny, nz, v;
};

__global__ void vertexLight(const Vertex *vertices, float *light, float sx, float sy, float sz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Vertex at = vertices[i];
    float dx = sx - at.x, dy = sy - at.y, dz = sz - at.z;
    float dot = dx * at.nx + dy * at.ny + dz * at.nz;
    light[i] = dot > 0.0f ? dot : 0.0f;
}

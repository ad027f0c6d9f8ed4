// Particles as structures of four floats, moved one member at a time.
struct Body {
    float x, y, z, speed;
};
__global__ void fall(Body *bodies, float time) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bodies[i].x += bodies[i].speed * time;
    bodies[i].y -= bodies[i].speed * time * 0.5f;
    bodies[i].z += time;
}

// The same with whole structures, which one access takes.
struct __align__(16) Body {
    float x, y, z, speed;
};
__global__ void fall(Body *bodies, float time) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Body body = bodies[i];
    body.x += body.speed * time;
    body.y -= body.speed * time * 0.5f;
    body.z += time;
    bodies[i] = body;
}

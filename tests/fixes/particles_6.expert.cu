// Particles of a cell push their neighbours in a list.
struct Particle {
    float px, py, pz;
    float vx, vy, vz;
};

// A word of padding, so that neighbours begin in different banks.
struct CellParticle : Particle {
    float pad;
};

__global__ void particles6(const Particle *in, Particle *out, float dt) {
    __shared__ CellParticle cell[128];
    const int t = threadIdx.x;
    static_cast<Particle &>(cell[t]) = in[blockIdx.x * 128 + t];
    __syncthreads();
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int n = 1; n <= 8; n++) {
        const Particle other = cell[(t + n) % 128];
        const float dx = other.px - cell[t].px;
        const float dy = other.py - cell[t].py;
        const float dz = other.pz - cell[t].pz;
        const float scale = 1.0f / (dx * dx + dy * dy + dz * dz + 0.1f);
        ax += scale * dx;
        ay += scale * dy;
        az += scale * dz;
    }
    Particle next = cell[t];
    next.vx += dt * ax;
    next.vy += dt * ay;
    next.vz += dt * az;
    next.px += dt * next.vx;
    next.py += dt * next.vy;
    next.pz += dt * next.vz;
    out[blockIdx.x * 128 + t] = next;
}

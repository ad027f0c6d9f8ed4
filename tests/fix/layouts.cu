// Layouts as types, in the manner of CuTe: numbers that are types, swizzles, and what is composed of them.
template <int N> struct Int { static constexpr int value = N; };
using _1 = Int<1>;
using _32 = Int<32>;
using _64 = Int<64>;
template <class... T> struct Shape {};
template <class... T> struct Stride {};
template <class S, class D> struct Layout;
template <class R, class C, class P, class Q> struct Layout<Shape<R, C>, Stride<P, Q>> {
    __device__ constexpr int operator()(int r, int c) const {
        return r * P::value + c * Q::value;
    }
    static constexpr int cosize = (R::value - 1) * P::value + (C::value - 1) * Q::value + 1;
};
template <int B, int M, int S> struct Swizzle {
    __device__ constexpr int operator()(int i) const {
        return i ^ ((i & ((1 << B) - 1) << (M + S)) >> S);
    }
};
template <class F, class L> struct ComposedLayout {
    __device__ constexpr int operator()(int r, int c) const {
        return F{}(L{}(r, c));
    }
    static constexpr int cosize = L::cosize;
};
template <class... T> __host__ __device__ constexpr Shape<T...> make_shape(T...) {
    return {};
}
template <class... T> __host__ __device__ constexpr Stride<T...> make_stride(T...) {
    return {};
}
template <class S, class D> __host__ __device__ constexpr Layout<S, D> make_layout(S, D) {
    return {};
}
template <class F, class L> __host__ __device__ constexpr ComposedLayout<F, L> composition(F, L) {
    return {};
}
template <class L> constexpr int cosize_v = L::cosize;

// One bit of three.
using HalvesLayout = ComposedLayout<Swizzle<1, 3, 3>, Layout<Shape<_64, _64>, Stride<_64, _1>>>;
__global__ void halves(const uint4 *in, uint4 *out) {
    alignas(128) __shared__ unsigned short tile[cosize_v<HalvesLayout>];
    HalvesLayout layout;
    for (int i = threadIdx.x; i < 512; i += 32)
        *reinterpret_cast<uint4 *>(&tile[layout(i / 8, i % 8 * 8)]) = in[i];
    __syncthreads();
    for (int c = 0; c < 8; c++)
        for (int r = threadIdx.x; r < 64; r += 32)
            out[c * 64 + r] = *reinterpret_cast<uint4 *>(&tile[layout(r, c * 8)]);
}

// A swizzle that does nothing.
using FloatsLayout =
    decltype(composition(Swizzle<0, 4, 3>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{}));
__global__ void floats(const float *in, float *out) {
    __shared__ float plane[cosize_v<FloatsLayout>];
    FloatsLayout layout;
    for (int y = 0; y < 32; y++)
        plane[layout(y, threadIdx.x)] = in[y * 32 + threadIdx.x];
    __syncthreads();
    for (int y = 0; y < 32; y++)
        out[y * 32 + threadIdx.x] = plane[layout(threadIdx.x, y)];
}

// An object.
__global__ void made(const float *in, float *out) {
    auto layout = make_layout(make_shape(_32{}, _32{}), make_stride(_32{}, _1{}));
    __shared__ float square[cosize_v<decltype(layout)>];
    for (int y = 0; y < 32; y++)
        square[layout(y, threadIdx.x)] = in[y * 32 + threadIdx.x];
    __syncthreads();
    for (int y = 0; y < 32; y++)
        out[y * 32 + threadIdx.x] = square[layout(threadIdx.x, y)];
}

//! tried
//! swizzled 2 5 3 | 8192 | more(int, float*)::composed
//! swizzled 5 2 5 | 4096 | made(int, float*)::object
//! swizzled 5 2 5 | 4096 | named(int, float*)::alias
//! swizzled 5 2 5 | 4096 | other(int, float*)::crossed
// Exclusive ors where they stand in the types of layouts. `more` has one of three bits, `other` one that makes no swizzle with what is asked for.
namespace cute {
template <int N> struct Int {
    static constexpr int value = N;
};
template <class A, class B> struct Shape {};
template <class A, class B> struct Stride {};
template <class S, class D> struct Layout;
template <class R, class C, class P, class Q> struct Layout<Shape<R, C>, Stride<P, Q>> {
    __device__ constexpr int operator()(int r, int c) const { return r * P::value + c * Q::value; }
    static constexpr int cosize = (R::value - 1) * P::value + (C::value - 1) * Q::value + 1;
};
template <int B, int M, int S> struct Swizzle {
    __device__ constexpr int operator()(int i) const { return i ^ ((i & ((1 << B) - 1) << (M + S)) >> S); }
};
template <class F, class L> struct ComposedLayout {
    __device__ constexpr int operator()(int r, int c) const { return F{}(L{}(r, c)); }
    static constexpr int cosize = L::cosize;
};
template <class F, class L> __host__ __device__ constexpr ComposedLayout<F, L> composition(F, L) { return {}; }
template <class S, class D> __host__ __device__ constexpr Layout<S, D> make_layout(S, D) { return {}; }
template <class L> constexpr int cosize_v = L::cosize;
} // namespace cute

using Rows = cute::Layout<cute::Shape<cute::Int<32>, cute::Int<32>>, cute::Stride<cute::Int<32>, cute::Int<1>>>;
using Halves = cute::ComposedLayout<cute::Swizzle<1, 3, 3>,
                                    cute::Layout<cute::Shape<cute::Int<64>, cute::Int<64>>, cute::Stride<cute::Int<64>, cute::Int<1>>>>;
using Crossed = decltype(cute::composition(cute::Swizzle<1, 6, 2>{}, Rows{}));

__global__ void more(int at, float *out) {
    __shared__ unsigned short composed[cute::cosize_v<Halves>];
    composed[Halves{}(threadIdx.x, at)] = at;
    out[0] = composed[Halves{}(at, threadIdx.x)];
}

__global__ void named(int at, float *out) {
    __shared__ float alias[cute::cosize_v<Rows>];
    alias[Rows{}(threadIdx.x, at)] = at;
    out[0] = alias[Rows{}(at, threadIdx.x)];
}

__global__ void made(int at, float *out) {
    auto layout = cute::make_layout(cute::Shape<cute::Int<32>, cute::Int<32>>{}, cute::Stride<cute::Int<32>, cute::Int<1>>{});
    __shared__ float object[cute::cosize_v<decltype(layout)>];
    object[layout(threadIdx.x, at)] = at;
    out[0] = object[layout(at, threadIdx.x)];
}

__global__ void other(int at, float *out) {
    __shared__ float crossed[cute::cosize_v<Crossed>];
    crossed[Crossed{}(threadIdx.x, at)] = at;
    out[0] = crossed[Crossed{}(at, threadIdx.x)];
}

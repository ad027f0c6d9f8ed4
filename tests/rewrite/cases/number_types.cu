//! tried
//! padded 128 4 | 4096 | turn(float const*, float*)::memory
//! padded 128 4 | 4096 | qualified(float const*, float*)::memory
// Layouts whose arguments are types that are numbers, as CuTe's: `_32` becomes `Int<33>`.
namespace cute {
template <int N> struct Int {
    static constexpr int value = N;
};
using _1 = Int<1>;
using _32 = Int<32>;
template <class A, class B> struct Pair {};
template <class A, class B> using Shape = Pair<A, B>;
template <class A, class B> using Stride = Pair<A, B>;
template <class S, class D> struct Layout;
template <class R, class C, class P, class Q> struct Layout<Pair<R, C>, Pair<P, Q>> {
    __device__ int operator()(int r, int c) const { return r * P::value + c * Q::value; }
    static constexpr int cosize = (R::value - 1) * P::value + (C::value - 1) * Q::value + 1;
};
template <class Layout> constexpr int cosize_v = Layout::cosize;
} // namespace cute
template <class T> struct Tensor {
    T *at;
};
template <class T> __device__ Tensor<T> make_tensor(T *at);

using TileLayout = cute::Layout<cute::Shape<cute::_32, cute::_32>, cute::Stride<cute::_32, cute::_1>>;

__global__ void qualified(const float *in, float *out) {
    __shared__ float memory[cute::cosize_v<TileLayout>];
    auto tile = make_tensor(memory);
    tile.at[TileLayout{}(threadIdx.y, threadIdx.x)] = in[0];
    out[0] = tile.at[TileLayout{}(threadIdx.x, threadIdx.y)];
}

using namespace cute;
__global__ void turn(const float *in, float *out) {
    using Tile = Layout<Shape<_32, _32>, Stride<_32, _1>>;
    __shared__ float memory[cosize_v<Tile>];
    auto tile = make_tensor(memory);
    tile.at[Tile{}(threadIdx.y, threadIdx.x)] = in[0];
    out[0] = tile.at[Tile{}(threadIdx.x, threadIdx.y)];
}

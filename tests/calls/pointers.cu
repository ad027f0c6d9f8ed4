// Functions called through pointers: tables, arguments of functions, virtual functions.
typedef int (*Operation)(int, int);

__device__ __noinline__ int add(int a, int b) {
    return a + b;
}
__device__ __noinline__ int subtract(int a, int b) {
    return a - b;
}
__device__ __noinline__ int multiply(int a, int b) {
    return a * b;
}

__device__ Operation operations[] = {add, subtract, multiply};
__constant__ Operation constants[] = {multiply, add};

__device__ __noinline__ int twice(Operation operation, int a, int b) {
    return operation(operation(a, b), b);
}

extern "C" __global__ void table(int *out) {
    int i = static_cast<int>(threadIdx.x);
    out[i] = operations[i % 3](i, 5) + 1000 * constants[i / 16 % 2](i, 2);
}

extern "C" __global__ void passed(int *out, int which) {
    int i = static_cast<int>(threadIdx.x);
    Operation operation = which == 0 ? add : i % 2 ? multiply : subtract;
    out[i] = twice(operation, i, 3);
}

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
    __device__ virtual ~Shape() {}
};

struct Square : Shape {
    float side;
    __device__ explicit Square(float side) : side(side) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};

struct Disc : Shape {
    float radius;
    __device__ explicit Disc(float radius) : radius(radius) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};

struct Hexagon : Square {
    __device__ explicit Hexagon(float side) : Square(side) {}
    __device__ int corners() const override { return 6; }
};

__device__ __noinline__ float measure(const Shape *shape) {
    return shape->area() + 100.0f * static_cast<float>(shape->corners());
}

extern "C" __global__ void shapes(float *out) {
    int i = static_cast<int>(threadIdx.x);
    Shape *shape;
    switch (i % 3) {
    case 0:
        shape = new Square(static_cast<float>(i));
        break;
    case 1:
        shape = new Disc(static_cast<float>(i));
        break;
    default:
        shape = new Hexagon(static_cast<float>(i));
    }
    out[i] = measure(shape);
    delete shape;
}

extern "C" __global__ void null_call(int *out, Operation operation) {
    out[threadIdx.x] = operation(1, 2);
}

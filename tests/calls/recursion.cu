// Functions that call themselves and each other, to different depths in each lane.
__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) {
    return n == 0 || is_odd(n - 1);
}
__device__ __noinline__ bool is_odd(unsigned n) {
    return n != 0 && is_even(n - 1);
}

// Not a tail call: each level adds when the deeper one is back.
__device__ __noinline__ long long sum_to(int n, int step) {
    if (n <= 0)
        return 0;
    long long rest = sum_to(n - step, step);
    return rest + n;
}

// A frame with an array in each level.
__device__ __noinline__ void permute(int *items, int n, int k, int *count, int *last) {
    int mine[4];
    for (int i = 0; i < n; i++)
        mine[i] = items[i];
    if (k == n) {
        *last = 0;
        for (int i = 0; i < n; i++)
            *last = *last * 10 + mine[i];
        ++*count;
        return;
    }
    for (int i = k; i < n; i++) {
        int kept = mine[k];
        mine[k] = mine[i];
        mine[i] = kept;
        permute(mine, n, k + 1, count, last);
    }
}

__device__ __noinline__ void sort(int *items, int from, int to) {
    if (from >= to)
        return;
    int pivot = items[(from + to) / 2], i = from, j = to;
    while (i <= j) {
        while (items[i] < pivot)
            i++;
        while (items[j] > pivot)
            j--;
        if (i <= j) {
            int kept = items[i];
            items[i++] = items[j];
            items[j--] = kept;
        }
    }
    sort(items, from, j);
    sort(items, i, to);
}

extern "C" __global__ void fibonaccis(int *out) {
    out[threadIdx.x] = fibonacci(static_cast<int>(threadIdx.x) % 14);
}

extern "C" __global__ void ackermanns(int *out) {
    out[threadIdx.x] = ackermann(static_cast<int>(threadIdx.x) % 3, static_cast<int>(threadIdx.x) % 5);
}

extern "C" __global__ void parities(int *out) {
    out[threadIdx.x] = is_even(threadIdx.x) ? 1 : 2;
}

extern "C" __global__ void sums(long long *out, int n) {
    out[threadIdx.x] = sum_to(n + static_cast<int>(threadIdx.x), 1 + static_cast<int>(threadIdx.x) % 2);
}

extern "C" __global__ void permutations(int *out) {
    int items[4] = {1, 2, 3, 4}, count = 0, last = 0;
    permute(items, 2 + static_cast<int>(threadIdx.x) % 3, 0, &count, &last);
    out[threadIdx.x] = count * 10000 + last;
}

extern "C" __global__ void sorts(int *items, int each) {
    sort(items + threadIdx.x * each, 0, each - 1);
}

// malloc, free, new and delete in kernels.
struct Node {
    Node *next;
    int value;
};

// Each thread keeps a list of its own, sorted.
extern "C" __global__ void lists(long long *out, int n) {
    unsigned seed = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned self = seed;
    Node *head = nullptr;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        Node *node = new Node{nullptr, static_cast<int>(seed >> 16)};
        Node **at = &head;
        while (*at && (*at)->value < node->value)
            at = &(*at)->next;
        node->next = *at;
        *at = node;
    }
    long long sum = 0;
    int place = 1;
    while (head) {
        Node *next = head->next;
        sum += static_cast<long long>(head->value) * place++;
        delete head;
        head = next;
    }
    out[self] = sum;
}

// More than there is: malloc gives what it has, then nothing; all comes back.
extern "C" __global__ void exhausted(int *out, int bytes) {
    void *blocks[64];
#pragma unroll 1
    for (int round = 0; round < 2; round++) {
        int count = 0;
#pragma unroll 1
        while (count < 64 && (blocks[count] = malloc(bytes)) != nullptr)
            count++;
        out[round] = count;
#pragma unroll 1
        for (int i = 0; i < count; i++)
            free(blocks[i]);
    }
    free(nullptr);
    unsigned long long *aligned = static_cast<unsigned long long *>(malloc(24));
    out[2] = reinterpret_cast<unsigned long long>(aligned) % 16 == 0;
    aligned[2] = 7;
    out[3] = static_cast<int>(aligned[2]);
    free(aligned);
}

extern "C" __global__ void freed_twice(int *out) {
    int *block = static_cast<int *>(malloc(4));
    *block = 1;
    out[0] = *block;
    free(block);
    free(block);
}

// gallery: examples to begin with, as data. `slide`: the variable whose slider draws the curve, its least and greatest value.

export const GALLERY = [
    {
        group: 'Layouts',
        title: 'A column of a tile: 32-way',
        text:
            'The rows are 32 words apart, so all lanes meet in one bank. Drag p, the padding, to 1.',
        fields: {decl: 'float tile[32][32 + p]', access: 'tile[lane][k]', set: 'p=0, k=0'},
        slide: {p: [0, 33]}
    },
    {
        group: 'Layouts',
        title: 'A row of a tile',
        text: 'Neighbouring words lie in neighbouring banks: one wavefront.',
        fields: {
            decl: '__shared__ float tile[32][32]',
            access: 'tile[k][threadIdx.x]',
            set: 'k=0',
            block: '32'
        },
        slide: {k: [0, 31]}
    },
    {
        group: 'Layouts',
        title: 'A distance between lanes',
        text: 'gcd(d, 32) lanes meet in each bank: odd distances never conflict.',
        fields: {decl: 'float a[32 * 33]', access: 'a[lane * d]', set: 'd=2'},
        slide: {d: [1, 33]}
    },
    {
        group: 'Layouts',
        title: 'Padding of a tile of doubles',
        text: 'Eight bytes a lane are served in two groups of 16 lanes.',
        fields: {decl: 'double tile[32][32 + p]', access: 'tile[lane][k]', set: 'p=0, k=0'},
        slide: {p: [0, 33]}
    },
    {
        group: 'Swizzles',
        title: 'A column, swizzled by XOR',
        text:
            'Element (r, c) is stored at c ^ r of its row: no padding, and columns are spread over all banks.',
        fields: {decl: 'float tile[32][32]', access: 'tile[lane][k ^ lane]', set: 'k=0'},
        slide: {k: [0, 31]}
    },
    {
        group: 'Swizzles',
        title: 'CuTe\'s Swizzle<3,3,3> and ldmatrix',
        text:
            'Rows of 64 halves: eight rows begin in bank 0, until pieces of 16 bytes are swizzled.',
        fields: {
            decl: 'half a[64][64]',
            access: 'a[lane % 16][8 * (lane / 16)]',
            op: 'ldmatrix.x4',
            swizzle: '3,3,3'
        }
    },
    {
        group: 'CuTe layouts',
        title: 'Layout<Shape<_8,_64>, Stride<_64,_1>>: a column',
        text: 'Rows of 64 halves, 128 bytes apart: the eight rows of a column begin in bank 0.',
        fields: {
            decl: 'half s : Layout<Shape<_8,_64>, Stride<_64,_1>>',
            access: 's(lane % 8, k)',
            set: 'k=0'
        },
        slide: {k: [0, 63]}
    },
    {
        group: 'CuTe layouts',
        title: 'The same with Swizzle<3,3,3>, read by ldmatrix',
        text:
            'Pieces of eight halves are moved by the number of their row: a matrix takes one wavefront.',
        fields: {
            decl: 'half s : Swizzle<3,3,3> o (16,64):(64,1)',
            access: 's(lane % 16, 8 * (lane / 16))',
            op: 'ldmatrix.x4'
        }
    },
    {
        group: 'CuTe layouts',
        title: 'A layout of threads and values',
        text:
            'Thread t has values v of a tile by ((4,8),(2,2)):((32,1),(16,8)): the m16n8 accumulator of mma (SM80_16x8_Row).',
        fields: {decl: 'float c : ((4,8),(2,2)):((32,1),(16,8))', access: 'c(lane, v)', set: 'v=0'},
        slide: {v: [0, 3]}
    },
    {
        group: 'CuTe layouts',
        title: 'The same in a tile with rows of 64 halves',
        text:
            'Composed: the values of the threads are coordinates of the tile. Eight rows begin in bank 0.',
        fields: {
            decl: 'half c : (16,64):(64,1) o ((4,8),(2,2)):((32,1),(16,8))',
            access: 'c(lane, v)',
            set: 'v=0'
        },
        slide: {v: [0, 3]}
    },
    {
        group: 'CuTe layouts',
        title: 'An ldmatrix.x4 atom in a swizzled tile',
        text:
            'Thread t names a row of eight halves, its values; ((16,2),8):((1,128),16) says where they are in the tile of 16 rows.',
        fields: {
            decl: 'half s : Swizzle<3,3,3> o (16,64):(64,1) o ((16,2),8):((1,128),16)',
            access: 's(lane, 0)',
            op: 'ldmatrix.x4'
        }
    },
    {
        group: 'Wide loads',
        title: 'float4, one after the other',
        text: 'Sixteen bytes a lane take four wavefronts at best, eight lanes each.',
        fields: {decl: 'float4 v[64]', access: 'v[lane * d]', set: 'd=1'},
        slide: {d: [1, 2]}
    },
    {
        group: 'Wide loads',
        title: 'Lanes that read the same: the pair rule',
        text: 'Lanes that read the same eight bytes are merged before they are grouped.',
        fields: {decl: 'float2 v[32]', access: 'v[lane / 2]'}
    },
    {
        group: 'Types',
        title: 'Half precision',
        text: 'Two halves lie in one word, which is delivered to both lanes.',
        fields: {decl: 'half h[64]', access: 'h[lane * d]', set: 'd=1'},
        slide: {d: [1, 2]}
    },
    {
        group: 'Types',
        title: 'A structure of three floats',
        text: 'Three is odd: no conflict. Add a member and see.',
        fields: {decl: 'struct P { float x, y, z; } p[32]', access: 'p[lane].y'}
    },
    {
        group: 'Types',
        title: 'double3, member by member',
        text: 'Structures of 24 bytes: six words from lane to lane.',
        fields: {decl: 'double3 v[32]', access: 'v[lane].x'}
    },
    {
        group: 'Operations',
        title: 'An atomic addition where lanes meet',
        text: 'A compare-and-swap loop goes once for each lane that wants the same word.',
        fields: {decl: 'float sums[32]', access: 'sums[lane / n]', op: 'atom.add.f32', set: 'n=4'},
        slide: {n: [1, 32]}
    },
    {
        group: 'Operations',
        title: 'A histogram\'s increment',
        text: 'Lanes that increment the same word are counted at once.',
        fields: {decl: 'int bins[256]', access: 'bins[lane * lane % 64]', op: 'increment'}
    },
    {
        group: 'Operations',
        title: 'cp.async of 16 bytes',
        text: 'Copies from global memory: a wavefront moves sectors of one kind.',
        fields: {decl: 'float4 tile[32][8]', access: 'tile[lane / 8][lane % 8]', op: 'cp.async.cg'}
    },
    {
        group: 'Operations',
        title: 'ldmatrix of rows of 64 halves',
        text: 'Eight rows of a matrix, 128 bytes apart: all begin in bank 0.',
        fields: {
            decl: 'half a[64][64 + p]',
            access: 'a[lane % 16][8 * (lane / 16)]',
            op: 'ldmatrix.x4',
            set: 'p=0'
        },
        slide: {p: [0, 32]}
    },
    {
        group: 'Global memory',
        title: 'Neighbours: coalesced',
        text: 'Thirty-two floats side by side are four sectors.',
        fields: {decl: 'float a[4096]', access: 'a[tid + o]', set: 'o=0', global: '1'},
        slide: {o: [0, 33]}
    },
    {
        group: 'Global memory',
        title: 'A stride',
        text:
            'Each further word between lanes brings further sectors, until each lane has its own.',
        fields: {decl: 'float a[4096]', access: 'a[tid * s]', set: 's=2', global: '1'},
        slide: {s: [1, 33]}
    },
    {
        group: 'Global memory',
        title: 'double3 in global memory',
        text:
            'A member of a structure of 24 bytes: all sectors are moved for a third of their bytes.',
        fields: {decl: 'double3 v[64]', access: 'v[tid].x', global: '1'}
    },
];

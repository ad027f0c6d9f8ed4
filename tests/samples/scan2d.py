"""scan2d: the tile's summed-area table, alone and as part of the whole image's; three layouts."""

from harness import Test, np

TILE, NX, NY = 32, 1024, 1024
TILES_X, TILES_Y = NX // TILE, NY // TILE
WARPS = NX * NY // 32
NOT_LEFTMOST = WARPS - WARPS // TILES_X  # warps of the blocks that have a neighbour to the left

test = Test("scan2d")
image = np.random.default_rng(1).integers(0, 256, (NY, NX), dtype=np.uint8)
squares = image.astype(np.uint64) ** 2

# Without neighbours: each tile's own table.
tiles = squares.reshape(TILES_Y, TILE, TILES_X, TILE)
alone = tiles.cumsum(axis=3, dtype=np.uint64).cumsum(axis=1, dtype=np.uint64).reshape(NY, NX)

# With the sums of the tiles to the left and the table above: the whole image's.
whole = squares.cumsum(axis=1, dtype=np.uint64).cumsum(axis=0, dtype=np.uint64)
left = tiles.sum(axis=3, dtype=np.uint64).cumsum(axis=2, dtype=np.uint64)
left = left.reshape(NY, TILES_X).T.copy()
above = whole[TILE - 1 :: TILE].copy()
nothing = np.zeros(TILES_X * NY, np.uint64)

LAYOUTS = {"blockScan<0>": 32, "blockScan<1>": 2, "blockScanSwizzled": 2}  # wavefronts of a column
for kernel, column in LAYOUTS.items():
    for expected, columns, rows in [(alone, nothing, nothing), (whole, left, above)]:
        launch = test.launch(
            kernel, f"{TILES_X},{TILES_Y}", f"{TILE},{TILE}",
            image.reshape(-1), np.zeros(NX * NY, np.uint64), columns.reshape(-1), rows.reshape(-1),
            f"i32={NX}", f"i32={NY}",
        )  # fmt: skip
        launch.result(1, expected)

        launch.device("u64 pixel = src", "load", WARPS, WARPS, WARPS)
        launch.shared("= pixel * pixel;", "store", WARPS, 2 * WARPS, 2 * WARPS)
        launch.device("left = colReduced", "load", NOT_LEFTMOST, NOT_LEFTMOST, NOT_LEFTMOST)
        launch.shared("u64 value = tile.at(", "load", WARPS, 2 * WARPS, 2 * WARPS)
        launch.shared(
            "tile.at(threadIdx.y, threadIdx.x) = value;", "store", WARPS, 2 * WARPS, 2 * WARPS
        )
        launch.shared("// a column: the conflicting load", "load", WARPS, column * WARPS, 2 * WARPS)
        launch.shared("// and the conflicting store", "store", WARPS, column * WARPS, 2 * WARPS)
        launch.device(
            "above = rowReduced", "load", NOT_LEFTMOST, 8 * NOT_LEFTMOST, 8 * NOT_LEFTMOST
        )
        launch.shared(
            "    value = tile.at(threadIdx.y, threadIdx.x);", "load", WARPS, 2 * WARPS, 2 * WARPS
        )
        launch.device("dst[y * nx + x] =", "store", WARPS, 8 * WARPS, 8 * WARPS)
        launch.done()

test.finish()

# --sanitize init: what decides where two halves of a warp meet is read by all its lanes at once, of which the first is named
$ warplens kernel $TESTS/cli/unset.ptx --grid 1 --block 32 --arg 'i32[32]' --sanitize init --no-save 2>/dev/null | grep -E 'times|thread'
4 bytes in shared memory, at unset.ptx:19; 32 times
    block   (0,0,0), thread (0,0,0)
    block   (0,0,0), thread (0,0,0)
  sectors per request. find: findings. insts: PTX instructions, by threads.

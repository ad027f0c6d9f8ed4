# Transforms in half precision and in bfloat16: what an H200 printed (cuFFT of CUDA 13.0).
$ warplens run -q fft_half
  8 x 0, 6 to 6 in 6: 0
    run: 0, within 1/512 of the largest
  64 x 0, 6 to 6 in 6: 0
    run: 0, within 1/512 of the largest
  64 x 0, 6 to 6 in 6: 0
    run: 0, within 1/512 of the largest
  64 x 0, 2 to 6 in 6: 0
    run: 0, within 1/512 of the largest
  64 x 0, 6 to 2 in 6: 0
    run: 0, within 1/512 of the largest
  64 x 0, 2 to 6 in 2: 0
    run: 0, within 1/512 of the largest
  64 x 0, 15 to 15 in 15: 0
    run: 0, within 1/512 of the largest
  64 x 0, 14 to 15 in 15: 0
    run: 0, within 1/512 of the largest
  64 x 0, 15 to 14 in 15: 0
    run: 0, within 1/512 of the largest
  12 x 0, 6 to 6 in 6: 16
  1 x 0, 6 to 6 in 6: 0
    run: 0, within 1/512 of the largest
  2 x 0, 6 to 6 in 6: 0
    run: 0, within 1/512 of the largest
  2 x 0, 2 to 6 in 6: 0
    run: 0, within 1/512 of the largest
  32 x 16, 6 to 6 in 6: 0
  32 x 12, 6 to 6 in 6: 16
  64 x 0, 6 to 4 in 6: 3
  64 x 0, 6 to 4 in 4: 3
  64 x 0, 6 to 6 in 4: 3
  64 x 0, 6 to 15 in 6: 3
  64 x 0, 2 to 2 in 2: 3

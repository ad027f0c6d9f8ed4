# What depends on the order of blocks: how the program ends, its faults, its counts, its launches
$ warplens run --schedules 6 orders; for way in status fault count launch; do echo "-- $way"; warplens run --schedules 3 orders $way 2>/dev/null; echo "status $?"; done
6 orders: the program's results depend on the order
  memory: device memory 1 (64 bytes) behind launch 0, last, differs in 3 of 6 orders (--schedule seed:1)
    1 of 16 words of 4 bytes differ, the first is [0]: 3, and 2 (as float: 4.20389539e-45, 2.80259693e-45)
-- status
3 orders: the program's results depend on the order
  exit status: 3, and 2 with --schedule seed:1; differs in 2
  memory: device memory 1 (64 bytes) behind launch 0, last, differs in 2 of 3 orders (--schedule seed:1)
    1 of 16 words of 4 bytes differ, the first is [0]: 3, and 2 (as float: 4.20389539e-45, 2.80259693e-45)
status 1
-- fault
3 orders: the program's results depend on the order
  faults: 0, and 1 with --schedule seed:1; differ in 2
  memory: device memory 1 (64 bytes) behind launch 0, last, differs in 2 of 3 orders (--schedule seed:1)
    1 of 16 words of 4 bytes differ, the first is [0]: 3, and 2 (as float: 4.20389539e-45, 2.80259693e-45)
  count: some, PTX:23: requests are 1, and 0 with --schedule seed:1
  count: some, PTX:23: lanes are 32, and 0 with --schedule seed:1
  count: some, PTX:23: bytes are 128, and 0 with --schedule seed:1
  count: some, PTX:23: sectors are 1, and 0 with --schedule seed:1
  count: some, PTX:23: sectors_ideal are 1, and 0 with --schedule seed:1
  count: some, PTX:23: tag_requests are 1, and 0 with --schedule seed:1
  count: some, PTX:23: bytes_used are 4, and 0 with --schedule seed:1
status 1
-- count
3 orders: the program's results depend on the order
  memory: device memory 1 (64 bytes) behind launch 0, last, differs in 2 of 3 orders (--schedule seed:1)
    1 of 16 words of 4 bytes differ, the first is [0]: 3, and 2 (as float: 4.20389539e-45, 2.80259693e-45)
  count: some, PTX:23: requests are 4, and 3 with --schedule seed:1
  count: some, PTX:23: lanes are 128, and 96 with --schedule seed:1
  count: some, PTX:23: bytes are 512, and 384 with --schedule seed:1
  count: some, PTX:23: sectors are 4, and 3 with --schedule seed:1
  count: some, PTX:23: sectors_ideal are 4, and 3 with --schedule seed:1
  count: some, PTX:23: tag_requests are 4, and 3 with --schedule seed:1
  count: some, PTX:23: bytes_used are 16, and 12 with --schedule seed:1
status 1
-- launch
3 orders: the program's results depend on the order
  memory: device memory 1 (64 bytes) behind launch 0, last, differs in 2 of 3 orders (--schedule seed:1)
    1 of 16 words of 4 bytes differ, the first is [0]: 3, and 2 (as float: 4.20389539e-45, 2.80259693e-45)
status 1
$ for seed in 1 2 3 4 5 6; do warplens run -q --no-save --schedule seed:$seed orders status; echo "seed $seed: $?"; done
seed 1: 2
seed 2: 1
seed 3: 3
seed 4: 3
seed 5: 2
seed 6: 3

# 100,000 launches; the memory of the program does not grow.
$ warplens run -q -o m.wlp many 100000
many: done
$ warplens report m.wlp --page summary | grep "^Summary"
Summary: 100000 of 100000 launches, GPU h100

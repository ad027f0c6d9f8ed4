# 100,000 launches, with one allocation and with 10,000, and after 2,000 modules: nothing grows, nothing gets slow.
$ warplens run -q -o m.wlp many 100000
many: done
$ warplens report m.wlp --page summary | grep "^Summary"
Summary: 100000 of 100000 launches, GPU h100
$ warplens run -q -o m.wlp many 20000 10000 2000
many: done

# However a program ends, its launches are in the profile, and its exit status is passed on.
$ warplens run -q -o p.wlp ends return; warplens report p.wlp --page summary | grep "^Summary"
Summary: 3 of 3 launches, GPU h100
$ warplens report p.wlp --format json | grep -E '"(command|program)":'
 "command": "warplens run -q -o p.wlp ends return",
  "program": "ends",
$ warplens run -q -o p.wlp ends fork; warplens report p.wlp --page summary | grep "^Summary"
Summary: 6 of 6 launches, GPU h100
$ warplens run -q -o p.wlp ends fork-late; warplens report p.wlp --page summary | grep "^Summary"
Summary: 6 of 6 launches, GPU h100
$ warplens run -q -o p.wlp ends exec; warplens report p.wlp --page summary | grep "^Summary"
Summary: 6 of 6 launches, GPU h100
$ warplens run -q -o p.wlp ends _exit
? 7
$ warplens run -q -o p.wlp ends abort
? 134
$ warplens run -q -o p.wlp ends kill
? 137
$ warplens report p.wlp --page summary | grep "^Summary"
Summary: 3 of 3 launches, GPU h100
$ cp "$(command -v ends)" mine; warplens run -q -o mine ./mine; warplens run -q -o no/such/folder/p.wlp ends; ./mine
warplens: error: mine: is read by this command and would be overwritten: name another file
warplens: error: no/such/folder/p.wlp: cannot be written: No such file or directory
$ warplens run -q -o p.wlp ends closes; warplens report p.wlp --page summary | grep "^Summary"
Summary: 6 of 6 launches, GPU h100
$ warplens run -q -o p.wlp ends daemon; warplens report p.wlp --page summary | grep "^Summary"
Summary: 6 of 6 launches, GPU h100
$ warplens run -q -o p.wlp python3 -c 'import os, resource as r, socket, subprocess; most = r.getrlimit(r.RLIMIT_NOFILE)[1]; r.setrlimit(r.RLIMIT_NOFILE, (most, most)); held = [socket.socket(socket.AF_UNIX) for _ in range(min(1100, most - 64))]; [one.connect(os.environ["WARPLENS_SOCKET"]) for one in held]; subprocess.run(["ends", "return"])'; warplens report p.wlp --page summary | grep "^Summary"  # a crowd of processes
Summary: 3 of 3 launches, GPU h100

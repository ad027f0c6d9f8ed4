# Warps that go from barrier to barrier within one basic block are getting on: no deadlock.
$ printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\tbar.sync 0;\n\tbar.sync 0;\n\tbar.sync 0;\n\tbar.sync 0;\n\tret;\n}\n' >k.ptx; warplens kernel k.ptx --block 256 --no-sass --quiet

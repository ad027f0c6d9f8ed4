# Launches have the names of the NVTX ranges that they are made in; one between a stop and a start is not counted.
$ warplens run -q -o r.wlp ranges; warplens report --page details r.wlp | grep range: ; warplens report --format json r.wlp | grep -oE '"(range|launch)": ("[^"]*"|[0-9])'
  range: epoch 1/forward/layer 2
"launch": 0
"range": "epoch 1/forward/layer 2"
"launch": 1
"range": "epoch 1/forward/loss"
"launch": 2
"range": "epoch 1"
"launch": 3

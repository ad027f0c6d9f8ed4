# Graphs by hand and by capture.
$ warplens run -q graphs
graphs: fine

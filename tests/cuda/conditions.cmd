# Conditions, edges, captures and attributes of graphs; attributes of launches and streams; batches. What it prints is what the same program
# printed on an H200 (driver 580.159, CUDA 13.0), 22 November 2026.
$ warplens run -q conditions
depends on 2
cuStreamUpdateCaptureDependencies_v2(stream, &own, NULL, 1, 2): CUDA_ERROR_INVALID_VALUE
cuStreamUpdateCaptureDependencies_v2(stream, &own, NULL, 1, 1): CUDA_SUCCESS
depends on 1, the own one: 1
cuStreamEndCapture(stream, &same): CUDA_SUCCESS
cuStreamUpdateCaptureDependencies_v2(stream, &own, NULL, 1, 1): CUDA_ERROR_ILLEGAL_STATE
5 nodes, 5 edges
1 roots
cuStreamEndCapture(stream, &same): CUDA_ERROR_STREAM_CAPTURE_UNJOINED
still captured: 0
0: launch 0; node 1 1, has 0; stream 1 1, has 0
1: launch 0; node 0 0, has 0; stream 0 0, has 0
2: launch 0; node 0 0, has 0; stream 1 1, has 0
3: launch 1; node 1 1, has 0; stream 1 0, has -1
4: launch 0; node 0 0, has 1; stream 1 1, has 0
5: launch 0; node 0 0, has 0; stream 1 1, has 0
6: launch 0; node 1 1, has 0; stream 1 1, has 0
7: launch -1; node -1 1, has 0; stream 1 1, has 0
8: launch 0; node 0 0, has 0; stream 0 0, has 0
9: launch 0; node 0 0, has 0; stream 0 0, has 0
10: launch 0; node 0 0, has 0; stream 0 0, has 0
11: launch 912; node 1 1, has 0; stream 1 1, has 0
12: launch -1; node -1 1, has 0; stream 1 1, has 0
13: launch 801; node 0 0, has 0; stream 1 1, has 0
14: launch 0; node 0 0, has 0; stream 1 1, has 0
15: launch 1; node 1 1, has 0; stream 1 1, has 0
16: launch 0; node 0 1, has 0; stream 1 1, has 0
17: launch 1; node 1 1, has 0; stream 1 1, has 0
cuStreamBatchMemOp_v2(stream, 3, two, 0): CUDA_SUCCESS
batch: 7 8
cuStreamBatchMemOp_v2(stream, 3, two, 1): CUDA_ERROR_INVALID_VALUE
cuStreamBatchMemOp_v2(stream, 257, two, 0): CUDA_ERROR_INVALID_VALUE
cuStreamBatchMemOp_v2(stream, 3, two, 0): CUDA_ERROR_INVALID_VALUE
cuStreamBatchMemOp_v2(stream, 1, two, 0): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 1, stream): CUDA_SUCCESS
7 7 8
cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 1, NULL): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 0, &kind, first, 1, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 0, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 1, stream): CUDA_ERROR_INVALID_VALUE
cuMemcpyBatchAsync_v2(to, from, bytes, 2, &kind, first, 1, stream): CUDA_ERROR_INVALID_VALUE
cuGraphAddNode_v2(&nodes[1], graph, nodes, &wrong, 1, &launch): CUDA_ERROR_INVALID_VALUE
cuGraphAddNode_v2(&nodes[1], graph, nodes, data, 1, &launch): CUDA_SUCCESS
cuGraphAddNode_v2(&nodes[2], graph, nodes, NULL, 2, &empty): CUDA_SUCCESS
cuGraphGetEdges_v2(graph, from, to, data, &count): CUDA_SUCCESS
3 edges: type 1 from port 1
cuGraphGetEdges(graph, from, to, &count): CUDA_ERROR_LOSSY_QUERY
cuGraphRemoveDependencies_v2(graph, &nodes[0], &nodes[2], NULL, 1): CUDA_SUCCESS
cuGraphRemoveDependencies_v2(graph, &nodes[0], &nodes[2], NULL, 1): CUDA_ERROR_INVALID_VALUE
the kernel that sets a condition: 0
type 0, size 1, value 1: 0
node of type 13
after it: 0 100
again: 0 50
type 0, size 1, value 0: 0
node of type 13
after it: 100 100
again: 50 50
type 0, size 2, value 0: 0
node of type 13
after it: 1 100
again: 1 50
type 2, size 3, value 2: 0
node of type 13
after it: 2 100
again: 2 50
type 2, size 3, value 3: 0
node of type 13
after it: 100 100
again: 50 50
type 1, size 1, value 1: 0
node of type 13
after it: 0 100
again: 0 50
type 1, size 1, value 0: 0
node of type 13
after it: 100 100
again: 50 50
type 1, size 2, value 0: 1
type 0, size 3, value 0: 1
type 0, size 0, value 0: 1
type 7, size 1, value 0: 1
cuGraphConditionalHandleCreate(&handle, graph, NULL, 0, 2): CUDA_ERROR_INVALID_VALUE
cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &params): CUDA_ERROR_INVALID_CONTEXT
cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &params): CUDA_ERROR_INVALID_VALUE
warplens: the program called what is not supported (it got an error that says so):
  launches that the device may change

# Nodes of graphs: their parameters, set and asked for, edges, updates; and what is refused. What it prints is what the same program printed on a
# GPU (NVIDIA's driver 580, CUDA 13.0), 27 November 2026.
$ warplens run -q nodes 2>/dev/null
-- kernels
cuGraphAddKernelNode(&first, graph, NULL, 0, &params): CUDA_SUCCESS
cuGraphAddKernelNode_v2(&second, graph, &first, 1, &params): CUDA_SUCCESS
cuGraphAddEmptyNode(&third, graph, &second, 1): CUDA_SUCCESS
cuGraphAddKernelNode(NULL, graph, NULL, 0, &params): CUDA_ERROR_INVALID_VALUE
cuGraphAddKernelNode(&third, graph, NULL, 1, &params): CUDA_ERROR_INVALID_VALUE
cuGraphAddKernelNode(&third, graph, NULL, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphKernelNodeGetParams(first, &got): CUDA_SUCCESS
grid 1 block 32 shared 0 same 1 value 3
cuGraphKernelNodeGetParams_v2(second, &got): CUDA_SUCCESS
value 3 kernel 0
cuGraphKernelNodeGetParams(third, &got): CUDA_ERROR_INVALID_VALUE
cuGraphKernelNodeGetParams(first, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphInstantiate_v2(&exec, graph, NULL, NULL, 0): CUDA_SUCCESS
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as made: 3 3 3 3; called 0
cuGraphKernelNodeSetParams(first, &params): CUDA_SUCCESS
cuGraphKernelNodeSetParams_v2(second, &params): CUDA_SUCCESS
cuGraphKernelNodeSetParams(third, &params): CUDA_ERROR_INVALID_VALUE
cuGraphKernelNodeSetParams(first, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as it was: 3 3 3 3; called 0
cuGraphExecKernelNodeSetParams(exec, first, &params): CUDA_SUCCESS
cuGraphExecKernelNodeSetParams(exec, second, &params): CUDA_SUCCESS
cuGraphExecKernelNodeSetParams(exec, third, &params): CUDA_ERROR_INVALID_VALUE
cuGraphExecKernelNodeSetParams(exec, first, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as set: 4 4 4 4; called 0
cuGraphKernelNodeCopyAttributes(second, first): CUDA_SUCCESS
cuGraphKernelNodeCopyAttributes(third, first): CUDA_ERROR_INVALID_VALUE
cuGraphExecDestroy(exec): CUDA_SUCCESS
cuGraphDestroy(graph): CUDA_SUCCESS
-- copies
cuGraphAddMemsetNode(&fill, graph, NULL, 0, &set, context): CUDA_SUCCESS
cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &from_host, context): CUDA_SUCCESS
cuGraphMemsetNodeGetParams(fill, &got_set): CUDA_SUCCESS
value 5 size 4 width 4 height 1
cuGraphMemcpyNodeGetParams(copy, &got): CUDA_SUCCESS
host 1 device 1 width 8
cuGraphMemsetNodeGetParams(copy, &got_set): CUDA_ERROR_INVALID_VALUE
cuGraphMemcpyNodeGetParams(fill, &got): CUDA_ERROR_INVALID_VALUE
cuGraphMemcpyNodeGetParams(copy, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphInstantiateWithFlags(&exec, graph, 0): CUDA_SUCCESS
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as made: 11 12 5 5; called 0
cuGraphMemsetNodeSetParams(fill, &set): CUDA_SUCCESS
cuGraphMemcpyNodeSetParams(copy, &from_host): CUDA_SUCCESS
cuGraphMemsetNodeSetParams(copy, &set): CUDA_ERROR_INVALID_VALUE
cuGraphMemcpyNodeSetParams(fill, &from_host): CUDA_ERROR_INVALID_VALUE
cuGraphExecMemsetNodeSetParams(exec, fill, &set, context): CUDA_SUCCESS
cuGraphExecMemcpyNodeSetParams(exec, copy, &from_host, context): CUDA_SUCCESS
cuGraphExecMemsetNodeSetParams(exec, copy, &set, context): CUDA_ERROR_INVALID_VALUE
cuGraphExecMemcpyNodeSetParams(exec, fill, &from_host, context): CUDA_ERROR_INVALID_VALUE
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as set: 11 6 6 6; called 0
cuGraphMemsetNodeSetParams(fill, &set): CUDA_ERROR_INVALID_VALUE
cuGraphExecMemsetNodeSetParams(exec, fill, &set, context): CUDA_ERROR_INVALID_VALUE
-- functions of the host, events, graphs in graphs
cuGraphAddHostNode(&inner, child, NULL, 0, &params): CUDA_SUCCESS
cuGraphAddHostNode(&host, graph, NULL, 0, &params): CUDA_SUCCESS
cuGraphAddEventRecordNode(&record, graph, &host, 1, event): CUDA_SUCCESS
cuGraphAddEventWaitNode(&wait, graph, &record, 1, event): CUDA_SUCCESS
cuGraphAddChildGraphNode(&nested, graph, &wait, 1, child): CUDA_SUCCESS
cuGraphAddEventRecordNode(&record, graph, &host, 1, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphAddHostNode(&inner, child, NULL, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphHostNodeGetParams(host, &got): CUDA_SUCCESS
the same: 1 1
cuGraphEventRecordNodeGetEvent(record, &got_event): CUDA_SUCCESS
the same: 1
cuGraphEventWaitNodeGetEvent(wait, &got_event): CUDA_SUCCESS
the same: 1
cuGraphEventRecordNodeGetEvent(wait, &got_event): CUDA_ERROR_INVALID_VALUE
cuGraphEventWaitNodeGetEvent(record, &got_event): CUDA_ERROR_INVALID_VALUE
cuGraphHostNodeGetParams(record, &got): CUDA_ERROR_INVALID_VALUE
cuGraphEventRecordNodeSetEvent(record, other): CUDA_SUCCESS
cuGraphEventWaitNodeSetEvent(wait, other): CUDA_SUCCESS
cuGraphEventRecordNodeSetEvent(wait, other): CUDA_ERROR_INVALID_VALUE
cuGraphEventWaitNodeSetEvent(record, other): CUDA_ERROR_INVALID_VALUE
cuGraphEventRecordNodeGetEvent(record, &got_event): CUDA_SUCCESS
the other: 1
cuGraphInstantiateWithFlags(&exec, graph, 0): CUDA_SUCCESS
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as made: 0 0 0 0; called 2
cuGraphHostNodeSetParams(host, &more): CUDA_SUCCESS
cuGraphHostNodeSetParams(wait, &more): CUDA_ERROR_INVALID_VALUE
cuGraphExecHostNodeSetParams(exec, host, &more): CUDA_SUCCESS
cuGraphExecHostNodeSetParams(exec, wait, &more): CUDA_ERROR_INVALID_VALUE
cuGraphExecEventRecordNodeSetEvent(exec, record, event): CUDA_SUCCESS
cuGraphExecEventWaitNodeSetEvent(exec, wait, event): CUDA_SUCCESS
cuGraphExecEventRecordNodeSetEvent(exec, wait, event): CUDA_ERROR_INVALID_VALUE
cuGraphExecEventWaitNodeSetEvent(exec, record, event): CUDA_ERROR_INVALID_VALUE
cuGraphExecChildGraphNodeSetParams(exec, nested, child): CUDA_SUCCESS
cuGraphExecChildGraphNodeSetParams(exec, host, child): CUDA_ERROR_INVALID_VALUE
cuGraphExecChildGraphNodeSetParams(exec, nested, child): CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as set: 0 0 0 0; called 22
-- operations of memory
cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params): CUDA_SUCCESS
cuGraphAddEmptyNode(&empty, graph, NULL, 0): CUDA_SUCCESS
cuGraphBatchMemOpNodeGetParams(node, &got): CUDA_SUCCESS
2 of kind 2, value 22
cuGraphBatchMemOpNodeGetParams(empty, &got): CUDA_ERROR_INVALID_VALUE
cuGraphInstantiateWithFlags(&exec, graph, 0): CUDA_SUCCESS
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as made: 21 22 0 0; called 22
cuGraphBatchMemOpNodeSetParams(node, &params): CUDA_SUCCESS
cuGraphBatchMemOpNodeSetParams(empty, &params): CUDA_ERROR_INVALID_VALUE
cuGraphExecBatchMemOpNodeSetParams(exec, node, &params): CUDA_SUCCESS
cuGraphExecBatchMemOpNodeSetParams(exec, empty, &params): CUDA_ERROR_INVALID_VALUE
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as set: 21 23 0 0; called 22
-- edges
cuGraphAddDependencies(graph, from, to, 3): CUDA_SUCCESS
cuGraphAddDependencies(graph, from, to, 1): CUDA_ERROR_INVALID_VALUE
cuGraphAddDependencies(graph, from, from, 1): CUDA_ERROR_INVALID_VALUE
cuGraphAddDependencies(graph, to, from, 1): CUDA_SUCCESS
cuGraphNodeGetDependencies_v2(nodes[3], found, data, &count): CUDA_SUCCESS
1, the same 1, type 0
cuGraphNodeGetDependentNodes_v2(nodes[0], found, data, &count): CUDA_SUCCESS
2
cuGraphNodeGetDependentNodes_v2(nodes[0], NULL, NULL, &count): CUDA_SUCCESS
cuGraphNodeGetDependentNodes_v2(nodes[0], NULL, NULL, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphClone(&copy, graph): CUDA_SUCCESS
cuGraphNodeFindInClone(&found[0], nodes[3], copy): CUDA_SUCCESS
cuGraphNodeFindInClone(&found[1], nodes[3], graph): CUDA_ERROR_INVALID_VALUE
cuGraphDestroyNode(nodes[1]): CUDA_SUCCESS
cuGraphGetRootNodes(graph, found, &count): CUDA_SUCCESS
roots 2
-- updates
cuGraphInstantiateWithParams(&exec, graph, &params): CUDA_SUCCESS
result 0 node 0
cuGraphExecGetFlags(exec, &flags): CUDA_SUCCESS
flags 0
cuGraphUpload(exec, NULL): CUDA_SUCCESS
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as made: 31 31 31 31; called 22
cuGraphExecUpdate_v2(exec, same, &result): CUDA_SUCCESS
result 0
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
updated: 32 32 0 0; called 22
cuGraphExecUpdate_v2(exec, longer, &result): CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE
result 2
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as before: 32 32 0 0; called 22
cuGraphNodeSetEnabled(exec, node, 0): CUDA_SUCCESS
cuGraphNodeGetEnabled(exec, node, &enabled): CUDA_SUCCESS
enabled 0
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
without it: 0 0 0 0; called 22
cuGraphNodeSetEnabled(exec, more, 0): CUDA_ERROR_INVALID_VALUE
cuGraphInstantiateWithParams(&exec, graph, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphInstantiateWithParams(&exec, graph, &params): CUDA_ERROR_INVALID_VALUE
result 1
cuGraphInstantiateWithFlags(&exec, graph, 1 << 20): CUDA_ERROR_INVALID_VALUE
-- nodes of any kind
cuGraphAddNode(&node, graph, NULL, 0, &params): CUDA_SUCCESS
cuGraphAddNode(&node, graph, NULL, 0, &unknown): CUDA_ERROR_INVALID_VALUE
cuGraphAddNode(&node, graph, NULL, 0, NULL): CUDA_ERROR_INVALID_VALUE
cuGraphInstantiateWithFlags(&exec, graph, 0): CUDA_SUCCESS
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as made: 41 41 41 41; called 22
cuGraphNodeSetParams(node, &params): CUDA_SUCCESS
cuGraphNodeSetParams(node, &set): CUDA_ERROR_INVALID_VALUE
cuGraphExecNodeSetParams(exec, node, &params): CUDA_SUCCESS
cuGraphExecNodeSetParams(exec, node, &set): CUDA_ERROR_INVALID_VALUE
cuGraphLaunch(exec, NULL): CUDA_SUCCESS
as set: 43 43 43 43; called 22

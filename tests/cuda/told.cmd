# What NVML tells of the device, and what it refuses; and the picture of a graph
$ warplens run -q told 2>/dev/null
-- NVML
nvmlSystemGetDriverVersion(text, sizeof text): 1
nvmlInit(): 0
nvmlSystemGetDriverVersion(text, sizeof text): 0
nvmlSystemGetDriverVersion(text, 2): 7
nvmlSystemGetNVMLVersion(text, sizeof text): 0
nvmlSystemGetCudaDriverVersion(&number): 0
version 13000
nvmlSystemGetCudaDriverVersion_v2(NULL): 2
nvmlDeviceGetCount(&value): 0
devices 1
nvmlDeviceGetCount(NULL): 2
nvmlDeviceGetHandleByIndex(0, &first): 0
nvmlDeviceGetHandleByIndex(9, &same): 2
nvmlDeviceGetIndex(first, &value): 0
nvmlDeviceGetIndex(NULL, &value): 2
nvmlDeviceGetMinorNumber(first, &value): 0
nvmlDeviceGetName(first, text, sizeof text): 0
NVIDIA H100 SXM5 80GB
nvmlDeviceGetName(first, text, 3): 7
nvmlDeviceGetUUID(first, uuid, sizeof uuid): 0
nvmlDeviceGetHandleByUUID(uuid, &same): 0
the same: 1
nvmlDeviceGetHandleByUUID("GPU-nothing", &same): 6
nvmlDeviceGetPciInfo_v3(first, &pci): 0
nvmlDeviceGetPciInfo(first, &pci): 0
nvmlDeviceGetHandleByPciBusId(pci.id, &same): 0
the same: 1
nvmlDeviceGetHandleByPciBusId_v2("0000:ff:00.0", &same): 6
nvmlDeviceGetMemoryInfo(first, &memory): 0
it adds up: 1
nvmlDeviceGetMemoryInfo_v2(first, &more): 25
nvmlDeviceGetMemoryInfo_v2(first, &more): 0
the same: 1
nvmlDeviceGetCudaComputeCapability(first, &number, &minor): 0
9.0
nvmlDeviceGetComputeMode(first, &value): 0
mode 0
nvmlDeviceGetMigMode(first, &value, &later): 0
nvmlDeviceGetMemoryBusWidth(first, &value): 0
nvmlDeviceGetNumGpuCores(first, &value): 0
cores 16896
nvmlDeviceGetMaxClockInfo(first, 1, &value): 0
nvmlDeviceGetMaxClockInfo(first, 99, &value): 3
nvmlDeviceGetComputeRunningProcesses(first, &value, NULL): 0
nvmlDeviceGetComputeRunningProcesses_v2(first, &value, NULL): 0
nvmlDeviceGetComputeRunningProcesses_v3(first, &value, NULL): 0
nvmlDeviceGetGraphicsRunningProcesses_v3(first, &value, NULL): 0
nvmlDeviceGetTopologyCommonAncestor(first, first, &number): 3
nvmlDeviceGetP2PStatus(first, first, 0, &number): 0
nvmlDeviceGetNvLinkState(first, 0, &value): 3
nvmlDeviceGetNvLinkCapability(first, 0, 0, &value): 3
nvmlDeviceGetNvLinkRemoteDeviceType(first, 0, &number): 3
nvmlDeviceGetNvLinkRemotePciInfo_v2(first, 0, &pci): 3
nvmlDeviceGetGpuFabricInfo(first, other): 3
nvmlDeviceGetGpuFabricInfoV(first, other): 3
nvmlDeviceGetUtilizationRates(first, other): 3
nvmlDeviceGetTemperature(first, 0, &value): 3
nvmlDeviceGetClockInfo(first, 0, &value): 3
nvmlDeviceGetTotalEnergyConsumption(first, &energy): 3
nvmlDeviceGetEnforcedPowerLimit(first, &value): 3
Success; Not Supported; Unknown Error
nvmlShutdown(): 0
-- a picture
cuGraphDebugDotPrint(graph, path, 0): CUDA_SUCCESS
digraph dot {
subgraph cluster_6 {
label="graph_6" graph[style="dashed"];
"graph_6_node_0"[label="0\nKERNEL\nfill\n\<\<\<6,32,0\>\>\>" shape="record"];
"graph_6_node_1"[label="1\nMEMSET" shape="record"];
"graph_6_node_0" -> "graph_6_node_1";
"graph_6_node_2"[label="2\nCHILD_GRAPH" shape="record"];
"graph_6_node_1" -> "graph_6_node_2";
subgraph cluster_8 {
label="graph_8" graph[style="dashed"];
"graph_8_node_0"[label="0\nEMPTY" shape="record"];
}
}
}
cuGraphDebugDotPrint(graph, "/nowhere/at/all", 0): CUDA_ERROR_OPERATING_SYSTEM
cuGraphDebugDotPrint(graph, NULL, 0): CUDA_ERROR_INVALID_VALUE

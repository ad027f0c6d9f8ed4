/* Coordinates of texture, surface and tensor instructions. */
#include "isa/isa.h"

uint32_t geometry_elements(Geometry geometry) {
    switch (geometry) {
    case GEOMETRY_NONE:
        return 0;
    case GEOMETRY_1D:
        return 1;
    case GEOMETRY_2D:
    case GEOMETRY_A1D:
        return 2;
    case GEOMETRY_3D:
    case GEOMETRY_A2D:
    case GEOMETRY_CUBE:
    case GEOMETRY_ACUBE:
    case GEOMETRY_4D:
    case GEOMETRY_5D:
        break;
    }
    return 4;
}

uint32_t geometry_rank(Geometry geometry) {
    switch (geometry) {
    case GEOMETRY_1D:
        return 1;
    case GEOMETRY_2D:
        return 2;
    case GEOMETRY_3D:
        return 3;
    case GEOMETRY_4D:
        return 4;
    case GEOMETRY_5D:
        return 5;
    default:
        return 0;
    }
}

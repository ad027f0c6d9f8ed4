/* Coordinates of texture and surface instructions. */
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
        break;
    }
    return 4;
}

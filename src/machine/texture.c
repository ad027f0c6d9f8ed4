/* Textures and surfaces. */
#include "machine/emit.h"

const MachineFamily family_texture[] = {{0}};

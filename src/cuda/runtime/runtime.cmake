# The runtime API (cuda*), and the patcher that puts it into programs with a static runtime.
file(GLOB runtime_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cuda/runtime/*.c)
add_library(wl_runtime OBJECT ${runtime_sources})
target_include_directories(wl_runtime PRIVATE ${PROJECT_SOURCE_DIR}/src)
set_target_properties(wl_runtime PROPERTIES C_VISIBILITY_PRESET hidden) # calls.h says what is exported

# What is installed beside the programs: the manual page and completions, which the program itself prints; documents; the
# licences of what is linked in. And the Debian package: `make deb`.
set(made ${CMAKE_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${made}/warplens.1 ${made}/warplens ${made}/_warplens
  COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
  COMMAND $<TARGET_FILE:warplens> manual > ${made}/warplens.1
  COMMAND $<TARGET_FILE:warplens> manual --bash > ${made}/warplens
  COMMAND $<TARGET_FILE:warplens> manual --zsh > ${made}/_warplens
  DEPENDS warplens VERBATIM)
add_custom_target(manual ALL DEPENDS ${made}/warplens.1)
install(FILES ${made}/warplens.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/warplens DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
if(CMAKE_INSTALL_PREFIX STREQUAL /usr) # where zsh looks for what packages bring
  install(FILES ${made}/_warplens DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
else()
  install(FILES ${made}/_warplens DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
set(doc ${CMAKE_INSTALL_DATADIR}/doc/warplens)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright README.md CHANGELOG.md DESTINATION ${doc})
install(DIRECTORY docs DESTINATION ${doc} PATTERN decisions EXCLUDE)
install(DIRECTORY examples samples DESTINATION ${doc})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warplens)
set(CPACK_PACKAGE_CONTACT "The warplens authors <warplens@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "bank conflicts and uncoalesced accesses of CUDA kernels, without a GPU")
set(CPACK_PACKAGE_DESCRIPTION "warplens executes the PTX of CUDA kernels on the CPU and counts, per source line, the wavefronts
that accesses to shared memory take and the sectors that accesses to global memory touch. It runs
unmodified CUDA programs on machines without GPU and driver.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT) # warplens_0.1.0_amd64.deb
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # and so ldconfig is run
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS less)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang | nvidia-cuda-toolkit, libclang1-14 | libclang1, libopenblas0")
set(CPACK_STRIP_FILES ON)
include(CPack)

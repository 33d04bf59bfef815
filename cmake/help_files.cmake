# The manual page and the shells' completions, written by the program itself as soon as it is linked, so that
# they cannot be out of date. A cross-compiled program cannot run here; then there are none.
set(help_dir ${PROJECT_BINARY_DIR}/help)
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set_property(GLOBAL PROPERTY gpumodel_help_files ON)
  add_custom_command(TARGET gpumodel POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E make_directory ${help_dir}
      COMMAND gpumodel man --out ${help_dir}/gpumodel.1
      COMMAND gpumodel completion bash --out ${help_dir}/gpumodel.bash
      COMMAND gpumodel completion zsh --out ${help_dir}/_gpumodel
      COMMAND gpumodel completion fish --out ${help_dir}/gpumodel.fish
      VERBATIM)
endif()

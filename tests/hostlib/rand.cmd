# cuRAND on the host: numbers of a GPU, and what is refused.
$ warplens run --no-save rand $TESTS/hostlib/rand.txt 2>errors; sed 's/0x[0-9a-f]*/ADDRESS/' errors
126 answers of a GPU
rand: fine
warplens: fault: curandGenerate: 400 bytes at ADDRESS: this is memory of the host, which the GPU cannot access
warplens: the program called what is not supported (it got an error that says so):
  curandGeneratePoissonMethod

Summary: 0 of 0 launches
  On the host, not counted: curandGenerate x23, curandGenerateUniform x15,
  curandGenerateUniformDouble x15, curandGenerateNormal x19, curandGenerateNormalDouble x13,
  curandGenerateLogNormal x13, curandGenerateLogNormalDouble x13, curandGeneratePoisson x45.
warplens: 1 fault

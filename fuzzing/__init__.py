"""A fuzzer for all commands and readers; CONTRIBUTING.md explains it under "Fuzzing"."""
